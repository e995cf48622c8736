import { expect, test } from 'vitest';
import { markOf, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(400);
const PAGES = PIDS.slice(0, 20);
const { project, service } = await startShop('store', PIDS, { pages: PAGES });

test('400 products from a service that fails for one request in eight: none is missing, at most 1.3 requests each', async () => {
	// Delays add up: any up to 242 ms, each as likely as another.
	for (const ms of [124, 62, 31, 16, 9]) service.faults.add({ kind: 'latency', ms, probability: 0.5 });
	service.faults.add({ kind: 'reset', probability: 0.05 });
	service.faults.add({ kind: 'status', status: 500, probability: 0.05 });
	service.faults.add({ kind: 'status', status: 429, probability: 0.02 });
	service.faults.add({ kind: 'trickle', ms: 100, probability: 0.01 });
	const run = { options: { concurrency: 32, timeout: '2s' } };

	const output = await project.build(run);
	expect(output).toContain(' s: 400 fetched\n');
	expect(output).not.toContain('The service failed');
	for (const index of PAGES.keys())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	expect(service.requests.count()).toBeLessThanOrEqual(1.3 * PIDS.length);
	expect(service.requests.maxInFlight).toBeLessThanOrEqual(32);

	service.requests.reset();
	expect(await project.build(run)).toContain('400 products from the store: 400 unchanged');
	expect(service.requests.count()).toBe(0);
});
