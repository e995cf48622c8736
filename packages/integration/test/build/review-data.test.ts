import { expect, onTestFinished, test } from 'vitest';
import type { AstroRun } from '../support/build/project.js';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(60);
const OPERATIONS = ['starRating', 'crawlerReviews', 'productReviewData'] as const;

/** A shop without a list. @param pages of products; the page of stars shows those of `stars` */
async function createSetup(pids: readonly string[], pages: readonly string[], stars: readonly string[] = []) {
	const shop = await startShop('review-data-store', pids, {
		pages,
		options: { products: undefined },
		environment: { ...TOKEN, FIXTURE_STARS: JSON.stringify(stars) },
		atEnd: onTestFinished,
	});
	/** Builds, and counts what the service was asked for. */
	const build = async (run?: AstroRun) => {
		const { requests } = shop.service;
		requests.reset();
		const output = await shop.project.build(run);
		const counts = OPERATIONS.map((operation) => [operation, requests.count({ operation })]);
		return { output, ...Object.fromEntries(counts) };
	};
	return { ...shop, build };
}

test('a listing of 100 products asks for their stars once, and for none when they are stored', async () => {
	const pids = productIds(100);
	const { service, project, build } = await createSetup(pids, [], pids);
	const stars = () => project.read('stars/index.html').match(/class="pr-star-rating"/g)?.length;
	expect(await build()).toMatchObject({ starRating: 1, crawlerReviews: 0 });
	expect(stars()).toBe(100);
	expect(await build()).toMatchObject({ starRating: 0, crawlerReviews: 0 });
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	const failed = await build({ options: { maxAge: 0 } });
	expect(failed.output).toContain('Ratings of 100 products could not be fetched; stored stars are shown');
	expect(stars()).toBe(100);
});

test('stars that are not stored are left out where the service fails, with a warning', async () => {
	const { service, project, build } = await createSetup(PIDS, [], ['p-1', 'p-2']);
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	expect((await build()).output).toContain(
		'Ratings of 2 products could not be fetched; stars that are not stored are left out: "p-1", "p-2"',
	);
	expect(project.read('stars/index.html')).not.toContain('class="pr-star-rating"');
});

test('pages that ask for review data do not wait for a request each', async () => {
	const { service, build } = await createSetup(PIDS, PIDS);
	service.faults.add({ operation: 'productReviewData', kind: 'latency', ms: 100 });
	await build({ options: { products: PIDS } });
	const asked = service.requests.all.filter(({ operation }) => operation === 'productReviewData');
	const areUnderWay = (time: number) =>
		asked.filter(({ startedAt, duration = 0 }) => startedAt <= time && time < startedAt + duration).length;
	const most = Math.max(...asked.map(({ startedAt }) => areUnderWay(startedAt)));
	expect(most).toBeGreaterThan(3);
});

test('incremental: a request a product when cold, then for what changed, and exactly its pages are rendered', async () => {
	const { service, project, build } = await createSetup(PIDS, PIDS, ['p-3']);
	const run = { options: { products: PIDS }, config: { experimental: { incrementalBuild: true } } };
	expect(await build(run)).toMatchObject({ productReviewData: 60, crawlerReviews: 60 });
	expect(await build(run)).toMatchObject({ productReviewData: 0 });
	publish(service, 'p-3', 'New text', { author: 'Grace Hopper' });
	const changed = await build(run);
	expect(changed).toMatchObject({ productReviewData: 1, crawlerReviews: 1 });
	expect(changed.output).toContain('59 of 60 with a cacheKey reused, 1 changed');
	expect(project.read('products/p-3/index.html')).toContain('Grace Hopper: New text');

	const first = await build({ ...run, options: { products: PIDS, authorNames: 'first-name' } });
	expect(first).toMatchObject({ productReviewData: 0, crawlerReviews: 0 });
	expect(first.output).toContain('0 of 60 with a cacheKey reused');
	expect(project.read('products/p-3/index.html')).toContain('Grace: New text');
});
