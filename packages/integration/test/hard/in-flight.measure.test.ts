import { expect, test } from 'vitest';
import { productIds, startShop } from '../support/build/service.js';

const CONCURRENCY = 6;
const { project, service } = await startShop('store', productIds(200));

test('a slow service, nothing stored: five or six of six requests are in flight most of the time', async () => {
	// So slow that what the machine does besides counts for little.
	service.faults.add({ kind: 'latency', ms: 200 });
	await project.build({ options: { concurrency: CONCURRENCY } });
	expect(service.requests.maxInFlight).toBe(CONCURRENCY);
	/** Milliseconds in which at least so many requests were in flight. */
	const time = (least: number) =>
		Object.entries(service.requests.inFlightTimes)
			.filter(([number]) => Number(number) >= least)
			.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
	expect(time(CONCURRENCY - 1)).toBeGreaterThan(0.7 * time(1));
});
