import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { needs } from 'product-reviews-test-support/programs';
import { expect, test } from 'vitest';
import { lint } from '../support/build/lint.js';
import { expectSame, readFiles } from '../support/build/project.js';
import { productIds, publish, removeReviews, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(4);
const [, NONE] = PIDS as [string, string];
const productRatings = { publisher: 'Fjell & Form' };
const { project, service } = await startShop('feeds-store', PIDS, {
	environment: TOKEN,
	options: { feeds: { markdown: true, ratings: true, productRatings } },
});
const RATINGS = 'product-ratings.json';
const XML = 'product-ratings.xml';
const TWIN = `products/${NONE}/reviews.md`;
const fileOf = (name: string) => join(project.root, 'dist', name);
const bodies = () =>
	[new XMLParser().parse(project.read(XML)).feed.reviews.review]
		.flat()
		.map(({ content }: { content: string }) => content);

/** An update that reads the configuration. */
async function updateFeeds(pids: readonly string[], run: Parameters<typeof project.build>[0] = {}) {
	const args = ['update', '--feeds', '--json', ...pids];
	const { printed, ...ended } = await project.command(args, run);
	return { ...ended, ...(JSON.parse(printed || '{}') as { readonly files?: readonly string[] }) };
}

test('a build writes files for programs, and an update writes what changed in them and in their copies, as a build would', async () => {
	removeReviews(service, NONE);
	const output = await project.build();
	expect(output).toContain(`Product ratings of 3 products: ${XML} (6 reviews, `);
	expect(JSON.parse(project.read(RATINGS))).toEqual({
		...Object.fromEntries(PIDS.map((pid) => [pid, { average: 4.5, count: 2 }])),
		[NONE]: { count: 0 },
	});
	expect(project.read(TWIN)).toContain(`# Customer reviews of Product \\<${NONE}\\>\n`);
	expect(project.read(TWIN)).toContain('\nNo reviews yet.\n');
	expect(project.read(`products/${NONE}/index.html`)).toContain(
		`<title>${NONE}</title><link rel="alternate" type="text/markdown" href="/${TWIN}">`,
	);
	const copied = [RATINGS, TWIN, XML];
	for (const name of copied) writeFileSync(fileOf(`${name}.gz`), gzipSync(project.read(name)));

	publish(service, NONE, 'The first one.', { rating: 3 });
	const forms = [RATINGS, `${RATINGS}.gz`, `products/${NONE}/index.html`, TWIN, `${TWIN}.gz`];
	const before = project.contents();
	expect((await project.updateJson([NONE, 'typo', '--dry-run'])).files).toEqual(forms);
	expectSame(project.contents(), before);
	expect((await project.updateJson([NONE, 'typo'])).files).toEqual(forms);
	expect(JSON.parse(project.read(RATINGS))[NONE]).toEqual({ average: 3, count: 1 });
	expect(project.read(TWIN)).toContain('> ★★★☆☆ 3 of 5 **New**\n> New, ');
	// The feed is fetched once a day at most.
	expect(bodies()).not.toContain('The first one.');

	const { status, files, errors } = await updateFeeds([]);
	expect([status, files], errors).toEqual([0, [RATINGS, `${RATINGS}.gz`, XML, `${XML}.gz`]]);
	expect(bodies()).toContain('The first one.');
	const contents = new Map(readFiles(join(project.root, 'dist')));
	for (const name of copied) {
		const copy = contents.get(`${name}.gz`);
		expect(copy && gunzipSync(copy).toString()).toBe(project.read(name));
		contents.delete(`${name}.gz`);
		rmSync(fileOf(`${name}.gz`));
	}
	expectSame(contents, await project.buildAnew());
});

test('Markdown that somebody changed or removed is left and named, as a page is, and the page is updated', async () => {
	const [, , CHANGED, GONE] = PIDS as [string, string, string, string];
	const file = (pid: string) => `products/${pid}/reviews.md`;
	project.change(`dist/${file(CHANGED)}`, (text) => text.replaceAll('★', '*'));
	rmSync(fileOf(file(GONE)));
	for (const pid of [CHANGED, GONE]) publish(service, pid, 'Only on the page.');
	const { status, files, rebuild } = await project.updateJson([CHANGED, GONE]);
	expect(status).toBe(3);
	expect(files).toEqual([RATINGS, ...[CHANGED, GONE].map((pid) => `products/${pid}/index.html`)]);
	expect(rebuild).toEqual([
		{ page: `/${file(CHANGED)}`, reason: 'the html of its components was changed after they wrote it' },
		{ page: `/${file(GONE)}`, reason: 'its file is gone' },
	]);
	expect(project.read(file(CHANGED))).not.toContain('Only on the page.');
});

test('the feed is as its schema says', needs('xmllint'), () => {
	expect(lint(fileOf(XML))).toEqual({ status: 0, problems: '' });
	writeFileSync(fileOf('wrong.xml'), project.read(XML).replace(/<review_id>.*?<\/review_id>/, ''));
	expect(lint(fileOf('wrong.xml')).problems).toContain('review_id');
	rmSync(fileOf('wrong.xml'));
});

const ELSEWHERE = { outDir: 'other', cacheDir: '.other' };

test('without an access token, a build says in a sentence that there is no feed', async () => {
	const run = { environment: { REVIEWS_TOKEN: '' }, options: { onError: 'omit' }, config: ELSEWHERE };
	expect(await project.build(run)).toContain(
		'The product ratings feed is not written: it needs an access token',
	);
	expect(existsSync(join(project.root, 'other', XML))).toBe(false);
});

test('the audit compares all forms, and finds reviews that only the feed has', async () => {
	const page = 'src/pages/products/[slug].astro';
	project.change(page, (text) => text.replace('limit={1000}', 'limit={1}'));
	const output = await project.build({ options: { audit: 'warn' }, config: ELSEWHERE });
	project.change(page, (text) => text.replace('limit={1}', 'limit={1000}'));
	expect(output).toContain(
		'3 pages: the product ratings feed has reviews that no page shows: "/products/p-1/", "/products/p-3/", "/products/p-4/". Raise the `limit`',
	);
	expect(output).not.toContain('different numbers');
	// The new answer of one operation and the old one of another.
	publish(service, 'p-3', 'Seen by one of them.');
	service.faults.add({ operation: 'productReviewData', pid: 'p-3', kind: 'status', status: 503 });
	const changed = { environment: { REVIEWS_CHANGED: 'p-3' }, options: { retries: 0 } };
	expect(await project.build({ ...changed, config: ELSEWHERE })).toContain(
		'1 page: a page and a feed have different numbers for the same product: "/products/p-3/". They were fetched at different times',
	);
	service.faults.clear();
});

test('a function of the site names products and a pattern files, also in an update', async () => {
	const run = { environment: { FIXTURE_FUNCTIONS: '1' } };
	await project.build(run);
	const named =
		'<product_ids><gtins><gtin>4006381333931</gtin></gtins><skus><sku>p-1</sku></skus><brands><brand>Fjell &amp; Form</brand></brands></product_ids><product_name>Own p-1</product_name><product_url>https://shop.example/own/p-1</product_url>';
	expect(project.read(XML)).toContain(named);
	expect(project.read('products/p-1/index.html')).toContain('type="text/markdown" href="/products/p-1.md"');
	publish(service, 'p-1', 'Another one.');
	const { files, errors } = await updateFeeds(['p-1'], run);
	expect(files, errors).toEqual([RATINGS, XML, 'products/p-1.md', 'products/p-1/index.html']);
	expect(project.read('products/p-1.md')).toContain('Another one.');
	expect(project.read(XML)).toContain(named);
	expect(bodies()).toContain('Another one.');
});

test('--feeds needs an option with files of all products', async () => {
	const feeds = { ratings: false, productRatings: undefined };
	const { status, errors } = await updateFeeds([], { options: { feeds } });
	expect(status).toBe(1);
	expect(errors).toContain(
		'--feeds needs the option "feeds.productRatings" or "feeds.ratings" of productReviews().',
	);
});
