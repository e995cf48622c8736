import type { Sandbox } from 'product-reviews-sandbox';
import { afterEach, expect, test } from 'vitest';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';
import { usually } from '../support/corpora.js';

const PIDS = productIds(60);
/** A whole shop that shows review data on every page. */
const SHOP = usually(productIds(500), 150);
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function createSetup(pids: readonly string[] = PIDS, latency = 0) {
	const service = await startService(pids, { latency });
	const project = createProject('review-data-store');
	cleanups.push(() => project.remove(), service.close);
	return { service, project, build: createBuild(service, project) };
}

/** Builds, and counts what the service was asked for. */
function createBuild(service: Sandbox, project: BuildProject) {
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

const addReview = (service: Sandbox, pid: string) =>
	service.store.createReview(pid, {
		rating: 1,
		author: 'Grace Hopper',
		title: 'New title',
		body: 'New text',
		status: 'published',
	});

test('a listing of 100 products asks for their stars once, and for none when they are stored', async () => {
	const pids = productIds(100);
	const { service, project, build } = await createSetup(pids);
	const run = { environment: { FIXTURE_STARS: JSON.stringify(pids) } };
	expect(await build(run)).toMatchObject({ status: 0, starRating: 1, crawlerReviews: 0 });
	expect(project.read('stars/index.html').match(/class="star-rating"/g)).toHaveLength(100);
	expect(await build(run)).toMatchObject({ status: 0, starRating: 0, crawlerReviews: 0 });
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	const failed = await build({ ...run, options: { maxAge: 0 } });
	expect(failed).toMatchObject({ status: 0 });
	expect(failed.output).toContain('Ratings of 100 products could not be fetched; stored stars are shown');
	expect(project.read('stars/index.html').match(/class="star-rating"/g)).toHaveLength(100);
});

test('stars that are not stored are left out where the service fails, with a warning', async () => {
	const { service, project, build } = await createSetup();
	service.faults.add({ operation: 'starRating', kind: 'status', status: 403 });
	const { status, output } = await build({ environment: { FIXTURE_STARS: '["p-1","p-2"]' } });
	expect(status).toBe(0);
	expect(output).toContain(
		'Ratings of 2 products could not be fetched; stars that are not stored are left out: "p-1", "p-2"',
	);
	expect(project.read('stars/index.html')).not.toContain('class="star-rating"');
});

test('stars of listed products come with their reviews', async () => {
	const { build } = await createSetup(['p-1', 'p-2']);
	const run = { options: { products: ['p-1'] }, environment: { FIXTURE_STARS: '["p-1","p-2"]' } };
	expect(await build(run)).toMatchObject({ status: 0, starRating: 1, crawlerReviews: 1 });
});

test('review data of a shop: a request a product when cold, and then for what changed', async () => {
	const { service, project, build } = await createSetup(SHOP);
	const run = { options: { products: SHOP }, pages: SHOP };
	expect(await build(run)).toMatchObject({
		status: 0,
		productReviewData: SHOP.length,
		crawlerReviews: SHOP.length,
	});
	const [first = '', second = ''] = SHOP.slice(3);
	addReview(service, first);
	addReview(service, second);
	expect(await build(run)).toMatchObject({ status: 0, productReviewData: 2, crawlerReviews: 2 });
	expect(project.read(`products/${first}/index.html`)).toContain('Grace Hopper: New text');
});

test('pages that ask for review data do not wait for a request each', async () => {
	const { service, build } = await createSetup(PIDS, 50);
	expect(await build({ options: { products: PIDS }, pages: PIDS })).toMatchObject({ status: 0 });
	const times = service.requests.all
		.filter(({ operation }) => operation === 'productReviewData')
		.map(({ startedAt }) => startedAt);
	const most = Math.max(
		...times.map((time) => times.filter((other) => time - other >= 0 && time - other < 50).length),
	);
	expect(most).toBeGreaterThan(3);
});

test('only what pages ask for is fetched', async () => {
	const { build } = await createSetup();
	expect(await build({ options: { products: PIDS }, pages: ['p-7'] })).toMatchObject({
		status: 0,
		productReviewData: 1,
	});
});

test('incremental: exactly the pages that show what changed are rendered again', async () => {
	const { service, project, build } = await createSetup();
	const run = {
		options: { products: PIDS },
		pages: PIDS,
		config: { experimental: { incrementalBuild: true } },
		environment: { FIXTURE_STARS: '["p-3"]' },
	};
	expect(await build(run)).toMatchObject({ status: 0, productReviewData: 60 });
	expect(await build(run)).toMatchObject({ status: 0, productReviewData: 0 });
	addReview(service, 'p-3');
	const changed = await build(run);
	expect(changed).toMatchObject({ status: 0, productReviewData: 1 });
	expect(changed.output).toContain('59 of 60 with a cacheKey reused, 1 changed');
	expect(project.read('products/p-3/index.html')).toContain('Grace Hopper: New text');

	const first = await build({ ...run, options: { products: PIDS, author: 'first' } });
	expect(first).toMatchObject({ status: 0, productReviewData: 0, crawlerReviews: 0 });
	expect(first.output).toContain('0 of 60 with a cacheKey reused');
	expect(project.read('products/p-3/index.html')).toContain('Grace: New text');
});
