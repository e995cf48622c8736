import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { createFolder } from 'product-reviews-test-support/folder';
import { listenInTest } from 'product-reviews-test-support/listen';
import { expect, test, vi } from 'vitest';
import { createRandom } from '../../../../sandbox/src/seed/random.js';
import { openCache, type ReviewCache } from '../../../src/cache/open-cache.js';
import { type KeyedRow, proofOf, type Row } from '../../../src/cache/rows.js';
import { pack, unpack } from '../../../src/cache/values.js';
import { loadOwnSite, mergeShards } from '../../../src/cli/merge.js';
import { readSnapshot } from '../../../src/cli/snapshot.js';
import { type CondensedRecord, restoreRecord } from '../../../src/parse/condensed-record.js';
import type { ReviewData } from '../../../src/parse/record.js';
import { lastBuildFile } from '../../../src/session/last-build.js';
import { runUpdate } from '../../../src/update/update.js';
import { ACCOUNT, CACHE_FILE, createProject, createShard, REPORT_FILE } from '../../support/cli/shards.js';
import { packRecord, packReviewData } from '../../support/unit/filled-cache.js';
import { lookAtPage, pageAround } from '../../support/unit/page.js';
import { displayed } from '../../support/unit/record.js';
import { fullReview, mediaItem } from '../../support/unit/review-data.js';
import { write, writeAll } from '../../support/unit/write.js';

const MUTANTS = { snapshots: 400, shards: 300 };
const PIDS = ['p-1', 'p-2'];
const CODE = 'globalThis.wasRun=true';

const { next: random, between, pick } = createRandom(20_261_125);
const below = (end: number) => between(0, end - 1);

/** Counts every request to the only address that mutants name. */
async function startTrap() {
	const requested = vi.fn((_request: unknown, response: ServerResponse) => void response.end('{}'));
	const { url } = await listenInTest(createServer(requested));
	return { requested, texts: hostile(url) };
}

/** What a stranger would put in place of a value. */
const hostile = (trap: string): readonly unknown[] => [
	`javascript:${CODE}`,
	`<script>${CODE}</script><img src=x onerror="${CODE}">`,
	`</script><script>${CODE}</script>`,
	`data:text/javascript,${CODE}`,
	`"><a href="${trap}">`,
	trap,
	...['../../../outside.html', '/tmp/outside.html', '\0', '', 'p-1', '__proto__', 'x'.repeat(100_000)],
	...[null, true, -1, 1.5, 1e300, 2 ** 53, Date.now() * 10],
	...[[], {}, [[]], { length: 1e9 }, { toString: CODE }],
	{ driver: `data:text/javascript,${CODE}`, config: {} },
	{ baseUrl: trap, storage: { driver: `data:text/javascript,${CODE}` }, root: '/', outDir: '..' },
];

/** Changes one place of a value that JSON can hold. */
function changed(value: unknown, texts: readonly unknown[]): unknown {
	if (typeof value !== 'object' || value === null || random() < 0.15) return pick(texts);
	const names = Object.keys(value);
	const name = random() < 0.1 || names.length === 0 ? pick(['added', '__proto__', '0']) : pick(names);
	const entries = Object.entries(value);
	for (const entry of entries) if (entry[0] === name) entry[1] = changed(entry[1], texts);
	if (!names.includes(name)) entries.push([name, pick(texts)]);
	return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

function fill(cache: ReviewCache): void {
	const url = 'https://shop.example/a';
	for (const pid of PIDS) {
		const reviews = [displayed({ body: 'Fine.', productUrl: url }), displayed({ author: 'Bo' })];
		cache.table('reviews').put(pid, packRecord({ pid, reviews }), 1_000, '{"etag":"a"}');
		const media = [mediaItem()];
		cache.table('review-data').put(pid, packReviewData({ pid, reviews: [fullReview()], media }), 1_000);
		cache.table('mark').put(pid, pack({}), 900);
	}
	const request = { component: 'StarRating', props: { href: url } };
	const dependencies = [{ pid: 'p-1', from: 'reviews', version: 'v', request, digest: 'd' }];
	const facts = [{ pid: 'p-1', component: 'StarRating', count: 2 }];
	cache.pages().put('page.astro a', pack({ address: '/a/', dependencies, facts, generation: 'g' }), PIDS);
}

/** Changes rows or bytes of a store's file, with checksums that are right. */
function mutate(file: string, texts: readonly unknown[]): void {
	if (random() < 0.2) {
		const bytes = readFileSync(file);
		for (let count = 1 + below(20); count > 0; count--) bytes[100 + below(bytes.length - 100)] = below(256);
		writeFileSync(file, bytes);
		return;
	}
	const database = new DatabaseSync(file);
	try {
		mutateRow(database, texts);
	} catch {
		// SQLite refuses some values, and a file that was damaged before.
	} finally {
		database.close();
	}
}

const COLUMNS = 'account kind pid digest fetched_at used_at state validators summary'.split(' ');

function mutateRow(database: DatabaseSync, texts: readonly unknown[]): void {
	const key = 'account = ? AND kind = ? AND pid = ?';
	const rows = database.prepare(`SELECT * FROM entries LEFT JOIN contents USING (account, kind, pid)`).all();
	const row = pick(rows) as unknown as KeyedRow & Row;
	const was = [row.account, row.kind, row.pid] as const;
	const next: Record<string, unknown> = { ...row };
	const text = () => {
		const value = pick(texts);
		return ['string', 'number'].includes(typeof value) || value === null ? value : JSON.stringify(value);
	};
	if (random() < 0.5 && row.value) {
		const value = unpack({ codec: row.codec, value: row.value, digest: row.digest });
		const packed = pack(changed(value, texts), random() < 0.5 ? pick(texts) : undefined);
		const summary = random() < 0.5 ? row.summary : (packed.summary ?? null);
		Object.assign(next, { value: packed.value, codec: packed.codec, digest: packed.digest, summary });
	} else next[pick(COLUMNS)] = text();
	if (random() < 0.1) Object.assign(next, { kind: 'output', pid: 'last', fetched_at: Date.now() + 1e11 });
	const { account, kind, pid, digest, fetched_at, used_at, state, validators, summary } = next as never;
	const proof = proofOf({ account, kind, pid }, { digest, fetched_at, used_at, state, validators, summary });
	if (random() < 0.7) database.prepare(`DELETE FROM entries WHERE ${key}`).run(...was);
	database
		.prepare(`INSERT OR REPLACE INTO entries (${COLUMNS}, proof) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
		.run(account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof);
	database
		.prepare('INSERT OR REPLACE INTO contents (account, kind, pid, codec, value) VALUES (?, ?, ?, ?, ?)')
		.run(account, kind, pid, next['codec'] as number, next['value'] as Uint8Array);
}

/** Reads everything that a store has, and writes it into a page: it holds what our templates write, and no more. */
function expectHarmless(file: string): number {
	const cache = openCache(file, ACCOUNT, () => {});
	let shown = 0;
	for (const pid of cache.pids('reviews')) {
		const value = cache.table<CondensedRecord>('reviews').get(pid)?.value;
		if (value) shown += expectPage(writeAll(restoreRecord(value), 'visible'));
	}
	for (const pid of cache.pids('review-data')) {
		const value = cache.table<ReviewData>('review-data').get(pid)?.value;
		if (!value) continue;
		const components = ['ReviewSection', 'ReviewList', 'ReviewMedia', 'ProductQuestions', 'ReviewTopics'];
		shown += expectPage(components.map((name) => write(name, value as never)).join(''));
	}
	cache.close();
	expect(globalThis).not.toHaveProperty('wasRun');
	return shown;
}

function expectPage(written: string): number {
	const { foreign } = lookAtPage(pageAround(written));
	expect(foreign, written).toEqual([]);
	expect(written).not.toMatch(/(?:href|src)="(?!https?:|#|\/)/);
	return written === '' ? 0 : 1;
}

test('whatever a snapshot holds: a pull takes reviews or refuses it, and runs, asks and writes nothing else', async () => {
	const { requested, texts } = await startTrap();
	const folder = createFolder('pulled');
	const [whole, mutant, snapshot, file] = ['whole.db', 'mutant.db', 'a.snapshot', 'store/reviews.db'].map(
		(name) => join(folder, name),
	) as [string, string, string, string];
	const ignore = () => {};
	const cache = openCache(whole, ACCOUNT, ignore, () => 1_000);
	fill(cache);
	cache.close();
	let [shown, refused] = [0, 0];
	for (let count = MUTANTS.snapshots; count > 0; count--) {
		copyFileSync(whole, mutant);
		for (let changes = 1 + below(3); changes > 0; changes--) mutate(mutant, texts);
		writeFileSync(snapshot, gzipSync(readFileSync(mutant), { level: 1 }));
		rmSync(dirname(file), { recursive: true, force: true });
		try {
			await readSnapshot(file, { file: snapshot }, ACCOUNT);
			shown += expectHarmless(file);
		} catch (error) {
			expect(error).toMatchObject({ name: 'CommandError', code: expect.stringMatching(/^PR_/) });
			refused += 1;
		}
		expect(readdirSync(folder).toSorted()).toEqual(['a.snapshot', 'mutant.db', 'store', 'whole.db']);
	}
	expect(requested).not.toHaveBeenCalled();
	// Most of what was not changed is still shown.
	expect(shown).toBeGreaterThan(MUTANTS.snapshots);
	expect(refused).toBeLessThan(MUTANTS.snapshots / 2);
});

test('whatever a shard holds: a merge joins it or refuses it, and runs, asks and writes nothing else', async () => {
	const { requested, texts } = await startTrap();
	const folder = createFolder('merged');
	const options = { baseUrl: 'http://127.0.0.1:9', retries: 0 };
	createProject(folder, { options });
	const site = await loadOwnSite({ root: folder });
	const [one, two, whole] = ['1', '2', 'whole'].map((name) => join(folder, name)) as [string, string, string];
	for (const [index, to] of [one, whole].entries())
		createShard(to, folder, { index: index + 1, count: 2, files: { 'a/index.html': 'html' }, options, fill });
	let [joined, refused] = [0, 0];
	for (let count = MUTANTS.shards; count > 0; count--) {
		for (const path of [two, join(folder, 'dist'), join(folder, 'store')])
			rmSync(path, { recursive: true, force: true });
		cpSync(whole, two, { recursive: true });
		const cacheFile = join(two, CACHE_FILE);
		if (random() < 0.6) mutate(cacheFile, texts);
		for (const path of [lastBuildFile(cacheFile), join(two, REPORT_FILE)]) {
			if (random() < 0.4)
				writeFileSync(path, JSON.stringify(changed(JSON.parse(readFileSync(path, 'utf8')), texts)));
		}
		try {
			await mergeShards([one, two], folder, site, false);
			joined += 1;
		} catch (error) {
			expect(error).toMatchObject({ name: 'CommandError', code: expect.stringMatching(/^PR_/) });
			refused += 1;
			continue;
		}
		const target = join(folder, CACHE_FILE);
		expectHarmless(target);
		// Each takes a while, since it asks a service that is not there.
		if (joined % 10 === 0) {
			const context = { isDryRun: false, warn: () => {}, onWait: () => {}, onProgress: () => {} };
			await runUpdate(['p-1'], { cacheFile: target, root: folder, ...context });
			expect(readFileSync(join(folder, 'dist/a/index.html'), 'utf8')).toBe('html');
		}
		expect(readdirSync(folder).toSorted()).toEqual(['1', '2', 'astro.config.mjs', 'dist', 'store', 'whole']);
	}
	expect(requested).not.toHaveBeenCalled();
	expect([joined, refused].every((number) => number > MUTANTS.shards / 10)).toBe(true);
});
