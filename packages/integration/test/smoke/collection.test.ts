import { expect, test } from 'vitest';
import { markOf, productIds, startShop, TOKEN } from '../support/build/service.js';

// One store for both tests, as builds take long: the first test fills it.
const PIDS = productIds(8);
const { project, service } = await startShop('reviews-collection', PIDS, { environment: TOKEN });

/** Builds, and counts the requests for review data. */
async function build(options: Record<string, unknown> = {}) {
	service.requests.reset();
	const { status, output } = await project.tryBuild({ options });
	const requests = service.requests.count({ operation: 'productReviewData' });
	return { status, output, requests, page: project.read('index.html') };
}

test('a collection of the products: fetched once, then only what changed', async () => {
	const cold = await build();
	expect(cold).toMatchObject({ status: 0, requests: 8 });
	for (const index of PIDS.keys()) expect(cold.page).toContain(markOf(index));
	expect(cold.page).toContain('4.5 of 2');
	expect(await build()).toMatchObject({ status: 0, requests: 0, page: cold.page });

	const [review] = service.store.listReviews({ pid: 'p-3' });
	service.store.editReview(review?.id ?? '', { rating: 1, body: 'Another text' });
	const changed = await build({ products: PIDS.slice(1), authorNames: 'initials' });
	expect(changed).toMatchObject({ status: 0, requests: 1 });
	expect(changed.page).toContain('Another text');
	expect(changed.page).not.toContain('id="p-1"');
	expect(changed.page).toContain('A. 0.');
	expect(changed.page).not.toContain('Author 0');
});

test('where the service fails, what is stored is shown, and a product that never was ends the build', async () => {
	service.faults.add({ operation: 'productReviewData', kind: 'status', status: 403 });
	const stale = await build({ maxAge: 0 });
	expect(stale).toMatchObject({ status: 0 });
	expect(stale.output).toContain('The service failed for 8 products; stored reviews are shown');
	const missing = await build({ products: ['p-1', 'p-unknown'] });
	expect(missing.status).toBe(1);
	expect(missing.output).toContain('the cache has no reviews to use instead: "p-unknown"');
});
