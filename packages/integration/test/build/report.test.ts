import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds } from '../support/build/service.js';
import { type Shop, startShop } from '../support/build/shop.js';

const PIDS = productIds(12);
let { project, service } = {} as Shop;

beforeEach(async () => {
	({ project, service } = await startShop('store', PIDS, onTestFinished));
});

const build = (options: Record<string, unknown> = {}) =>
	project.build({
		service: service.url,
		options: { products: PIDS, retries: 0, ...options },
		pages: PIDS,
	});

interface Report {
	readonly totals: Record<string, number>;
	readonly requests: { readonly total: number; readonly operations: Record<string, number> };
	readonly pages: { readonly withReviews: number };
	readonly products: readonly {
		readonly pid: string;
		readonly status: string;
		readonly reason?: string;
		readonly ms: number;
		readonly bytes: number;
		readonly pages: readonly string[];
	}[];
}

const readReport = (): Report =>
	JSON.parse(readFileSync(join(project.root, '.cache/product-reviews/product-reviews-report.json'), 'utf8'));

/** The lines of the integration in a build's log, without the time and name in front, and without progress. */
const linesOf = (output: string) =>
	[...output.matchAll(/^\d\d:\d\d:\d\d \[astro-product-reviews\] (.*)$/gm)]
		.map(([, line]) => line ?? '')
		.filter((line) => !/^\d+\/\d+ products/.test(line));

test('the report says of every product what it came to, and which pages show it', async () => {
	const first = await build();
	expect(linesOf(first.output)).toEqual([
		expect.stringMatching(/^12 products in \d+\.\d s: 12 fetched$/),
		expect.stringMatching(/^12 requests \(12 for reviews\), [\d.]+ KB$/),
		'13 pages with reviews',
		expect.stringMatching(/^Store: [\d.]+ KB$/),
		'Report: .cache/product-reviews/product-reviews-report.json',
	]);
	for (const line of linesOf(first.output)) {
		expect(`00:00:00 [astro-product-reviews] ${line}`.length).toBeLessThanOrEqual(100);
	}

	const [one] = readReport().products.filter(({ pid }) => pid === 'p-1');
	expect(one).toMatchObject({
		status: 'fetched',
		pages: expect.arrayContaining(['/', '/products/n1/']),
	});
	expect(one?.bytes).toBeGreaterThan(500);

	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 500, pid: 'p-3' });
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 404, pid: 'p-4' });
	expect((await build({ maxAge: 0 })).status).toBe(0);
	const report = readReport();
	// The service says that what is stored of the others is current.
	expect(report.totals).toEqual({ products: 12, fetched: 0, unchanged: 10, missing: 1, stale: 1, failed: 0 });
	expect(report.requests).toMatchObject({ total: 12, operations: { crawlerReviews: 12, starRating: 0 } });
	// A page whose product has none shows none.
	expect(report.pages.withReviews).toBe(12);
	const failed = report.products.find(({ pid }) => pid === 'p-3');
	expect(failed).toMatchObject({ status: 'stale', reason: expect.stringContaining('500') });

	service.faults.clear();
	const third = await build({ maxAge: '1d' });
	expect(readReport().totals).toMatchObject({ fetched: 0, unchanged: 12 });
	// Nothing was asked: how long the build took says nothing of the reviews.
	expect(linesOf(third.output).slice(0, 2)).toEqual([
		'12 products from the store: 12 unchanged',
		'No request to the service',
	]);
});

test('a build whose pages are all rendered on demand says nothing of reviews that it did not need', async () => {
	const site = createProject('on-demand-store');
	const { status, output } = await site.build({ service: service.url });
	site.remove();
	expect(status, output).toBe(0);
	expect(linesOf(output)).toEqual([]);
});

test('a build that fails says so in its report, product by product', async () => {
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 500, pid: 'p-3' });
	expect((await build()).status).toBe(1);
	expect(readReport().totals).toMatchObject({ fetched: 11, failed: 1 });
});

test('after the deadline a build goes on with what is stored, or ends and names what is not', async () => {
	expect((await build()).status).toBe(0);
	service.faults.add({ operation: 'crawlerReviews', kind: 'hang' });
	// Without the deadline it would not end.
	const late = { maxAge: 0, buildTimeout: '1s', timeout: '10m' };
	const stale = await build(late);
	expect(stale.status, stale.output).toBe(0);
	expect(stale.output).toContain(
		'The time limit of the option "buildTimeout" was reached after 0 of 12 products.',
	);
	expect(stale.output).toContain('The service failed for 12 products; stored reviews are shown');
	for (const index of PIDS.keys())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	expect(readReport().totals).toMatchObject({ stale: 12 });

	const missing = await build({ ...late, cacheDir: 'empty' });
	expect(missing.status).toBe(1);
	expect(missing.output).toContain(
		'The service failed for 12 products, and the store has no reviews to use instead: "p-1"',
	);
	expect(missing.output).toContain('the time limit of the option "buildTimeout" was reached');
});
