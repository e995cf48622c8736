import type { Sandbox } from 'product-reviews-sandbox';
import { afterEach, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';

const PIDS = productIds(28);
let project: BuildProject;
let service: Sandbox;

afterEach(async () => {
	project.remove();
	await service.close();
});

async function prepare() {
	project = createProject('store');
	service = await startService(PIDS);
	const options = { products: PIDS, timeout: '2s' };
	return (more: Record<string, unknown> = {}) =>
		project.build({ service: service.url, options: { ...options, ...more }, pages: PIDS });
}

function expectWholePages() {
	for (const [index] of PIDS.entries()) {
		const page = project.read(`products/n${index + 1}/index.html`);
		expect(page).toContain(markOf(index));
		expect(page).toContain('ServiceReviewSchemaJson');
		expect(page).toContain('star-rating');
	}
}

test('one request in seven answers 503: every page is whole', async () => {
	const build = await prepare();
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 503, every: 7 });

	const { status, output } = await build();

	expect(output).toContain('28 fetched');
	expect(status).toBe(0);
	expectWholePages();
	expect(service.requests.count({ status: 503 })).toBeGreaterThanOrEqual(4);
});

test('the service is gone after a good build: pages come from the store, a warning names the products', async () => {
	const build = await prepare();
	expect((await build()).status).toBe(0);
	await service.close();

	const { status, output } = await build({ maxAge: 0, retries: 0 });

	expect(status).toBe(0);
	expectWholePages();
	expect(output).toContain('The service failed for 28 products; stored reviews are shown');
	for (const pid of PIDS) expect(output).toContain(`"${pid}"`);
});

test('the service is gone and nothing is stored: the build fails and lists the products', async () => {
	const build = await prepare();
	await service.close();

	const { status, output } = await build({ retries: 0 });

	expect(status).toBe(1);
	expect(output).toContain('The service failed for 28 products, and the store has no reviews to use instead');
	for (const pid of PIDS) expect(output).toContain(`"${pid}"`);
	expect(output).toContain('set the option "onError" of productReviews() to "omit"');
});

test('onError "omit": a product that never had reviews is left out and reported', async () => {
	const build = await prepare();
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 500, pid: 'p-3' });

	const { status, output } = await build({ onError: 'omit', retries: 1 });

	expect(status).toBe(0);
	expect(output).toContain('The service failed for 1 product, and nothing is stored: "p-3"');
	expect(project.read('products/n3/index.html')).not.toContain('review-item');
	expect(project.read('products/n4/index.html')).toContain(markOf(3));
});

test('onError "fail": a failure ends the build although the store has reviews', async () => {
	const build = await prepare();
	expect((await build()).status).toBe(0);
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 500, pid: 'p-3' });

	const { status, output } = await build({ onError: 'fail', maxAge: 0, retries: 0 });

	expect(status).toBe(1);
	expect(output).toContain('The service failed for the product "p-3"');
});

test('a wrong website id is named, with where it was set', async () => {
	const build = await prepare();
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 400 });

	const set = await build({ wsid: 'W-9' });
	expect(set.status).toBe(1);
	expect(set.output).toContain(
		'The service refuses every product. Check the website id "W-9" (the option "wsid" of productReviews()).',
	);
	expect(set.output).not.toContain('Build again when the service works');
	const fromEnvironment = await build({ onError: 'omit' });
	expect(fromEnvironment.status).toBe(0);
	expect(fromEnvironment.output).toContain(
		'Check the website id "W-1001" (REVIEWS_WSID in the environment or in .env).',
	);
});

test('a product that the service refuses is named, and a token that it refuses is not', async () => {
	const build = await prepare();
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 400, pid: 'p-3' });
	const one = await build();
	expect(one.status).toBe(1);
	expect(one.output).toContain('The service answers for other products: check the id of this one.');

	service.faults.clear();
	const { status, output } = await build({ token: 'not-the-token', maxAge: 0 });
	expect(status).toBe(0);
	expect(output).toContain(
		'The service refuses the token. Check the option "token" of productReviews(), and that the token belongs to the website id "W-1001"',
	);
	expect(output).not.toContain('not-the-token');
});
