import { NOW } from 'product-reviews-test-support/clock';
import { messageOf, requestOf, SECRET, signatureOf } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { createReplays } from '../../../src/handler/replays.js';
import { testHandler } from '../../support/handler.js';

test('a replay is answered 202, and not acted on', async () => {
	const { handle, changes } = testHandler();
	const message = messageOf();
	expect(await (await handle(requestOf(message))).json()).toEqual({ status: 'accepted' });
	const again = await handle(requestOf(message));
	expect(again.status).toBe(202);
	expect(await again.json()).toEqual({ status: 'already accepted' });
	expect(changes).toHaveLength(1);
});

test('an event that is sent again later, with a new signature, is a replay', async () => {
	const { statusOf, changes, advance } = testHandler();
	const first = messageOf();
	await statusOf(first);
	advance(120_000);
	expect(await statusOf(messageOf({ id: first.id, timestamp: String(NOW / 1_000 + 120) }))).toBe(202);
	expect(changes).toHaveLength(1);
});

test.each([-300, -1, 0, 1, 300])(
	'signed %i s from now, it is a replay for as long as it is good',
	async (offset) => {
		const { statusOf, changes, advance } = testHandler();
		const message = messageOf({ timestamp: String(NOW / 1_000 + offset) });
		await statusOf(message);
		advance((300 + offset) * 1_000);
		expect(await statusOf(message)).toBe(202);
		expect(changes).toHaveLength(1);
		advance(1);
		expect(await statusOf(message)).toBe(401);
	},
);

test('an id may come again once its time is over', async () => {
	const { statusOf, changes, advance } = testHandler();
	await statusOf(messageOf({ id: 'same' }));
	advance(301_000);
	expect(await statusOf(messageOf({ id: 'same', timestamp: String(NOW / 1_000 + 301) }))).toBe(202);
	expect(changes).toHaveLength(2);
});

test.each([
	[
		'throws',
		() => {
			throw new Error('canary');
		},
	],
	['rejects', () => Promise.reject(new Error('canary'))],
])(
	'a change that could not be taken down (%s) is answered 503, and the next try counts',
	async (_how, fail) => {
		let isBroken = true;
		let taken = 0;
		const { handle, errors } = testHandler({
			onChange() {
				if (isBroken) return fail();
				taken += 1;
			},
		});
		const message = messageOf();
		const response = await handle(requestOf(message));
		expect(response.status).toBe(503);
		expect(response.headers.get('retry-after')).toBe('30');
		expect(await response.text()).not.toContain('canary');
		expect(errors).toEqual([new Error('canary')]);
		isBroken = false;
		expect((await handle(requestOf(message))).status).toBe(202);
		expect(taken).toBe(1);
		expect((await handle(requestOf(message))).status).toBe(202);
		expect(taken).toBe(1);
	},
);

test('a copy that comes while the first is being taken down shares its fate', async () => {
	const settles: Record<'resolve' | 'reject', (error: Error) => void>[] = [];
	const known = createReplays(() => NOW);
	let asked = 0;
	const { statusOf } = testHandler({
		replays: {
			...known,
			add(...event) {
				asked += 1;
				return known.add(...event);
			},
		},
		onChange: () =>
			new Promise<void>((resolve, reject) => {
				settles.push({ resolve: () => resolve(), reject });
			}),
	});
	const message = messageOf();
	for (const [fate, status] of [
		['reject', 503],
		['resolve', 202],
	] as const) {
		const first = statusOf(message);
		await expect.poll(() => settles).toHaveLength(1);
		const copy = statusOf(message);
		await expect.poll(() => asked).toBe(2);
		asked = 0;
		settles.shift()?.[fate](new Error('The disk is full.'));
		expect(await Promise.all([first, copy])).toEqual([status, status]);
	}
});

test('a change that the log knew already is answered 202', async () => {
	const { handle } = testHandler({ onChange: () => false });
	const response = await handle(requestOf(messageOf()));
	expect(response.status).toBe(202);
	expect(await response.json()).toEqual({ status: 'already accepted' });
});

test('ids of a verify function are remembered though it does not say for how long', async () => {
	const { statusOf, changes, advance } = testHandler({
		verify: ({ headers }) => ({ id: headers.get('x-id') ?? '' }),
	});
	await statusOf(messageOf(), { headers: { 'x-id': 'one' } });
	advance(60_000);
	await statusOf(messageOf(), { headers: { 'x-id': 'one' } });
	await statusOf(messageOf(), { headers: { 'x-id': 'two' } });
	expect(changes).toHaveLength(2);
});

test('what does not verify is not remembered', async () => {
	const { statusOf, changes } = testHandler();
	const message = messageOf();
	await statusOf(message, {
		headers: { 'webhook-signature': signatureOf({ ...message, secret: SECRET, id: 'x' }) },
	});
	expect(await statusOf(message)).toBe(202);
	expect(changes).toHaveLength(1);
});

test('a log of errors that throws changes no answer', async () => {
	const { statusOf } = testHandler({
		onChange: () => Promise.reject(new Error('The disk is full.')),
		onError: () => {
			throw new Error('The log is full, too.');
		},
	});
	expect(await statusOf(messageOf())).toBe(503);
});

test('no more than 100,000 ids are kept; the oldest go first', () => {
	const replays = createReplays(() => NOW);
	for (let id = 0; id <= 100_001; id += 1) replays.add(String(id), NOW + 300_000);
	expect(replays.add('100001', NOW + 300_000)).toBe(false);
	expect(replays.add('0', NOW + 300_000)).toBe(true);
});
