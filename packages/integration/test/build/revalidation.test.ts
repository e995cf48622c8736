import { expect, onTestFinished, test } from 'vitest';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';

/** Three lists of operation 1, and one more than two of them hold. */
const MANY = 201;
/** Where their number does not matter. */
const FEW = 12;

async function createSetup(count: number, environment = {}) {
	const pages = productIds(10);
	const shop = await startShop('store', productIds(count), { pages, environment, atEnd: onTestFinished });
	/** Builds, and counts what the service was asked for. */
	const build = async (environment: Record<string, string> = {}, options = {}) => {
		shop.service.requests.reset();
		const output = await shop.project.build({ options, environment });
		const { requests } = shop.service;
		const [starRating, crawlerReviews] = (['starRating', 'crawlerReviews'] as const).map((operation) =>
			requests.count({ operation }),
		);
		return { output, starRating, crawlerReviews };
	};
	return { ...shop, build };
}

test('with a token, a rebuild asks for ratings in lists of a hundred, and for the products that moved', async () => {
	const { service, project, build } = await createSetup(MANY, TOKEN);
	expect(await build()).toMatchObject({ starRating: 0, crawlerReviews: MANY });
	expect(await build()).toMatchObject({ starRating: 3, crawlerReviews: 0 });
	for (const pid of ['p-3', 'p-200']) publish(service, pid, 'New text');
	expect(await build()).toMatchObject({ starRating: 3, crawlerReviews: 2 });
	expect(project.read('products/n3/index.html')).toContain('New text');
});

test('where the service does not say which ratings moved, the age decides, and the log says so', async () => {
	const { service, build } = await createSetup(FEW, TOKEN);
	await build();
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	const failed = await build();
	expect(failed).toMatchObject({ crawlerReviews: 0 });
	expect(failed.output.match(/The service does not say which ratings moved/g)).toHaveLength(1);
	expect(await build({}, { revalidate: 'always' })).toMatchObject({ starRating: 0, crawlerReviews: FEW });
});

test('without a token, products that are named as changed are asked for again, once, or until they are fetched', async () => {
	const { service, project, build } = await createSetup(FEW);
	expect(await build()).toMatchObject({ starRating: 0, crawlerReviews: FEW });
	publish(service, 'p-7', 'New text');
	expect(await build({ REVIEWS_CHANGED: 'p-7 p-8' })).toMatchObject({ crawlerReviews: 2 });
	expect(project.read('products/n7/index.html')).toContain('New text');
	expect(await build()).toMatchObject({ crawlerReviews: 0 });
	expect(await build({ REVIEWS_CHANGED: 'all' })).toMatchObject({ crawlerReviews: FEW });

	service.faults.add({ operation: 'crawlerReviews', pid: 'p-7', kind: 'status', status: 403 });
	const failed = await build({ INCOMING_HOOK_BODY: encodeURIComponent('{"pids":["p-7"]}') });
	expect(failed).toMatchObject({ crawlerReviews: 1 });
	expect(failed.output).toContain('stored reviews are shown: "p-7"');
	service.faults.clear();
	expect(await build()).toMatchObject({ crawlerReviews: 1 });
});
