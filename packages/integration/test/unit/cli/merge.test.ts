import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCache, type ReviewCache } from '../../../src/cache/open-cache.js';
import { pack } from '../../../src/cache/values.js';
import { lastBuildFile, readLastBuild } from '../../../src/session/last-build.js';
import { run } from '../../support/cli/command.js';
import {
	ACCOUNT,
	CACHE_DIR,
	CACHE_FILE,
	createProject,
	createShard,
	REPORT_FILE,
	type ShardParts,
} from '../../support/cli/shards.js';
import { query } from '../../support/unit/cache.js';
import { packRecord, packReviewData } from '../../support/unit/filled-cache.js';
import { displayed } from '../../support/unit/record.js';

type Files = Readonly<Record<string, string>>;
type Fill = (cache: ReviewCache) => void;

/** Shards of a site in the folders 1, 2 and so on of a project, which has the configuration of the first. */
function createShards(...changes: readonly Partial<ShardParts>[]) {
	const cwd = createFolder('shards');
	createProject(cwd, changes[0]);
	const count = Math.max(2, changes.length);
	const folders = Array.from({ length: count }, (_, at) => String(at + 1));
	for (const [at, name] of folders.entries()) {
		const files = { 'index.html': 'Shop', [`p/${name}/index.html`]: name };
		createShard(join(cwd, name), cwd, { index: at + 1, count, files, pids: [`p-${name}`], ...changes[at] });
	}
	const merge = (args: readonly string[] = folders.toReversed()) =>
		run(['merge', '--out', 'site', ...args], { cwd, now: 5_000 });
	const open = () => {
		const warnings: string[] = [];
		const cache = openCache(join(cwd, 'site', CACHE_FILE), ACCOUNT, (message) => warnings.push(message));
		onTestFinished(() => {
			cache.close();
			expect(warnings).toEqual([]);
		});
		return cache;
	};
	return {
		...{ cwd, merge, open, target: join(cwd, 'site') },
		/** Joins them, and returns what the command says for programs. */
		async join(): Promise<Record<string, unknown>> {
			const { status, output, errors } = await merge(['--json', ...folders.toReversed()]);
			expect([status, errors]).toEqual([0, '']);
			return JSON.parse(output);
		},
		read: (name: string) => readFileSync(join(cwd, 'site', name), 'utf8'),
	};
}

describe('joined shards', () => {
	test('are one output, one store and one report', async () => {
		const { target, merge, read, open, join: joinAll } = createShards();
		const tried = await merge(['--dry-run', '2', '1']);
		expect(tried).toMatchObject({ status: 0, errors: '' });
		expect(tried.output).toMatch(
			/^2 shards fit together in [\d.]+ s: 3 files, 2 products\nOutput: "site\/dist", not written\n$/,
		);
		expect(existsSync(target)).toBe(false);
		const { output } = await merge(['2', '1', './1/']);
		expect(output).toMatch(/^2 shards joined in [\d.]+ s: 3 files, 2 products\nOutput: "site\/dist"\n$/);
		const pages = ['index', 'p/1/index', 'p/2/index'].map((name) => read(`dist/${name}.html`));
		expect(pages).toEqual(['Shop', '1', '2']);
		expect(open().pids('reviews')).toEqual(['p-1', 'p-2']);
		expect(readdirSync(target).toSorted()).toEqual(['dist', CACHE_DIR]);
		const said = { shards: 2, files: 3, joined: [], products: 2 };
		expect(await joinAll()).toEqual({ ...said, outDir: join(target, 'dist') });
	});

	test('are the last build of the project, which decides all but what builds find out', async () => {
		const found = { hasToken: true, hasCollection: true, hasChanges: true };
		const elsewhere = { configFile: 'other.mjs', envFolder: '/other', astroCache: '/other' };
		const build = { ...found, ...elsewhere, folder: 'dist/client', mode: 'staging' };
		const { cwd, target, merge } = createShards({ build }, { build });
		expect(await merge(['--mode', 'staging', '1', '2'])).toMatchObject({ status: 0, errors: '' });
		const joined = readLastBuild(join(target, CACHE_FILE));
		const places = { root: cwd, outDir: 'site/dist', folder: 'site/dist/client', astroCache: 'cache' };
		const own = { configFile: 'astro.config.mjs', envFolder: '', isComplete: true, ...places };
		expect(joined).toMatchObject({ ...found, ...own, writtenTo: join(target, CACHE_DIR) });
		expect(joined?.shard).toBeUndefined();
	});

	test('replace what was there, but not what the store has learned since', async () => {
		const { target, read, open, join: joinAll } = createShards();
		// What a merge that was killed has left.
		for (const name of ['dist/old', 'dist.merging/half', 'dist.replaced', CACHE_DIR])
			mkdirSync(join(target, name), { recursive: true });
		const cache = open();
		cache.table('mark').put('p-1', pack({}), 2_000);
		cache.pages().put('old', pack({}), ['p-1']);
		cache.close();
		await joinAll();
		expect(readdirSync(target).toSorted()).toEqual(['dist', CACHE_DIR]);
		expect(readdirSync(join(target, 'dist')).toSorted()).toEqual(['index.html', 'p']);
		expect(read('dist/index.html')).toBe('Shop');
		const joined = open();
		expect([joined.pids('mark'), joined.pids('reviews')]).toEqual([['p-1'], ['p-1', 'p-2']]);
		expect(joined.pages().get('old')).toBeUndefined();
	});

	test('have one report: requests add up, and every product and page is there once, with the worst outcome', async () => {
		const { cwd, ...shards } = createShards({ pids: ['p-1', 'p-2'] }, { pids: ['p-1', 'p-3'] });
		const incremental = { keyed: 2, changed: 1, rendered: 1 };
		for (const [name, change, state] of [
			['1', { ms: 4_000, pages: { withReviews: 2, incremental } }, {}],
			['2', { ms: 9_000, pages: { withReviews: 3 } }, { status: 'failed', reason: '503' }],
		] as const) {
			const file = join(cwd, name, REPORT_FILE);
			const report = JSON.parse(readFileSync(file, 'utf8'));
			Object.assign(report.products[0], { pages: ['/', `/${name}`], ...state });
			Object.assign(report.requests, { total: 3, bytes: 10 });
			writeFileSync(file, JSON.stringify({ ...report, ...change }));
		}
		await shards.join();
		const { products, ...report } = JSON.parse(shards.read(REPORT_FILE));
		expect(report).toMatchObject({
			...{ ms: 9_000, pages: { withReviews: 3, incremental }, requests: { total: 6, bytes: 20 } },
			totals: { products: 3, fetched: 2, failed: 1 },
			cache: { bytes: readFileSync(join(shards.target, CACHE_FILE)).length },
		});
		const [first, ...others] = products;
		expect(first).toMatchObject({ pid: 'p-1', status: 'failed', reason: '503', pages: ['/', '/1', '/2'] });
		expect(others).toMatchObject(['p-2', 'p-3'].map((pid) => ({ pid, status: 'fetched' })));
	});

	test('have one sitemap, and one index of it', async () => {
		const listOf = (tag: string, names: readonly string[]) =>
			names.map((name) => `<${tag}><loc>https://shop.example/${name}</loc></${tag}>`).join('');
		const urls = (...pages: string[]) => `<urlset>${listOf('url', pages)}</urlset>`;
		const index = (...names: string[]) => `<sitemapindex>${listOf('sitemap', names)}</sitemapindex>`;
		const same = { 'same-0.xml': urls('b/', 'a/') };
		const files = ['a/', 'b/'].map(
			(page): Files => ({ 'map-0.xml': urls(page), 'map-index.xml': index('map-0.xml'), ...same }),
		);
		const all = [...files, { 'map-index.xml': index(), ...same }].map((files) => ({ files }));
		const shards = createShards(...all);
		expect(await shards.join()).toMatchObject({ joined: ['map-0.xml', 'map-index.xml'] });
		const read = ['map-0.xml', 'map-index.xml', 'same-0.xml'].map((name) => shards.read(`dist/${name}`));
		expect(read).toEqual([urls('a/', 'b/'), index('map-0.xml'), urls('b/', 'a/')]);
	});
});

describe('the joined store', () => {
	test('has the last value of each product, every mark, and the pages of all with what they show', async () => {
		const page = (address: string) => ({ address, dependencies: [], facts: [] });
		const put = (cache: ReviewCache, version: number, ...pids: string[]) => {
			for (const pid of pids) {
				const packed = packRecord({ pid, heading: `Version ${version}` });
				cache.table('reviews').put(pid, packed, version, `etag ${version}`);
			}
		};
		const fills: Fill[] = [
			(first) => {
				put(first, 2, 'p-1', 'p-2', 'p-3');
				first.pages().put('page 1', pack(page('/1/')), ['p-1', 'p-3']);
				first.pages().put('index', pack(page('/first/')), ['p-1']);
			},
			(second) => {
				put(second, 1, 'p-1', 'p-3');
				put(second, 3, 'p-2');
				second.table('review-data').put('p-2', packReviewData({ pid: 'p-2' }), 5);
				second.table('mark').put('p-2', pack({}), 20);
				second.pages().put('index', pack(page('/second/')), ['p-1', 'p-2']);
			},
			(third) => put(third, 1, 'p-4'),
		];
		const { open, join: joinAll } = createShards(...fills.map((fill) => ({ fill, pids: [] })));
		await joinAll();
		const cache = open();
		const reviews = cache.table('reviews');
		for (const [pid, version] of Object.entries({ 'p-1': 2, 'p-2': 3, 'p-3': 2, 'p-4': 1 })) {
			const value = { pid, heading: `Version ${version}` };
			expect(reviews.get(pid)).toMatchObject({ value, fetchedAt: version, validators: `etag ${version}` });
		}
		expect(cache.table('review-data').get('p-2')).toMatchObject({ value: { pid: 'p-2' } });
		expect(cache.pids('mark')).toEqual(['p-2']);
		const pages = cache.pages();
		expect(['page 1', 'index'].map((name) => pages.get(name))).toEqual([page('/1/'), page('/second/')]);
		expect(pages.showing(['p-2'])).toEqual(['index']);
		expect(pages.products().toSorted()).toEqual(['p-1', 'p-2', 'p-3']);
	});

	test('has nothing of another account, of the future, or that no build of this version writes', async () => {
		const forge: Fill = (cache) => {
			const reviews = [displayed({ productUrl: 'javascript:alert(1)' })];
			cache.table('reviews').put('p-8', packRecord({ pid: 'p-8', reviews }), 2_000);
			cache.table('reviews').put('p-9', packRecord({ pid: 'p-9' }), 100_000_000);
			cache.pages().put('page', pack({ address: { path: '/' }, dependencies: [], facts: [] }), []);
		};
		const { cwd, target, join: joinAll } = createShards({ fill: forge });
		const others = openCache(join(cwd, '2', CACHE_FILE), 'other', () => {});
		for (const kind of ['reviews', 'mark'] as const) others.table(kind).put('p-1', packRecord({}), 2_000);
		others.pages().put('page', pack({ address: '/', dependencies: [], facts: [] }), ['p-1']);
		others.close();
		await joinAll();
		const all = ['entries', 'contents', 'shown'].map((name) => `SELECT account, pid FROM ${name}`);
		const rows = query(join(target, CACHE_FILE), `${all.join(' UNION ')} ORDER BY pid`);
		expect(rows).toEqual(['p-1', 'p-2'].map((pid) => ({ account: ACCOUNT, pid })));
	});
});

describe('nothing changes', () => {
	const LONG = 'x'.repeat(600_000);
	const PAGES = { 'index.html': 'Shop', 'p/1.html': '' };
	const FIRST = { ...PAGES, 'long.css': `${LONG}1`, 'feed-0.xml': '<rss>1</rss>' };
	const DIFFER = '1 file of several shards is not the same in all of them:';
	const DRIVER = { driver: 'data:text/javascript,other', config: {}, omitted: [] };
	const ALIKE = 'DIFFER "2" and "1" were not built alike. What differs:';
	const OTHER = 'DIFFER "2" was not built from this project as it is here. What differs, and was not used:';

	test.each<[string, Partial<ShardParts>, string]>([
		['did not finish', { build: { isComplete: false } }, 'UNUSABLE of shard 2 of 2 in "2" did not finish.'],
		['has another service', { build: { baseUrl: 'https://other' } }, `${OTHER} the address of the service.`],
		['has another account', { build: { wsid: 'other' } }, `${OTHER} the website ID.`],
		['has another driver', { build: { storage: DRIVER } }, `${OTHER} the option "storage".`],
		['has another Astro', { build: { astro: '8.0.0' } }, `${OTHER} the version of Astro.`],
		['has another configuration', { build: { config: 'x' } }, `${OTHER} the Astro configuration.`],
		['has other options', { options: { display: 'hidden' } }, `${OTHER} the option "display".`],
		['has another output', { build: { outDir: '../x' } }, `${OTHER} the place of the output folder.`],
		['had a token', { build: { hasToken: true } }, `${ALIKE} whether there is a token.`],
		['has another number', { count: 3 }, 'DIFFER "2" is one of 3 shards, "1" one of 2.'],
		['is the same shard', { index: 1 }, 'DIFFER "2" and "1" are both shard 1 of 2.'],
		['has a longer file', { files: { 'index.html': 'Shops' } }, `DIFFER ${DIFFER}\nindex.html: "1", "2"\n`],
		['has another end', { files: { 'long.css': `${LONG}2` } }, `DIFFER ${DIFFER}\nlong.css: "1", "2"\n`],
		['has another feed', { files: { 'feed-0.xml': '<rss/>' } }, `DIFFER ${DIFFER}\nfeed-0.xml: "1", "2"\n`],
		['has a file in place of a folder', { files: { p: 'a file' } }, `DIFFER ${DIFFER}\np: "2", "1"\n`],
		['has no output', { files: {} }, 'UNUSABLE The output folder "dist" of "2" is gone.'],
	])('if one shard %s', async (_, second, expected) => {
		const { target, merge } = createShards({ files: FIRST }, second);
		const { status, output, errors } = await merge();
		const [, code = '', message = ''] = /^(\w+) (.*)/s.exec(expected) ?? [];
		expect([status, output]).toEqual([1, '']);
		expect(errors).toContain(message);
		expect(errors).not.toContain('other');
		expect(errors).toContain({ DIFFER: 'PR_SHARDS_DIFFER', UNUSABLE: 'PR_SHARD_UNUSABLE' }[code]);
		expect(existsSync(target)).toBe(false);
	});

	test.each<[Partial<ShardParts>, RegExp]>([
		[{ config: { outDir: '../dist' } }, /^The output folder of the project is not in .*PR_USAGE/s],
		[{ options: { cacheDir: '../store' } }, /^The cache of the project is not in .*PR_USAGE/s],
		[{ build: { folder: '../x' } }, /^The pages of "1" are not in its output folder\..*PR_SHARD_UNUSABLE/s],
	])('if something has its place elsewhere: %j', async (both, message) => {
		const { target, merge } = createShards(both, both);
		expect((await merge()).errors).toMatch(message);
		expect(existsSync(target)).toBe(false);
	});

	test('if many files differ, of which twenty are named', async () => {
		const names = Array.from({ length: 25 }, (_, at) => `${at}.html`);
		const files = (text: string) => ({ files: Object.fromEntries(names.map((name) => [name, text])) });
		const { errors } = await createShards(files('one'), files('two')).merge();
		expect(errors).toContain('25 files of several shards are not the same');
		expect(errors.match(/^\d+\.html: "1", "2"$/gm)).toHaveLength(20);
		expect(errors).toContain('\nand 5 more\n');
	});

	test('without a shard, a report, a store or a last build, or with a store that is damaged', async () => {
		const { cwd, target, merge } = createShards();
		const file = join(cwd, '2', CACHE_FILE);
		const said = async (...args: Parameters<typeof merge>) => (await merge(...args)).errors;
		expect(await said(['1'])).toMatch(/^Of 2 shards, these are missing: 2\.\n.*PR_SHARD_MISSING/s);
		const report = join(cwd, '2', REPORT_FILE);
		renameSync(report, `${report}.old`);
		expect(await said()).toContain('PR_NO_REPORT');
		renameSync(`${report}.old`, report);
		writeFileSync(file, readFileSync(file).fill(0x55, 8_192));
		expect(await said()).toMatch(/^The cache in "2" cannot be used: .*PR_CACHE_UNUSABLE/s);
		rmSync(file);
		expect(await said()).toMatch(/^There is no cache in "2"\.\n.*PR_CACHE_MISSING/s);
		rmSync(lastBuildFile(join(cwd, '1', CACHE_FILE)));
		expect(await said(['1'])).toMatch(/^The last build in "1" was not one of a shard\..*_UNUSABLE/s);
		expect(existsSync(join(target, 'dist'))).toBe(false);
	});

	test.each([
		['1', '1'],
		['1', '1/link'],
		['.', 'dist/1'],
	])('where a shard would be replaced: --out %s with %s', async (out, first) => {
		const { cwd, merge } = createShards();
		symlinkSync('.', join(cwd, '1/link'));
		cpSync(join(cwd, '1'), join(cwd, 'dist/1'), { recursive: true });
		const before = readdirSync(cwd, { recursive: true }).toSorted();
		const { errors } = await merge(['--out', out, first, '2']);
		expect(errors).toMatch(/^"(?:1|1\/link|dist\/1)" is where the whole site is written\.\n.*PR_USAGE/s);
		expect(readdirSync(cwd, { recursive: true }).toSorted()).toEqual(before);
	});

	test.each([
		['a link out of the folder', '../../secret'],
		['a link to a file of its own', 'index.html'],
	])('if an output has %s', async (_, to) => {
		const { cwd, target, merge } = createShards();
		writeFileSync(join(cwd, 'secret'), 's3cret');
		symlinkSync(to, join(cwd, '2/dist/other'));
		const { errors } = await merge();
		expect(errors).toContain('The output of "2" has what is not a file of its own: other.');
		expect(existsSync(target)).toBe(false);
	});
});
