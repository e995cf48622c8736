import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds, type Shop, startShop } from '../support/build/service.js';

const PIDS = productIds(12);
let { project, service } = {} as Shop;

beforeEach(async () => {
	({ project, service } = await startShop('store', PIDS, { options: { retries: 0 }, atEnd: onTestFinished }));
});

/** The lines of the integration in a build's log, without the time and name in front, and without progress. */
const linesOf = (output: string) =>
	[...output.matchAll(/^\d\d:\d\d:\d\d \[astro-product-reviews\] (.*)$/gm)]
		.map(([, line]) => line ?? '')
		.filter((line) => !/^\d+\/\d+ products/.test(line));

test('the report says of every product what it came to, and which pages show it', async () => {
	const first = linesOf(await project.build());
	expect(first).toEqual([
		expect.stringMatching(/^12 products in \d+\.\d s: 12 fetched$/),
		expect.stringMatching(/^12 requests \(12 for reviews\), [\d.]+ KB$/),
		'13 pages with reviews',
		expect.stringMatching(/^Store: [\d.]+ KB$/),
		'Report: .cache/product-reviews/product-reviews-report.json',
	]);
	for (const line of first)
		expect(`00:00:00 [astro-product-reviews] ${line}`.length).toBeLessThanOrEqual(100);

	const productOf = (pid: string) =>
		project.report().products.find((product: { pid: string }) => product.pid === pid);
	const pages = expect.arrayContaining(['/', '/products/n1/']);
	expect(productOf('p-1')).toMatchObject({ status: 'fetched', pages });
	expect(productOf('p-1').bytes).toBeGreaterThan(500);

	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 500, pid: 'p-3' });
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 404, pid: 'p-4' });
	await project.build({ options: { maxAge: 0 } });
	const report = project.report();
	// The service says that what is stored of the others is current.
	expect(report.totals).toEqual({ products: 12, fetched: 0, unchanged: 10, missing: 1, stale: 1, failed: 0 });
	expect(report.requests).toMatchObject({ total: 12, operations: { crawlerReviews: 12, starRating: 0 } });
	// A page whose product has none shows none.
	expect(report.pages.withReviews).toBe(12);
	expect(productOf('p-3')).toMatchObject({ status: 'stale', reason: expect.stringContaining('500') });

	service.faults.clear();
	const third = linesOf(await project.build({ options: { maxAge: '1d' } }));
	expect(project.report().totals).toMatchObject({ fetched: 0, unchanged: 12 });
	// Nothing was asked: how long the build took says nothing of the reviews.
	expect(third.slice(0, 2)).toEqual([
		'12 products from the store: 12 unchanged',
		'No request to the service',
	]);
});

test('a build whose pages are all rendered on demand says nothing of reviews that it did not need', async () => {
	const site = createProject('on-demand-store', { service: service.url });
	onTestFinished(site.remove);
	expect(linesOf(await site.build())).toEqual([]);
});

test('after the deadline a build goes on with what is stored, or ends and names what is not', async () => {
	await project.build();
	service.faults.add({ operation: 'crawlerReviews', kind: 'hang' });
	// Without the deadline it would not end.
	const late = { maxAge: 0, buildTimeout: '1s', timeout: '10m' };
	const stale = await project.build({ options: late });
	expect(stale).toContain('The time limit of the option "buildTimeout" was reached after 0 of 12 products.');
	expect(stale).toContain('The service failed for 12 products; stored reviews are shown');
	for (const index of PIDS.keys())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	expect(project.report().totals).toMatchObject({ stale: 12 });

	const missing = await project.tryBuild({ options: { ...late, cacheDir: 'empty' } });
	expect(missing.status).toBe(1);
	expect(missing.output).toContain(
		'The service failed for 12 products, and the store has no reviews to use instead: "p-1"',
	);
	expect(missing.output).toContain('the time limit of the option "buildTimeout" was reached');
});
