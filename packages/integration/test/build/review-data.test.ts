import { expect, onTestFinished, test } from 'vitest';
import type { AstroRun } from '../support/build/project.js';
import { productIds } from '../support/build/service.js';
import { type Shop, startShop } from '../support/build/shop.js';

const PIDS = productIds(60);

async function createSetup(pids: readonly string[] = PIDS) {
	const shop = await startShop('review-data-store', pids, onTestFinished);
	return { ...shop, build: createBuild(shop) };
}

/** Builds, and counts what the service was asked for. */
function createBuild({ service, project }: Shop) {
	return async ({ environment, ...run }: AstroRun = {}) => {
		service.requests.reset();
		const { status, output } = await project.build({
			service: service.url,
			environment: { REVIEWS_TOKEN: service.token, ...environment },
			...run,
		});
		const counts = { starRating: 0, crawlerReviews: 0, productReviewData: 0 };
		for (const { operation } of service.requests.all) counts[operation] += 1;
		return { status, output, ...counts };
	};
}

test('a listing of 100 products asks for their stars once, and for none when they are stored', async () => {
	const pids = productIds(100);
	const { service, project, build } = await createSetup(pids);
	const run = { environment: { FIXTURE_STARS: JSON.stringify(pids) } };
	expect(await build(run)).toMatchObject({ status: 0, starRating: 1, crawlerReviews: 0 });
	expect(project.read('stars/index.html').match(/class="pr-star-rating"/g)).toHaveLength(100);
	expect(await build(run)).toMatchObject({ status: 0, starRating: 0, crawlerReviews: 0 });
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	const failed = await build({ ...run, options: { maxAge: 0 } });
	expect(failed).toMatchObject({ status: 0 });
	expect(failed.output).toContain('Ratings of 100 products could not be fetched; stored stars are shown');
	expect(project.read('stars/index.html').match(/class="pr-star-rating"/g)).toHaveLength(100);
});

test('stars that are not stored are left out where the service fails, with a warning', async () => {
	const { service, project, build } = await createSetup();
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	const { status, output } = await build({ environment: { FIXTURE_STARS: '["p-1","p-2"]' } });
	expect(status).toBe(0);
	expect(output).toContain(
		'Ratings of 2 products could not be fetched; stars that are not stored are left out: "p-1", "p-2"',
	);
	expect(project.read('stars/index.html')).not.toContain('class="pr-star-rating"');
});

test('stars of listed products come with their reviews, and review data only where a page asks for it', async () => {
	const { build } = await createSetup(['p-1', 'p-2']);
	const run = {
		options: { products: ['p-1'] },
		pages: ['p-1'],
		environment: { FIXTURE_STARS: '["p-1","p-2"]' },
	};
	expect(await build(run)).toMatchObject({
		status: 0,
		starRating: 1,
		crawlerReviews: 1,
		productReviewData: 1,
	});
});

test('pages that ask for review data do not wait for a request each', async () => {
	const { service, build } = await createSetup();
	service.faults.add({ operation: 'productReviewData', kind: 'latency', ms: 100 });
	expect(await build({ options: { products: PIDS }, pages: PIDS })).toMatchObject({ status: 0 });
	const asked = service.requests.all.filter(({ operation }) => operation === 'productReviewData');
	const areUnderWay = (time: number) =>
		asked.filter(({ startedAt, duration = 0 }) => startedAt <= time && time < startedAt + duration).length;
	const most = Math.max(...asked.map(({ startedAt }) => areUnderWay(startedAt)));
	expect(most).toBeGreaterThan(3);
});

test('incremental: a request a product when cold, then for what changed, and exactly its pages are rendered', async () => {
	const { service, project, build } = await createSetup();
	const run = {
		options: { products: PIDS },
		pages: PIDS,
		config: { experimental: { incrementalBuild: true } },
		environment: { FIXTURE_STARS: '["p-3"]' },
	};
	expect(await build(run)).toMatchObject({ status: 0, productReviewData: 60, crawlerReviews: 60 });
	expect(await build(run)).toMatchObject({ status: 0, productReviewData: 0 });
	service.store.createReview('p-3', {
		rating: 1,
		author: 'Grace Hopper',
		title: 'New title',
		body: 'New text',
		status: 'published',
	});
	const changed = await build(run);
	expect(changed).toMatchObject({ status: 0, productReviewData: 1, crawlerReviews: 1 });
	expect(changed.output).toContain('59 of 60 with a cacheKey reused, 1 changed');
	expect(project.read('products/p-3/index.html')).toContain('Grace Hopper: New text');

	const first = await build({ ...run, options: { products: PIDS, authorNames: 'first-name' } });
	expect(first).toMatchObject({ status: 0, productReviewData: 0, crawlerReviews: 0 });
	expect(first.output).toContain('0 of 60 with a cacheKey reused');
	expect(project.read('products/p-3/index.html')).toContain('Grace: New text');
});
