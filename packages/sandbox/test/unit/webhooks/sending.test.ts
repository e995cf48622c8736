import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRandom } from '../../../src/seed/random.js';
import { createDisorder } from '../../../src/webhooks/create-disorder.js';
import { testReceiver } from '../../support/test-receiver.js';
import { testSandbox } from '../../support/test-sandbox.js';

const PIDS = ['p-1', 'p-2', 'p-3', 'p-4', 'p-5', 'p-6', 'p-7', 'p-8'];
const PRODUCTS = PIDS.map((pid) => ({ pid, name: pid }));

it('sends copies with the same id', async () => {
	const receiver = await testReceiver();
	const { store, webhooks } = await testSandbox({
		products: PRODUCTS,
		webhooks: [{ url: receiver.url, duplicates: 2 }],
	});
	store.createReview('p-1', { rating: 5 });
	store.createReview('p-2', { rating: 5 });
	await webhooks.settled();
	expect(receiver.received).toHaveLength(6);
	expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
	expect(webhooks.deliveries.map(({ copy }) => copy).sort()).toEqual([0, 0, 1, 1, 2, 2]);
});

it('holds events back until there are enough, and sends them in another order', async () => {
	const receiver = await testReceiver();
	const { store, webhooks } = await testSandbox({
		products: PRODUCTS,
		webhooks: [{ url: receiver.url, disorder: { events: 8, ms: 60_000 } }],
	});
	for (const pid of PIDS.slice(0, 7)) store.createReview(pid, { rating: 5 });
	await sleep(50);
	expect(receiver.received).toEqual([]);
	store.createReview('p-8', { rating: 5 });
	await webhooks.settled();
	expect(receiver.pids()).not.toEqual(PIDS);
	expect(receiver.pids().sort()).toEqual(PIDS);
});

it('holds events back for a while', async () => {
	const receiver = await testReceiver();
	const { store, webhooks } = await testSandbox({
		products: PRODUCTS,
		webhooks: [{ url: receiver.url, disorder: { ms: 100 } }],
	});
	const start = performance.now();
	for (const pid of PIDS) store.createReview(pid, { rating: 5 });
	await webhooks.settled();
	expect(performance.now() - start).toBeGreaterThan(95);
	expect(receiver.pids()).not.toEqual(PIDS);
	expect(receiver.pids().sort()).toEqual(PIDS);
});

it('has at most four requests in flight at an address', async () => {
	const receiver = await testReceiver(async () => {
		await sleep(20);
		return 200;
	});
	const { store, webhooks } = await testSandbox({
		products: PRODUCTS,
		webhooks: [{ url: receiver.url, duplicates: 1 }],
	});
	for (const pid of PIDS) store.createReview(pid, { rating: 5 });
	await webhooks.settled();
	expect(receiver.received).toHaveLength(16);
	expect(receiver.mostOpen()).toBe(4);
});

it('answers an edit at once while the receiver hangs, and close ends it', async () => {
	const receiver = await testReceiver(() => 'hang');
	const sandbox = await testSandbox({ products: PRODUCTS, webhooks: [{ url: receiver.url }] });
	const start = performance.now();
	for (const pid of PIDS) {
		const response = await fetch(`${sandbox.url}/__sandbox/products/${pid}/reviews`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"rating":5}',
		});
		expect(response.status).toBe(201);
	}
	expect(performance.now() - start).toBeLessThan(3_000);
	await expect.poll(() => receiver.received.length).toBe(4);
	await sandbox.close();
	await sandbox.webhooks.settled();
	expect(performance.now() - start).toBeLessThan(5_000);
	expect(sandbox.webhooks.deliveries.map(({ error }) => error)).toEqual(['ended', 'ended', 'ended', 'ended']);
});

it('ends pauses and held events with close', async () => {
	const receiver = await testReceiver(() => 500);
	const sandbox = await testSandbox({
		products: PRODUCTS,
		webhooks: [
			{ url: receiver.url, retryDelays: [60_000] },
			{ url: `${receiver.url}&held`, disorder: { ms: 60_000 } },
		],
	});
	sandbox.store.createReview('p-1', { rating: 5 });
	await expect.poll(() => sandbox.webhooks.deliveries.length).toBe(1);
	const start = performance.now();
	await sandbox.close();
	await sandbox.webhooks.settled();
	expect(performance.now() - start).toBeLessThan(1_000);
	expect(receiver.received).toHaveLength(1);
});

it('lets an edit pass when nobody listens at the address, and logs each try without its path', async () => {
	const lines: string[] = [];
	const { store, webhooks } = await testSandbox({
		products: [{ pid: 'p\n1', name: 'P' }],
		webhooks: [{ url: 'http://127.0.0.1:1/hooks/k3y', retryDelays: [1] }],
		log: (line) => lines.push(line),
	});
	store.createReview('p\n1', { rating: 5 });
	await webhooks.settled();
	expect(lines[0]).toMatch(
		/^webhook review\.created pid=p1 to 127\.0\.0\.1:1 no answer \(connection\) \d+ ms$/,
	);
	expect(lines[1]).toMatch(/ attempt=2$/);
	expect(lines).toHaveLength(2);
});

it('gives turns in an order that the seed decides', async () => {
	const orders = [7, 7, 8].map(async (seed) => {
		const turn = createDisorder({ events: 8 }, createRandom(seed), new AbortController().signal);
		const order: string[] = [];
		await Promise.all(PIDS.map((pid) => turn().then(() => order.push(pid))));
		return order;
	});
	const [first, again, other] = await Promise.all(orders);
	expect(again).toEqual(first);
	expect(other).not.toEqual(first);
	expect(first).not.toEqual(PIDS);
	expect(first?.toSorted()).toEqual(PIDS);
});
