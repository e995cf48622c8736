import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CACHE_FILE } from '../../src/constants.js';
import { type Manifest, readManifest, writeManifest } from '../../src/project/manifest.js';
import { expectSame, type Files } from '../support/build/project.js';
import { IN_TEST, productIds, publish, removeReviews, startShop, TOKEN } from '../support/build/service.js';
import { runBuilt } from '../support/cli/command.js';

// One site for all tests but the last, as builds take long: each goes on where the one before it ended.
const PIDS = productIds(4);
const { project: site, service } = await startShop('incremental-store', PIDS, { environment: TOKEN });
const { root } = site;
const cache = join(root, '.cache/product-reviews');

const news = (pid: string) => publish(service, pid, `News of ${pid}`);
const without = (files: Files, names: readonly string[]) =>
	new Map([...files].filter(([name]) => !names.includes(name)));

const CHANGED = 'the html of its components was changed after they wrote it';
const UNCOMMENTED =
	'a comment of a component without reviews was removed: have what minifies pages keep comments with "data-pr"';

/** Updates nothing. @returns the reason, which is the same for every page */
async function reasonFor(pid: string): Promise<string> {
	const before = site.contents();
	const { status, rebuild, files, errors } = await site.updateHere([pid]);
	expect({ status, files }, errors).toEqual({ status: 3, files: [] });
	expect(rebuild).toEqual([{ page: null, reason: expect.any(String) }]);
	expectSame(site.contents(), before);
	return rebuild[0]?.reason ?? '';
}

/** Makes the last build one of another version, for a while. */
function changeVersion(version: string): () => void {
	const file = join(cache, CACHE_FILE);
	const build = readManifest(file) as Manifest;
	writeManifest(file, { ...build, version });
	return () => writeManifest(file, build);
}

test('what the service fails for is left as it is, and updated by the next run without ids', async () => {
	await site.build();
	for (const pid of ['p-3', 'p-4']) news(pid);
	service.faults.add({ kind: 'status', status: 500, pid: 'p-4' });
	const before = site.contents();
	const first = await site.updateHere(['--all']);
	expect(first).toMatchObject({
		status: 1,
		files: ['products/p-3/index.html', 'stars/index.html'],
		rebuild: [],
		failed: [{ pid: 'p-4', reason: expect.stringContaining('500') }],
	});
	expectSame(without(site.contents(), first.files), without(before, first.files));
	service.faults.clear();
	expect(await site.updateHere([])).toMatchObject({ status: 0, files: ['products/p-4/index.html'] });
});

test('--then gets the files, those of a failed one again, and --dry-run does nothing', async () => {
	news('p-4');
	const before = site.contents();
	const then = (command: string, ...args: string[]) =>
		runBuilt(['update', 'p-4', ...args, '--then', command], { cwd: root, environment: TOKEN });
	const failing = 'cd dist; cat > ../then.txt; echo "$REVIEWS_OUT_DIR" >> ../then.txt; exit 3';
	const dry = await then(failing, '--dry-run');
	expect([dry.status, dry.output]).toEqual([0, expect.stringContaining('1 file would change')]);
	expectSame(site.contents(), before);
	expect(readdirSync(root)).not.toContain('then.txt');
	const { status, errors } = await then(failing);
	expect([status, errors]).toEqual([1, expect.stringContaining('The command of --then ended with code 3.')]);
	const given = () => readFileSync(join(root, 'then.txt'), 'utf8');
	// Also what changed since the build, and nobody was told of.
	const undelivered = ['products/p-3/index.html', 'products/p-4/index.html', 'stars/index.html'];
	expect(given()).toBe([...undelivered, join(root, 'dist'), ''].join('\n'));
	// A run that tells nobody has not told anybody of the other's files.
	news('p-3');
	expect((await site.updateHere(['p-3'])).status).toBe(0);
	// Nobody has them yet, so the next run brings them again, and the one after it does not.
	for (const files of [[...undelivered, ''].join('\n'), '']) {
		writeFileSync(join(root, 'then.txt'), '');
		expect((await then('cat > then.txt')).status).toBe(0);
		expect(given()).toBe(files);
	}
});

test('another configuration, another version, no output: everything needs a build', async () => {
	news('p-4');
	const back = changeVersion('0.0.1');
	expect(await reasonFor('p-4')).toMatch(/^the last build was made with version 0\.0\.1 /);
	back();
	site.change('astro.config.mjs', (text) => `${text}\n// Changed.`);
	expect(await reasonFor('p-4')).toBe('the Astro configuration has changed since the last build');
	site.change('astro.config.mjs', (text) => text.replace('\n// Changed.', ''));
	renameSync(join(root, 'dist'), join(root, 'elsewhere'));
	expect(await site.updateHere(['p-4'])).toMatchObject({ status: 3, rebuild: [{ page: null }] });
	renameSync(join(root, 'elsewhere'), join(root, 'dist'));
	expect((await site.updateHere(['p-4'])).files).toEqual(['products/p-4/index.html']);
});

test('files that are gone or altered, and own markup, are said page by page; the others are updated', async () => {
	const gone = join(root, 'dist/products/p-1/index.html');
	rmSync(gone);
	site.change('dist/stars/index.html', (html) => html.replaceAll('role="img"', ''));
	const before = site.contents();
	for (const pid of ['p-1', 'p-2', 'p-3']) news(pid);
	const { status, files, rebuild, unchanged, failed } = await site.updateHere(PIDS);
	expect({ status, files, unchanged, failed }).toEqual({
		status: 3,
		files: ['products/p-2/index.html', 'products/p-3/index.html'],
		unchanged: ['p-4'],
		failed: [],
	});
	expect(rebuild.toSorted((one, other) => (one.page ?? '').localeCompare(other.page ?? ''))).toEqual([
		{ page: '/own-markup/', reason: 'its own markup uses reviews that changed: getProductReviews()' },
		{ page: '/products/p-1/', reason: 'its file is gone' },
		{ page: '/stars/', reason: CHANGED },
	]);
	expectSame(without(site.contents(), files), without(before, files));
	expect(existsSync(gone)).toBe(false);
	// It stays so, and is said again.
	expect(await site.updateHere(PIDS)).toMatchObject({ status: 3, files: [], rebuild });
	const { printed } = await site.update(PIDS);
	expect(printed).toContain('3 pages need a rebuild:');
	expect(printed).toContain('/products/p-1/: its file is gone');
});

test('pages that another integration minifies after the build are left to builds, which --else runs', async () => {
	const environment = { FIXTURE_MINIFY: '1' };
	await site.build({ environment });
	const before = site.contents();
	news('p-4');
	const { status, files, rebuild } = await site.updateHere(['p-4']);
	const rebuilt = { page: '/products/p-4/', reason: CHANGED };
	expect({ status, files, rebuild }).toEqual({ status: 3, files: [], rebuild: [rebuilt] });
	expectSame(site.contents(), before);

	const build = site.buildCommand({ environment });
	const completed = await site.update(['p-4', '--else', build.line], build.environment);
	expect(completed.status, completed.errors).toBe(0);
	const page = site.read('products/p-4/index.html');
	expect(page).toContain('News of p-4');
	expect(page).toMatch(/^<!doctype html><html lang=en>/);
});

test('pages that other integrations change elsewhere and compress are updated, and their hooks are their own', async () => {
	const output = await site.build({ environment: { FIXTURE_OTHERS: '1' } });
	// As they were before the build, and after it: one of them rendered every page.
	const pages = [...site.contents().keys()].filter((name) => name.endsWith('.html')).length;
	const [before, after] = [...output.matchAll(/The hooks are as they were given \((\d+) pages\)/g)];
	expect([Number(before?.[1]), Number(after?.[1])]).toEqual([0, pages]);
	news('p-4');
	const { status, files, errors } = await site.updateHere(['p-4']);
	expect({ status, files }, errors).toEqual({
		status: 0,
		files: ['products/p-4/index.html', 'products/p-4/index.html.gz'],
	});
	expect(site.read('products/p-4/index.html')).toMatch(/News of p-4[\s\S]*<!-- banner -->$/);
});

test('after a build that was killed, everything needs a build', async () => {
	service.faults.add({ kind: 'latency', ms: 60_000 });
	service.requests.reset();
	const { end } = site.start(['build'], { options: { revalidate: 'always' } });
	await expect.poll(() => service.requests.count()).toBeGreaterThan(0);
	await end('SIGKILL');
	service.faults.clear();
	expect(await reasonFor('p-4')).toBe('the last build did not finish');
});

/** Pages that make something else of a component's html than it wrote. What an update writes has nothing of that. */
const DERIVES = /^(?:without-comments|lowercase|ascii|other-links|lazy-images|other-scheme|counted|hashed)\//;

test('a page is as if built anew, or it is left as it was and said, whatever the site does around its components', async () => {
	const [keeps = '', gains = '', loses = ''] = PIDS;
	const { project: reshaped, service: shop } = await startShop('reshaped-pages', PIDS, IN_TEST);
	removeReviews(shop, gains);
	await reshaped.build();
	const before = reshaped.contents();

	const text = {
		title: 'A "new" one',
		body: "Größe & more: http://shop.example <b>\n\n it's  so",
		author: 'Zoë',
	};
	shop.store.createReview(keeps, { rating: 1, ...text, images: ['/a.jpg'] });
	shop.store.createReview(gains, { rating: 2, ...text });
	removeReviews(shop, loses);
	const { status, rebuild } = await reshaped.updateHere(PIDS);
	const after = reshaped.contents();
	const anew = await reshaped.buildAnew();
	const fileOf = (page: string | null) =>
		String(page)
			.slice(1)
			.replace(/(?:^|\/)$/, '$&index.html');
	const left = rebuild.map(({ page }) => fileOf(page));
	expect(status).toBe(3);
	for (const name of left.filter((one) => after.has(one)))
		expect(after.get(name), name).toEqual(before.get(name));
	const feeds = PIDS.map((pid) => `${pid}.json`);
	const derived = [...anew.keys()].filter((name) => DERIVES.test(name));
	const others = [...left, ...feeds, ...derived];
	expectSame(without(after, others), without(anew, others));
	// Html within JSON is rendered without a page, so it is said that some page needs a rebuild.
	expect(rebuild.map(({ page }) => page)).toContain('/');

	const whyNot = (shape: string) =>
		[keeps, gains, loses].map((pid) => rebuild.find(({ page }) => page === `/${shape}/${pid}/`)?.reason);
	const all = (reason: string | undefined) => [reason, reason, reason];
	const section = 'a <ReviewSection> with slots appears or disappears';
	for (const shape of ['unaltered', 'counted', 'hashed', 'collapsed', 'if-any', 'doubled', 'twice'])
		expect(whyNot(shape), shape).toEqual(all(undefined));
	const uses = {
		reviews: 'getProductReviews()',
		list: 'the reviews inside <ReviewList>',
		rating: 'getStarRating()',
		key: 'reviewsCacheKey()',
	};
	for (const [shape, use] of Object.entries(uses))
		expect(whyNot(shape), shape).toEqual(all(`its own markup uses reviews that changed: ${use}`));
	expect(whyNot('section')).toEqual([undefined, section, section]);
	for (const shape of ['as-json', 'in-attribute', 'single-quoted', 'upper-case'])
		expect(whyNot(shape), shape).toEqual(all(CHANGED));
	// A comment stands where a product may get its first review.
	expect(whyNot('dropped')).toEqual([CHANGED, UNCOMMENTED, CHANGED]);
	expect(whyNot('without-comments')).toEqual([undefined, UNCOMMENTED, undefined]);
});
