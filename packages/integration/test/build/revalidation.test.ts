import { expect, onTestFinished, test } from 'vitest';
import type { AstroRun } from '../support/build/project.js';
import { mostAtOnce, productIds, publish, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(20);
const OPERATIONS = ['starRating', 'crawlerReviews', 'productReviewData'] as const;

/** A shop with so many products, and a build of it that counts what the service was asked for. */
async function createSetup(fixture: string, count: number, run: AstroRun) {
	const shop = await startShop(fixture, productIds(count), { ...run, atEnd: onTestFinished });
	const { requests } = shop.service;
	const build = async (run?: AstroRun) => {
		requests.reset();
		const output = await shop.project.build(run);
		const counts = OPERATIONS.map((operation) => [operation, requests.count({ operation })]);
		return { output, ...Object.fromEntries(counts) };
	};
	return { ...shop, build };
}

const createRated = (count: number, environment = {}) =>
	createSetup('store', count, { pages: productIds(3), environment });

/** A shop without a list. @param pages of products; the page of stars shows those of `stars` */
function createUnlisted(count: number, pages: readonly string[], stars: readonly string[] = []) {
	const environment = { ...TOKEN, FIXTURE_STARS: JSON.stringify(stars) };
	return createSetup('review-data-store', count, { pages, options: { products: undefined }, environment });
}

// Two lists of ratings, and one product more than one of them holds.
test('with a token, a rebuild asks for ratings in lists of a hundred, and for the products that moved; if it is not told which, the age decides', async () => {
	const { service, project, build } = await createRated(101, TOKEN);
	expect(await build()).toMatchObject({ starRating: 0, crawlerReviews: 101 });
	for (const pid of ['p-3', 'p-100']) publish(service, pid, 'New text');
	expect(await build()).toMatchObject({ starRating: 2, crawlerReviews: 2 });
	expect(project.read('products/n3/index.html')).toContain('New text');
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	const failed = await build();
	expect(failed).toMatchObject({ crawlerReviews: 0 });
	expect(failed.output.match(/The service does not say which ratings moved/g)).toHaveLength(1);
});

test('without a token, products that are named as changed are asked for again, once, or until they are fetched', async () => {
	const { service, project, build } = await createRated(12);
	expect(await build()).toMatchObject({ starRating: 0, crawlerReviews: 12 });
	publish(service, 'p-3', 'New text');
	expect(await build({ environment: { REVIEWS_CHANGED: 'p-3 p-8' } })).toMatchObject({ crawlerReviews: 2 });
	expect(project.read('products/n3/index.html')).toContain('New text');

	service.faults.add({ operation: 'crawlerReviews', pid: 'p-3', kind: 'status', status: 403 });
	const INCOMING_HOOK_BODY = encodeURIComponent('{"pids":["p-3"]}');
	const failed = await build({ environment: { INCOMING_HOOK_BODY } });
	expect(failed).toMatchObject({ crawlerReviews: 1 });
	expect(failed.output).toContain('cached reviews are shown: "p-3"');
	service.faults.clear();
	expect(await build()).toMatchObject({ crawlerReviews: 1 });
});

test('a listing of 100 products asks for their stars once, and for none when they are stored', async () => {
	const { service, project, build } = await createUnlisted(100, [], productIds(100));
	const stars = () => project.read('stars/index.html').match(/class="pr-star-rating"/g)?.length;
	expect(await build()).toMatchObject({ starRating: 1, crawlerReviews: 0 });
	expect(stars()).toBe(100);
	expect(await build()).toMatchObject({ starRating: 0, crawlerReviews: 0 });
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	const failed = await build({ options: { maxAge: 0 } });
	expect(failed.output).toContain('Ratings of 100 products could not be fetched; cached stars are shown');
	expect(stars()).toBe(100);
});

test('pages that ask for review data do not wait for a request each', async () => {
	const { service, build } = await createUnlisted(20, PIDS);
	service.faults.add({ operation: 'productReviewData', kind: 'latency', ms: 100 });
	await build({ options: { products: PIDS } });
	const asked = service.requests.all.filter(({ operation }) => operation === 'productReviewData');
	expect(mostAtOnce(asked)).toBeGreaterThan(3);
});
