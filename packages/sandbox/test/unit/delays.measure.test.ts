import { expect, it } from 'vitest';
import { callsTo, testSandbox } from '../support/test-sandbox.js';

it('the delays of a sandbox and of several rules add up, and a trickle takes its time for each byte', async () => {
	const sandbox = await testSandbox({ products: [{ pid: 'a', name: 'A' }], latency: 50 });
	const { starRating } = callsTo(sandbox);
	sandbox.faults.add({ kind: 'latency', ms: 80 });
	sandbox.faults.add({ kind: 'latency', ms: 70 });
	await starRating(['a']);
	sandbox.faults.clear();
	sandbox.faults.add({ kind: 'trickle', ms: 2 });
	const { length } = await (await starRating(['a'])).text();
	await expect.poll(() => sandbox.requests.inFlight).toBe(0);
	const [delayed, trickled] = sandbox.requests.all;
	expect(delayed?.duration).toBeGreaterThan(195);
	expect(trickled?.duration).toBeGreaterThan(50 + length * 1.8);
});
