import { expect, onTestFinished, test } from 'vitest';
import { mostAtOnce, productIds, publish, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(30);
const WAITED = /Pages waited \d+\.\d s for reviews of 30 products\..* save about \d+\.\d s in a first build/;

const startUnlisted = (options: Record<string, unknown> = {}, environment = {}) =>
	startShop('store', PIDS, {
		...{ latency: 100, environment, atEnd: onTestFinished },
		options: { products: undefined, ...options },
	});

test('the first build says what a list would save, and the next one fetches ahead', async () => {
	const { project, service } = await startUnlisted({ maxAge: 0 });
	const build = async () => {
		service.requests.reset();
		const output = await project.build();
		expect(service.requests.count()).toBe(PIDS.length);
		return { output, most: mostAtOnce(service.requests.all) };
	};
	const first = await build();
	expect(first.output).toMatch(WAITED);
	expect(first.most).toBe(1);
	publish(service, 'p-30', 'New text');
	const second = await build();
	expect(second.output).not.toContain('Pages waited');
	expect(second.output).not.toContain('missing from the product list');
	expect(second.most).toBeGreaterThan(3);
	expect(project.read('products/n30/index.html')).toContain('New text');
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

test('a product that no page shows any more fails no build, is not in its report, and is forgotten', async () => {
	const { project, service } = await startUnlisted({ maxAge: 0, onError: 'fail' });
	await project.build();
	service.faults.add({ pid: 'p-1', kind: 'status', status: 403 });
	const later = PIDS.slice(1);
	const output = await project.build({ pages: later });
	expect(output).toContain('29 products');
	expect(output).not.toContain('p-1"');
	expect(project.report().products.map(({ pid }: { pid: string }) => pid)).not.toContain('p-1');
	service.requests.reset();
	await project.build({ pages: later });
	expect(service.requests.count({ pid: 'p-1' })).toBe(0);
	// A page that shows it again gets its failure.
	const { status, output: failed } = await project.tryBuild();
	expect(status).toBe(1);
	expect(failed).toContain('p-1');
});
