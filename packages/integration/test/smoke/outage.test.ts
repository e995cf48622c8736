import { expect, test } from 'vitest';
import { expectMarks, markOf, productIds, startShop } from '../support/build/service.js';

// One store for all tests, as builds take long: the first test fills it.
const PIDS = productIds(12);
const { project, service } = await startShop('store', PIDS);

const build = (options: Record<string, unknown> = {}) => project.tryBuild({ options });

function expectWholePages() {
	expectMarks(project, PIDS);
	for (const index of PIDS.keys()) {
		const page = project.read(`products/n${index + 1}/index.html`);
		expect(page).toContain('ServiceReviewSchemaJson');
		expect(page).toContain('pr-star-rating');
	}
}

test('one request in four answers 503: every page is whole', async () => {
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 503, every: 4 });
	const { status, output } = await build();
	service.faults.clear();
	expect(status, output).toBe(0);
	expect(output).toContain('12 fetched');
	expectWholePages();
	expect(service.requests.count({ status: 503 })).toBeGreaterThanOrEqual(3);
});

test('onError "omit": a product that never had reviews is left out and reported', async () => {
	service.faults.add({ operation: 'crawlerReviews', kind: 'status', status: 500, pid: 'p-3' });
	const { status, output } = await build({ onError: 'omit', retries: 0, cacheDir: 'empty' });
	service.faults.clear();
	expect(status, output).toBe(0);
	expect(output).toContain('The service failed for 1 product, and nothing is cached: "p-3"');
	expect(project.read('products/n3/index.html')).not.toContain('pr-review');
	expect(project.read('products/n4/index.html')).toContain(markOf(3));
});

test('the service is gone after a good build: pages come from the cache, a warning names the products', async () => {
	await service.close();
	const { status, output } = await build({ maxAge: 0, retries: 0 });
	expect(status, output).toBe(0);
	expectWholePages();
	expect(output).toContain('The service failed for 12 products; cached reviews are shown');
	for (const pid of PIDS) expect(output).toContain(`"${pid}"`);
});

test('the service is gone and nothing is cached: the build fails and lists the products', async () => {
	const { status, output } = await build({ retries: 0, cacheDir: 'nothing' });
	expect(status).toBe(1);
	expect(output).toContain('The service failed for 12 products, and the cache has no reviews to use instead');
	for (const pid of PIDS) expect(output).toContain(`"${pid}"`);
	expect(output).toContain('set the option "onError" of productReviews() to "omit"');
});
