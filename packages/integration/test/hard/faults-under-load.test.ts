import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storedProducts } from '../support/build/store.js';

const PIDS = productIds(2_000);
const PAGES = PIDS.slice(0, 20);
const cleanups: (() => unknown)[] = [];

afterAll(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('2,000 products from a service that fails for one request in eight: none is missing, at most 1.3 requests each', async () => {
	const service = await startService(PIDS, { latency: 5 });
	const store = createLastingFolder('store');
	const project = createProject('store');
	cleanups.push(service.close, store.remove, project.remove);
	// Delays add up: any from 5 to 497 ms, each as likely as another.
	for (const ms of [250, 124, 62, 31, 16, 9]) service.faults.add({ kind: 'latency', ms, probability: 0.5 });
	service.faults.add({ kind: 'reset', probability: 0.05 });
	service.faults.add({ kind: 'status', status: 500, probability: 0.05 });
	service.faults.add({ kind: 'status', status: 429, probability: 0.02 });
	service.faults.add({ kind: 'trickle', ms: 100, probability: 0.01 });

	const { status, output } = await project.build({
		service: service.url,
		options: { products: PIDS, cacheDir: store.folder, concurrency: 32, timeout: '2s' },
		pages: PAGES,
	});
	expect(status, output).toBe(0);
	expect(output).toContain('2,000 products in');
	expect(output).toContain(' s: 2,000 fetched\n');
	expect(output).not.toContain('The service failed');
	expect(storedProducts(store.folder).sort()).toEqual(PIDS.toSorted());
	for (const [index] of PAGES.entries())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	expect(service.requests.count()).toBeLessThanOrEqual(1.3 * PIDS.length);
	expect(service.requests.maxInFlight).toBeLessThanOrEqual(32);
});
