import { NOW } from 'product-reviews-test-support/clock';
import { settled } from 'product-reviews-test-support/promises';
import { messageOf, requestOf } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { recallEvent } from '../../../src/handler.js';
import { testHandler } from '../../support/handler.js';

test.each([-300, -1, 0, 1, 300])(
	'signed %i s from now, it is a replay for as long as it is good',
	async (offset) => {
		const { handle, statusOf, changes, advance } = testHandler();
		const message = messageOf({ timestamp: String(NOW / 1_000 + offset) });
		for (const milliseconds of [0, (300 + offset) * 1_000]) {
			advance(milliseconds);
			const response = await handle(requestOf(message));
			expect([response.status, await response.json()]).toEqual([202, { status: 'accepted' }]);
			expect(changes).toHaveLength(1);
		}
		advance(1);
		expect(await statusOf(message)).toBe(401);
	},
);

test('an event that is sent again with a new signature is a replay, until its time is over', async () => {
	const { statusOf, changes, advance } = testHandler();
	let at = 0;
	for (const [seconds, count] of [
		[0, 1],
		[120, 1],
		[301, 2],
	] as const) {
		advance((seconds - at) * 1_000);
		at = seconds;
		expect(await statusOf(messageOf({ id: 'same', timestamp: String(NOW / 1_000 + at) }))).toBe(202);
		expect(changes).toHaveLength(count);
	}
});

test.each(['throws', 'rejects'])(
	'a change that could not be taken down (%s) is answered 503, and the next try counts',
	async (how) => {
		let isBroken = true;
		let taken = 0;
		const onChange = () => {
			if (!isBroken) taken += 1;
			else if (how === 'rejects') return Promise.reject(new Error('canary'));
			else throw new Error('canary');
		};
		const { handle, statusOf, errors } = testHandler({ onChange });
		const message = messageOf();
		const response = await handle(requestOf(message));
		expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
		expect(await response.text()).not.toContain('canary');
		expect(errors).toEqual([new Error('canary')]);
		isBroken = false;
		for (let time = 0; time < 2; time += 1) expect(await statusOf(message)).toBe(202);
		expect(taken).toBe(1);
	},
);

test.each([
	['reject', 503],
	['resolve', 202],
] as const)(
	'a copy that comes while the first is being taken down shares its fate: %s',
	async (fate, status) => {
		const taken = Promise.withResolvers<void>();
		const asked: unknown[] = [];
		const onChange = (change: unknown) => {
			asked.push(change);
			return taken.promise;
		};
		// Signatures are verified in another thread, which takes any time.
		const { statusOf } = testHandler({ onChange, verify: () => ({ id: 'one' }) });
		const message = messageOf();
		const answers = [statusOf(message), statusOf(message)];
		await settled();
		taken[fate](new Error('The disk is full.') as never);
		expect(await Promise.all(answers)).toEqual([status, status]);
		expect(asked).toHaveLength(1);
	},
);

test('ids of a verify function are remembered for ten minutes if it does not say for how long', async () => {
	let id = 'one';
	const { statusOf, changes, advance } = testHandler({ verify: () => ({ id }) });
	await statusOf(messageOf());
	advance(600_000);
	await statusOf(messageOf());
	id = 'two';
	await statusOf(messageOf());
	expect(changes).toHaveLength(2);
	id = 'one';
	advance(1);
	await statusOf(messageOf());
	expect(changes).toHaveLength(3);
});

test('no more than 100,000 events are remembered; the oldest go first', async () => {
	const event = { recording: Promise.resolve(true), until: NOW + 300_000 };
	const events = new Map(Array.from({ length: 100_001 }, (_, id) => [String(id), event]));
	expect(recallEvent(events, '1', NOW)).toBeUndefined();
	expect(recallEvent(events, '2', NOW)).toBe(event.recording);
	expect(events.size).toBe(99_999);
});
