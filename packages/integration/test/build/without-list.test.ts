import { expect, onTestFinished, test } from 'vitest';
import { mostAtOnce, productIds, publish, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(30);
const WAITED = /Pages waited \d+\.\d s for reviews of 30 products\..* save about \d+\.\d s in a first build/;

const startUnlisted = (options: Record<string, unknown> = {}, environment = {}) =>
	startShop('store', PIDS, {
		...{ latency: 100, environment, atEnd: onTestFinished },
		options: { products: undefined, ...options },
	});

test('with a token, the next build asks which ratings moved, and for new pages', async () => {
	const { project, service } = await startUnlisted({}, TOKEN);
	await project.build({ pages: PIDS.slice(0, 29) });
	publish(service, 'p-7', 'New text');
	service.requests.reset();
	expect(await project.build()).toContain('30 products');
	expect(service.requests.count({ operation: 'starRating' })).toBe(1);
	expect(service.requests.count({ operation: 'crawlerReviews' })).toBe(2);
	expect(project.read('products/n7/index.html')).toContain('New text');
});

test('the first build says what a list would save, the next one fetches ahead, and what no page shows any more is forgotten', async () => {
	const { project, service } = await startUnlisted({ maxAge: 0, onError: 'fail' });
	expect(await project.build()).toMatch(WAITED);
	expect(service.requests.count()).toBe(PIDS.length);
	expect(mostAtOnce(service.requests.all)).toBe(1);

	// The failure of a product that no page shows fails no build, and is not in its report.
	service.faults.add({ pid: 'p-30', kind: 'status', status: 403 });
	const pages = PIDS.slice(0, 29);
	publish(service, 'p-29', 'New text');
	service.requests.reset();
	const output = await project.build({ pages });
	expect(mostAtOnce(service.requests.all)).toBeGreaterThan(3);
	expect(output).not.toMatch(/Pages waited|missing from the product list|p-30"/);
	expect(output).toContain('29 products');
	expect(project.read('products/n29/index.html')).toContain('New text');
	expect(project.report().products.map(({ pid }: { pid: string }) => pid)).not.toContain('p-30');

	service.requests.reset();
	await project.build({ pages });
	expect(service.requests.count()).toBe(pages.length);
	// A page that shows it again gets its failure.
	const { status, output: failed } = await project.tryBuild();
	expect(status).toBe(1);
	expect(failed).toContain('p-30');
});
