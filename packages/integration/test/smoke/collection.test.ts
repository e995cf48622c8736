import { expect, test } from 'vitest';
import { markOf, productIds, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(8);
const { project, service } = await startShop('reviews-collection', PIDS, { environment: TOKEN });

/** Builds, and counts the requests for review data. */
async function build(options: Record<string, unknown> = {}) {
	service.requests.reset();
	const { status, output } = await project.tryBuild({ options });
	const requests = service.requests.count({ operation: 'productReviewData' });
	return { status, output, requests, page: project.read('index.html') };
}

test('a collection of the products: fetched once, then only what changed; what fails is shown as it is stored', async () => {
	const cold = await build();
	expect(cold).toMatchObject({ status: 0, requests: 8 });
	for (const index of PIDS.keys()) expect(cold.page).toContain(markOf(index));
	expect(cold.page).toContain('4.5 of 2');

	for (const [pid, body] of [
		['p-3', 'Another text'],
		['p-5', 'Never answered'],
	] as const) {
		const [review] = service.store.listReviews({ pid });
		service.store.editReview(review?.id ?? '', { rating: 1, body });
	}
	service.faults.add({ operation: 'productReviewData', kind: 'status', status: 403, pid: 'p-5' });
	const changed = await build({ products: PIDS.slice(1), authorNames: 'initials' });
	expect(changed).toMatchObject({ status: 0, requests: 2 });
	expect(changed.output).toContain('The service failed for 1 product; cached reviews are shown');
	for (const text of ['Another text', markOf(4), 'A. 0.']) expect(changed.page).toContain(text);
	for (const text of ['id="p-1"', 'Author 0', 'Never answered']) expect(changed.page).not.toContain(text);
});

test('a product that fails and never was stored ends the build', async () => {
	service.faults.add({ operation: 'productReviewData', kind: 'status', status: 403 });
	const { status, output } = await build({ products: ['p-1', 'p-unknown'] });
	expect(status).toBe(1);
	expect(output).toContain('the cache has no reviews to use instead: "p-unknown"');
});
