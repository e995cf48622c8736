import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import type { Output } from '../../src/build/output.js';
import { STORE_FILE } from '../../src/constants.js';
import { resolveConnection } from '../../src/options/connection.js';
import { openStore } from '../../src/store/open-store.js';
import { pack } from '../../src/store/pack.js';
import { createPublishedSite, expectSame } from '../support/build/published-site.js';
import { productIds, startService } from '../support/build/service.js';

// One site for all tests, as builds take long: each goes on where the one before it ended.
const PIDS = productIds(4);
const service = await startService(PIDS);
const site = createPublishedSite('incremental-store', service, PIDS);
const { root } = site.project;
const storeFile = join(root, '.cache/product-reviews', STORE_FILE);

afterAll(async () => {
	await service.close();
	site.project.remove();
});

const news = (pid: string) =>
	service.store.createReview(pid, { rating: 1, author: 'A', body: `News of ${pid}`, title: 'News' });

/** Publishes nothing. @returns the reason, which is the same for every page */
async function reasonFor(pid: string): Promise<string> {
	const before = site.files();
	const { status, rebuild, files, errors } = await site.publishJson([pid]);
	expect({ status, files }, errors).toEqual({ status: 3, files: [] });
	expect(rebuild).toEqual([{ page: null, reason: expect.any(String) }]);
	expectSame(site.files(), before);
	return rebuild[0]?.reason ?? '';
}

/** Changes what the store says of the last build, for a while. */
function changeOutput(change: Partial<Output>): () => void {
	const { account } = resolveConnection(
		{ baseUrl: service.url, wsid: service.wsid, token: service.token },
		{},
	);
	const store = openStore(storeFile, account, () => {});
	const table = store.table<Output>('output');
	const last = table.get('last')?.value;
	table.put('last', pack({ ...last, ...change }), Date.now());
	store.close();
	return () => last && changeOutput(last);
}

test('without a store, nothing is made', async () => {
	const { status, printed } = await site.publish(['p-1']);
	expect([status, printed]).toEqual([3, expect.stringContaining('set the option "publish"')]);
	expect(existsSync(dirname(storeFile))).toBe(false);
});

test('what the service fails for is left as it is, and published by the next run without ids', async () => {
	await site.build();
	for (const pid of ['p-3', 'p-4']) news(pid);
	service.faults.add({ kind: 'status', status: 500, pid: 'p-4' });
	const before = site.files();
	const first = await site.publishJson(['--all']);
	expect(first).toMatchObject({
		status: 1,
		files: ['products/p-3/index.html', 'stars/index.html'],
		rebuild: [],
		failed: [{ pid: 'p-4', reason: expect.stringContaining('500') }],
	});
	expectSame(without(site.files(), first.files), without(before, first.files));
	service.faults.clear();
	expect(await site.publishJson([])).toMatchObject({ status: 0, files: ['products/p-4/index.html'] });
});

const without = (files: ReturnType<typeof site.files>, names: readonly string[]) =>
	new Map([...files].filter(([name]) => !names.includes(name)));

test('--then gets the files, and --dry-run does nothing', async () => {
	news('p-4');
	const before = site.files();
	const failing = 'cd dist; cat > ../then.txt; echo "$REVIEWS_OUT_DIR" >> ../then.txt; exit 3';
	const inDist = (args: readonly string[]) =>
		site.publish([...args, '--then', failing], { REVIEWS_TOKEN: service.token });
	const dry = await inDist(['p-4', '--dry-run']);
	expect([dry.status, dry.printed]).toEqual([0, expect.stringContaining('1 file would change')]);
	expectSame(site.files(), before);
	expect(readdirSync(root)).not.toContain('then.txt');
	const { status, errors } = await inDist(['p-4']);
	expect([status, errors]).toEqual([1, expect.stringContaining('The command of --then ended with code 3.')]);
	expect(readFileSync(join(root, 'then.txt'), 'utf8')).toBe(
		`products/p-4/index.html\n${join(root, 'dist')}\n`,
	);
	// Nobody has them yet, so the next run brings them again, and the one after it does not.
	for (const files of ['products/p-4/index.html\n', '']) {
		writeFileSync(join(root, 'then.txt'), '');
		expect(
			await site.publish(['p-4', '--then', 'cat > then.txt'], { REVIEWS_TOKEN: service.token }),
		).toMatchObject({
			status: 0,
		});
		expect(readFileSync(join(root, 'then.txt'), 'utf8')).toBe(files);
	}
});

test('one product takes little memory', async () => {
	news('p-4');
	const hook = fileURLToPath(new URL('../support/unit/say-memory.mjs', import.meta.url));
	const { status, errors } = await site.publish(['p-4'], { NODE_OPTIONS: `--import=${pathToFileURL(hook)}` });
	expect(status, errors).toBe(0);
	const kilobytes = [...errors.matchAll(/^MEMORY (\d+)$/gm)].map(([, text]) => Number(text));
	expect(Math.max(...kilobytes)).toBeGreaterThan(10_000);
	expect(Math.max(...kilobytes)).toBeLessThan(150_000);
});

test('without the token of the build, nothing is done', async () => {
	news('p-4');
	const before = site.files();
	const { status, errors } = await site.publish(['p-4'], { REVIEWS_TOKEN: undefined });
	expect([status, errors]).toEqual([
		1,
		expect.stringMatching(/^The last build had an access token, but there is none/),
	]);
	expect(errors).toContain('REVIEWS_TOKEN');
	expectSame(site.files(), before);
	writeFileSync(join(root, '.env.local'), `REVIEWS_TOKEN=${service.token}\n`);
	expect((await site.publish(['p-4'], { REVIEWS_TOKEN: undefined })).status).toBe(0);
});

test('another configuration, another version, no output: everything needs a build', async () => {
	news('p-4');
	const back = changeOutput({ version: '0.0.1' });
	expect(await reasonFor('p-4')).toMatch(/^the last build was made with version 0\.0\.1 /);
	back();
	site.change('astro.config.mjs', (text) => `${text}\n// Changed.`);
	expect(await reasonFor('p-4')).toBe('the Astro configuration has changed since the last build');
	site.change('astro.config.mjs', (text) => text.replace('\n// Changed.', ''));
	renameSync(join(root, 'dist'), join(root, 'elsewhere'));
	expect(await site.publishJson(['p-4'])).toMatchObject({ status: 3, rebuild: [{ page: null }] });
	renameSync(join(root, 'elsewhere'), join(root, 'dist'));
	expect((await site.publishJson(['p-4'])).files).toEqual(['products/p-4/index.html']);
});

test('files that are gone or altered, and own markup, are said page by page; the others are published', async () => {
	const gone = join(root, 'dist/products/p-1/index.html');
	rmSync(gone);
	site.change('dist/stars/index.html', (html) => html.replaceAll('> <', '><'));
	const before = site.files();
	for (const pid of ['p-1', 'p-2', 'p-3']) news(pid);
	const { status, files, rebuild, unchanged, failed } = await site.publishJson(PIDS);
	expect({ status, files, unchanged, failed }).toEqual({
		status: 3,
		files: ['products/p-2/index.html', 'products/p-3/index.html'],
		unchanged: ['p-4'],
		failed: [],
	});
	expect(rebuild.toSorted((one, other) => (one.page ?? '').localeCompare(other.page ?? ''))).toEqual([
		{ page: '/own-markup/', reason: 'its own markup uses reviews that changed' },
		{ page: '/products/p-1/', reason: 'its file is gone' },
		{ page: '/stars/', reason: 'its file was changed after the build' },
	]);
	expectSame(new Map([...site.files()].filter(([name]) => !files.includes(name))), without(before, files));
	expect(existsSync(gone)).toBe(false);
	// It stays so, and is said again.
	expect(await site.publishJson(PIDS)).toMatchObject({ status: 3, files: [], rebuild });
	const { printed } = await site.publish(PIDS);
	expect(printed).toContain('3 pages need a rebuild:');
	expect(printed).toContain('/products/p-1/: its file is gone');
});

test('pages that another integration minifies after the build are left to builds, which --else runs', async () => {
	const environment = { FIXTURE_MINIFY: '1' };
	await site.build({ environment });
	const before = site.files();
	news('p-4');
	const { status, files, rebuild } = await site.publishJson(['p-4']);
	const rebuilt = { page: '/products/p-4/', reason: 'its file was changed after the build' };
	expect({ status, files, rebuild }).toEqual({ status: 3, files: [], rebuild: [rebuilt] });
	expectSame(site.files(), before);

	const build = site.buildCommand({ environment });
	const completed = await site.publish(['p-4', '--else', build.line], build.environment);
	expect(completed.status, completed.errors).toBe(0);
	const page = site.project.read('products/p-4/index.html');
	expect(page).toContain('News of p-4');
	expect(page).toMatch(/^<!doctype html><html lang=en>/);
});

test('after a build that was killed, and after one without publish, everything needs a build', async () => {
	service.faults.add({ kind: 'latency', ms: 60_000 });
	service.requests.reset();
	const { end } = site.start({ options: { revalidate: 'always' } });
	await expect.poll(() => service.requests.count()).toBeGreaterThan(0);
	await end('SIGKILL');
	service.faults.clear();
	expect(await reasonFor('p-4')).toBe('the last build did not finish');
	await site.build({ options: { publish: false } });
	expect(await reasonFor('p-4')).toMatch(/^no build has kept where its reviews are/);
});
