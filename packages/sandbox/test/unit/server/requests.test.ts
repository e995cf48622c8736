import { expect, it } from 'vitest';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const PRODUCTS = ['a', 'b'].map((pid) => ({ pid, name: pid }));

it('records the requests to the three operations', async () => {
	const sandbox = await testSandbox({ products: PRODUCTS, now: () => 1_000 });
	const { crawlerReviews, starRating } = callsTo(sandbox);
	await (await crawlerReviews('a', {}, { headers: { 'x-mark': 'yes' } })).text();
	await (await crawlerReviews('nobody')).text();
	await (await starRating(['a', 'b'])).text();
	await (await fetch(sandbox.url)).text();

	const { requests } = sandbox;
	expect([requests.count(), requests.count({ operation: 'crawlerReviews' })]).toEqual([3, 2]);
	expect([requests.count({ pid: 'a' }), requests.count({ status: 404 })]).toEqual([2, 1]);
	expect(requests.all[0]).toMatchObject({
		operation: 'crawlerReviews',
		method: 'GET',
		pids: ['a'],
		authorization: 'none',
		headers: { 'x-mark': 'yes' },
		startedAt: 1_000,
		status: 200,
		complete: true,
	});
	expect(requests.all[2]).toMatchObject({ pids: ['a', 'b'], authorization: 'accepted' });
	expect(JSON.stringify(requests.all)).not.toContain(sandbox.token);
	requests.reset();
	expect(requests.count()).toBe(0);
});

it('knows how many run at once, and for how long', async () => {
	const sandbox = await testSandbox({ products: PRODUCTS, latency: 120 });
	const { crawlerReviews } = callsTo(sandbox);
	const running = Promise.all(Array.from({ length: 5 }, async () => (await crawlerReviews('a')).text()));
	await expect.poll(() => sandbox.requests.inFlight, { interval: 5 }).toBe(5);
	await running;
	await expect.poll(() => sandbox.requests.inFlight).toBe(0);
	expect(sandbox.requests.maxInFlight).toBe(5);
	expect(sandbox.requests.inFlightTimes[5]).toBeGreaterThan(40);
	sandbox.requests.reset();
	expect(sandbox.requests.maxInFlight).toBe(0);
});

it('counts over HTTP, and starts anew', async () => {
	const sandbox = await testSandbox({ products: PRODUCTS });
	const { crawlerReviews } = callsTo(sandbox);
	await (await crawlerReviews('a')).text();
	await (await crawlerReviews('__proto__')).text();
	const address = `${sandbox.url}/__requests`;
	expect(await (await fetch(address)).text()).toContain('"byPid":{"a":1,"__proto__":1}');
	expect(await (await fetch(address)).json()).toMatchObject({
		total: 2,
		byOperation: { crawlerReviews: 2 },
		byStatus: { 200: 1, 404: 1 },
		inFlight: 0,
		maxInFlight: 1,
	});
	expect((await fetch(address, { method: 'DELETE' })).status).toBe(204);
	expect(await (await fetch(address)).json()).toMatchObject({ total: 0, byPid: {} });
});
