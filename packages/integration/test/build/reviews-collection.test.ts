import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';

const PIDS = productIds(30);
let service: Sandbox;
let project: BuildProject;

beforeAll(async () => {
	service = await startService(PIDS);
	project = createProject('reviews-collection');
});

afterAll(async () => {
	project.remove();
	await service.close();
});

/** Builds, and counts the requests for review data. */
async function build({ options, ...run }: AstroRun = {}) {
	service.requests.reset();
	const { status, output } = await project.build({
		service: service.url,
		options: { products: PIDS, ...options },
		environment: { REVIEWS_TOKEN: service.token },
		...run,
	});
	return {
		status,
		output,
		requests: service.requests.count({ operation: 'productReviewData' }),
		page: project.read('index.html'),
	};
}

test('a collection of the products: fetched once, then only what changed', async () => {
	const cold = await build();
	expect(cold).toMatchObject({ status: 0, requests: 30 });
	for (const [index] of PIDS.entries()) expect(cold.page).toContain(markOf(index));
	expect(cold.page).toContain('4.5 of 2');

	expect(await build()).toMatchObject({ status: 0, requests: 0, page: cold.page });

	const [review] = service.store.listReviews({ pid: 'p-3' });
	service.store.editReview(review?.id ?? '', { rating: 1, body: 'Another text' });
	const changed = await build();
	expect(changed).toMatchObject({ status: 0, requests: 1 });
	expect(changed.page).toContain('Another text');

	const fewer = await build({ options: { products: PIDS.slice(1), author: 'initials' } });
	expect(fewer).toMatchObject({ status: 0, requests: 0 });
	expect(fewer.page).not.toContain('id="p-1"');
	expect(fewer.page).toContain('A. 0.');
	expect(fewer.page).not.toContain('Author 0');
});

test('where the service fails, what is stored is shown, and a product that never was ends the build', async () => {
	service.faults.add({ operation: 'productReviewData', kind: 'status', status: 403 });
	const stale = await build({ options: { maxAge: 0 } });
	expect(stale).toMatchObject({ status: 0 });
	expect(stale.output).toContain('The service failed for 30 products; stored reviews are shown');
	const missing = await build({ options: { products: ['p-1', 'p-unknown'] } });
	expect(missing.status).not.toBe(0);
	expect(missing.output).toContain('the store has no reviews to use instead: "p-unknown"');
});

test('entries are typed: astro check finds nothing', async () => {
	const { status, output } = await project.check('--noSync');
	expect(output).toContain('0 errors');
	expect(status).toBe(0);
});
