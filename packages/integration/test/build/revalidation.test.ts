import type { Sandbox } from 'product-reviews-sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { productIds } from '../support/build/service.js';
import { type Shop, startShop } from '../support/build/shop.js';

/** Three lists of operation 1, and one more than two of them hold. */
const MANY = 201;
/** Where their number does not matter. */
const FEW = 12;

async function createSetup(count = FEW) {
	const pids = productIds(count);
	const shop = await startShop('store', pids, onTestFinished);
	return { ...shop, build: createBuild(shop, pids) };
}

/** Builds, and counts what the service was asked for. */
function createBuild({ service, project }: Shop, pids: readonly string[]) {
	return async (environment: Record<string, string> = {}, options: Record<string, unknown> = {}) => {
		service.requests.reset();
		const { status, output } = await project.build({
			service: service.url,
			options: { products: pids, ...options },
			pages: pids.slice(0, 10),
			environment,
		});
		const counts = { starRating: 0, crawlerReviews: 0 };
		for (const { operation } of service.requests.all) counts[operation as keyof typeof counts] += 1;
		return { status, output, ...counts };
	};
}

const addReview = (service: Sandbox, pid: string) =>
	service.store.createReview(pid, {
		rating: 1,
		author: 'New',
		title: 'New title',
		body: 'New text',
		status: 'published',
	});

describe('with a token', () => {
	const token = (service: Sandbox) => ({ REVIEWS_TOKEN: service.token });

	test('a rebuild asks for ratings in lists of a hundred, and for the products that moved', async () => {
		const { service, project, build } = await createSetup(MANY);
		expect(await build(token(service))).toMatchObject({ status: 0, starRating: 0, crawlerReviews: MANY });
		expect(await build(token(service))).toMatchObject({ status: 0, starRating: 3, crawlerReviews: 0 });
		addReview(service, 'p-3');
		addReview(service, 'p-200');
		expect(await build(token(service))).toMatchObject({ status: 0, starRating: 3, crawlerReviews: 2 });
		expect(project.read('products/n3/index.html')).toContain('New text');
	});

	test('where the service does not say which ratings moved, the age decides, and the log says so', async () => {
		const { service, build } = await createSetup();
		await build(token(service));
		service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
		const failed = await build(token(service));
		expect(failed).toMatchObject({ status: 0, crawlerReviews: 0 });
		expect(failed.output.match(/The service does not say which ratings moved/g)).toHaveLength(1);
		expect(await build(token(service), { revalidate: 'always' })).toMatchObject({
			status: 0,
			starRating: 0,
			crawlerReviews: FEW,
		});
	});
});

describe('without a token', () => {
	test('products that are named as changed are asked for again, once', async () => {
		const { service, project, build } = await createSetup();
		expect(await build()).toMatchObject({ status: 0, starRating: 0, crawlerReviews: FEW });
		addReview(service, 'p-7');
		expect(await build({ REVIEWS_CHANGED: 'p-7 p-8' })).toMatchObject({ crawlerReviews: 2 });
		expect(project.read('products/n7/index.html')).toContain('New text');
		expect(await build()).toMatchObject({ crawlerReviews: 0 });
		expect(await build({ REVIEWS_CHANGED: 'all' })).toMatchObject({ crawlerReviews: FEW });
	});

	test('a product stays marked as changed when the build that was told could not fetch it', async () => {
		const { service, build } = await createSetup();
		await build();
		service.faults.add({ operation: 'crawlerReviews', pid: 'p-7', kind: 'status', status: 403 });
		const failed = await build({ INCOMING_HOOK_BODY: encodeURIComponent('{"pids":["p-7"]}') });
		expect(failed).toMatchObject({ status: 0, crawlerReviews: 1 });
		expect(failed.output).toContain('stored reviews are shown: "p-7"');
		service.faults.clear();
		expect(await build()).toMatchObject({ status: 0, crawlerReviews: 1 });
	});
});
