import { expect, it } from 'vitest';
import type { NewWebhook } from '../../../src/index.js';
import { readRetryAfter } from '../../../src/webhooks/read-retry-after.js';
import { expectedSignature, type Reply, testReceiver } from '../../support/test-receiver.js';
import { testSandbox } from '../../support/test-sandbox.js';

const PRODUCTS = [{ pid: 'p', name: 'P' }];

/** A sandbox with one address that answers with these replies, and 204 after them. */
async function sending(replies: readonly Reply[], options: Partial<NewWebhook> = {}) {
	const receiver = await testReceiver((index) => replies[index] ?? 204);
	let time = Date.UTC(2026, 9, 1);
	const sandbox = await testSandbox({
		products: PRODUCTS,
		now: () => {
			time += 1_000;
			return time;
		},
		webhooks: [{ url: receiver.url, retryDelays: [1], ...options }],
	});
	const { webhooks } = sandbox;
	const review = () => sandbox.store.createReview('p', { rating: 5 });
	return { ...sandbox, ...receiver, webhooks, url: sandbox.url, review };
}

it('tries again with the same id and body, and a new time and signature', async () => {
	const { received, webhooks, review } = await sending([503, 'reset', 302], { retries: 3 });
	review();
	await webhooks.settled();
	expect(received).toHaveLength(4);
	expect(new Set(received.map(({ id }) => id)).size).toBe(1);
	expect(new Set(received.map(({ text }) => text)).size).toBe(1);
	expect(new Set(received.map(({ timestamp }) => timestamp)).size).toBe(4);
	expect(new Set(received.map(({ signature }) => signature)).size).toBe(4);
	const secret = webhooks.list()[0]?.secret ?? '';
	for (const event of received) expect(event.signature).toBe(expectedSignature(secret, event));
	expect(webhooks.deliveries.map(({ attempt, status, error }) => [attempt, status, error])).toEqual([
		[1, 503, null],
		[2, null, 'connection'],
		[3, 302, null],
		[4, 204, null],
	]);
});

it('ends a try at its time limit', async () => {
	const { webhooks, review } = await sending(['hang', 'hang'], { timeLimit: 100 });
	review();
	await webhooks.settled();
	expect(webhooks.deliveries).toMatchObject([{ error: 'time limit' }, { error: 'time limit' }]);
	for (const { ms } of webhooks.deliveries) expect(ms).toBeGreaterThan(90);
});

it('gives up after the last pause', async () => {
	const { received, webhooks, review } = await sending([500, 500, 500, 500], { retryDelays: [1, 2] });
	review();
	await webhooks.settled();
	expect(received).toHaveLength(3);
	expect(webhooks.list()).toMatchObject([{ retries: 2 }]);
});

it('has pauses of 1 s, 5 s, 30 s and 2 min, and a time limit of 15 s', async () => {
	const { webhooks } = await testSandbox({ webhooks: [{ url: 'http://localhost:1/' }] });
	expect(webhooks.list()).toMatchObject([
		{ retryDelays: [1_000, 5_000, 30_000, 120_000], retries: 4, timeLimit: 15_000 },
	]);
});

it('waits as long as the receiver asks', async () => {
	const busy = { status: 429, headers: { 'retry-after': '1' } };
	const { received, webhooks, review } = await sending([busy]);
	const start = performance.now();
	review();
	await webhooks.settled();
	expect(performance.now() - start).toBeGreaterThan(990);
	expect(received).toHaveLength(2);
});

it('reads Retry-After as seconds or a date', () => {
	const now = Date.UTC(2026, 9, 1);
	expect(readRetryAfter('30', now)).toBe(30_000);
	expect(readRetryAfter('Thu, 01 Oct 2026 00:01:00 GMT', now)).toBe(60_000);
	expect(readRetryAfter('Wed, 30 Sep 2026 00:01:00 GMT', now)).toBe(0);
	expect(readRetryAfter('99999999999', now)).toBe(86_400_000);
	expect([readRetryAfter('soon', now), readRetryAfter('-3', now), readRetryAfter(null, now)]).toEqual([
		0, 0, 0,
	]);
});

it('ends a registration at 410, and what waits for it too', async () => {
	const { received, webhooks, review } = await sending([500, 410], { retryDelays: [300] });
	review();
	await expect.poll(() => webhooks.deliveries.length).toBe(1);
	review();
	await webhooks.settled();
	expect(webhooks.list()).toEqual([]);
	review();
	await webhooks.settled();
	expect(received).toHaveLength(2);
});

it('draws wrong signatures from the seed', async () => {
	const statuses = async () => {
		const { received, webhooks, review } = await sending([], { badSignatures: 0.5 });
		for (let count = 0; count < 12; count += 1) {
			review();
			await webhooks.settled();
		}
		const secret = webhooks.list()[0]?.secret ?? '';
		const wrong = received.map((event) => event.signature !== expectedSignature(secret, event));
		expect(received.every(({ signature }) => /^v1,[A-Za-z0-9+/]{43}=$/.test(signature))).toBe(true);
		expect(webhooks.deliveries.map(({ badSignature }) => badSignature)).toEqual(wrong);
		return wrong;
	};
	const first = await statuses();
	expect(new Set(first)).toEqual(new Set([true, false]));
	expect(await statuses()).toEqual(first);
});
