import { expect, test } from 'vitest';
import { expectMarks, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(12);
const { project, service } = await startShop('store', PIDS, { options: { retries: 0 } });

/** The lines of the integration in a build's log, without the time and name in front, and without progress. */
const linesOf = (output: string) =>
	[...output.matchAll(/^\d\d:\d\d:\d\d \[astro-product-reviews\] (.*)$/gm)]
		.map(([, line]) => line ?? '')
		.filter((line) => !/^\d+\/\d+ products/.test(line));

// What the report says of each product is among the golden outputs.
test('the log of a build says what it came to, and what one that asked for nothing shows', async () => {
	const first = linesOf(await project.build());
	expect(first).toEqual([
		expect.stringMatching(/^12 products in \d+\.\d s: 12 fetched$/),
		expect.stringMatching(/^12 requests \(12 for reviews\), [\d.]+ KB$/),
		'13 pages with reviews',
		expect.stringMatching(/^Cache: [\d.]+ KB$/),
		'Report: .cache/product-reviews/product-reviews-report.json',
	]);
	for (const line of first)
		expect(`00:00:00 [astro-product-reviews] ${line}`.length).toBeLessThanOrEqual(100);
});

test('after the deadline a build goes on with what is stored, or ends and names what is not', async () => {
	service.faults.add({ operation: 'crawlerReviews', kind: 'hang' });
	// Without the deadline it would not end.
	const late = { maxAge: 0, buildTimeout: '1s', timeout: '10m' };
	const stale = await project.build({ options: late });
	expect(stale).toContain('The time limit of the option "buildTimeout" was reached after 0 of 12 products.');
	expect(stale).toContain('The service failed for 12 products; cached reviews are shown');
	expectMarks(project, PIDS);
	expect(project.report().totals).toMatchObject({ stale: 12 });

	const missing = await project.tryBuild({ options: { ...late, cacheDir: 'empty' } });
	expect(missing.status).toBe(1);
	expect(missing.output).toContain(
		'The service failed for 12 products, and the cache has no reviews to use instead: "p-1"',
	);
	expect(missing.output).toContain('the time limit of the option "buildTimeout" was reached');
});
