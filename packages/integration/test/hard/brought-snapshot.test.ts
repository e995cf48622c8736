import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createFolder } from 'product-reviews-test-support/folder';
import { listenInTest } from 'product-reviews-test-support/listen';
import { expect, onTestFinished, test } from 'vitest';
import { LAST_BUILD_FILE, STORE_FILE } from '../../src/constants.js';
import { proofOf } from '../../src/store/rows.js';
import { pack } from '../../src/store/values.js';
import { createProject } from '../support/build/project.js';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(3);
const TEN_YEARS = 315_360_000_000;

test('a snapshot that names a driver and an address decides neither what runs nor where the token goes', async () => {
	// Somebody who can write to the place of snapshots has a store of the same shop, and its build.
	const setup = { environment: TOKEN, atEnd: onTestFinished };
	const { project: attacker, service } = await startShop('store', PIDS, setup);
	const requests: unknown[] = [];
	const thief = await listenInTest(
		createServer((request, response) => {
			requests.push(request.headers.authorization);
			response.end('{}');
		}),
	);
	const folder = createFolder('snapshot');
	const [loot, stolen, snapshot] = [
		join(folder, 'loot'),
		join(folder, 'stolen.db'),
		join(folder, 'a.snapshot'),
	];
	const code = `import { writeFileSync } from 'node:fs'; writeFileSync('${loot}', process.env.REVIEWS_TOKEN ?? ''); export default () => ({})`;

	await attacker.build();
	const cache = join(attacker.root, '.cache/product-reviews');
	copyFileSync(join(cache, STORE_FILE), stolen);
	const build = JSON.parse(readFileSync(join(cache, LAST_BUILD_FILE), 'utf8'));
	const storage = { driver: `data:text/javascript,${encodeURIComponent(code)}`, config: {}, omitted: [] };
	const places = { root: '../..', outDir: '../../dist', folder: '../../dist', envFolder: '../..' };
	const attack = pack({
		...build,
		...places,
		baseUrl: thief.url,
		options: { ...build.options, baseUrl: thief.url },
		storage,
	});
	const key = { account: 'zzz', kind: 'output', pid: 'last' };
	const time = Date.now() + TEN_YEARS;
	const row = {
		...{ digest: attack.digest, fetched_at: time, used_at: time, state: 'fetched' as const },
		...{ validators: null, summary: null },
	};
	const database = new DatabaseSync(stolen);
	database
		.prepare(
			`INSERT INTO entries (account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		)
		.run(...Object.values(key), ...Object.values(row), proofOf(key, row));
	database
		.prepare('INSERT INTO contents VALUES (?, ?, ?, ?, ?)')
		.run(...Object.values(key), attack.codec, attack.bytes);
	database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
	database.close();
	writeFileSync(snapshot, gzipSync(readFileSync(stolen)));

	// A runner of CI has an empty cache, and a token.
	const run = { service: service.url, pages: PIDS, options: { products: PIDS }, environment: TOKEN };
	const victim = createProject('store', run);
	onTestFinished(victim.remove);
	service.requests.reset();
	const pulled = await victim.command(['cache', 'pull', snapshot]);
	expect(pulled.status, pulled.errors).toBe(0);
	expect(pulled.printed).toMatch(
		/^Pulled 3 products from .*\nIgnored: \d+ rows? neither reviews nor ratings\n$/s,
	);
	await victim.build();
	expect(service.requests.all.flatMap(({ operation }) => operation)).not.toContain('crawlerReviews');
	publish(service, 'p-1', 'Just published.');
	const { status, errors, files } = await victim.updateJson(['p-1']);
	expect([status, files], errors).toEqual([0, ['index.html', 'products/n1/index.html']]);
	expect(requests).toEqual([]);
	expect(existsSync(loot)).toBe(false);
	// The driver would have run.
	await import(`${storage.driver}#${pathToFileURL(dirname(loot))}`);
	expect(existsSync(loot)).toBe(true);
});
