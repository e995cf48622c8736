import { NOW } from 'product-reviews-test-support/clock';
import { errorOf, settled } from 'product-reviews-test-support/promises';
import { describe, expect, test } from 'vitest';
import { ReviewsPausedError } from '../../src/index.js';
import { answering, startStub } from '../support/stub.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const well = answering(200);
const busy = (retryAfter: string) => answering(429, { 'retry-after': retryAfter });

describe.each([
	['a day back', -DAY],
	['an hour back', -HOUR],
	['a leap second', 1_000],
	['a year forward', YEAR],
])('a clock that is set %s', (_name, by) => {
	test('neither ends a pause nor makes it longer', async () => {
		const { client, answer, setForward, pass, now } = startStub();
		answer(busy('3600'));
		await errorOf(client.getCrawlerReviews('p-1'));
		answer(well);
		setForward(by);
		pass(HOUR - 1);
		const error = await errorOf(client.getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsPausedError', until: now() + 1 });
		pass(1);
		expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
	});
});

test.each([
	['a year in seconds', String(YEAR / 1_000)],
	['ten thousand years', '315360000000'],
	['a date in a year', new Date(NOW + YEAR).toUTCString()],
])('%s counts as maxPause', async (_name, retryAfter) => {
	const { client, answer, pass, asked } = startStub({ maxPause: 5 * MINUTE });
	answer(busy(retryAfter));
	expect(await errorOf(client.getCrawlerReviews('p-1'))).toMatchObject({ until: NOW + 5 * MINUTE });
	answer(well);
	pass(5 * MINUTE - 1);
	expect(await errorOf(client.getCrawlerReviews('p-1'))).toBeInstanceOf(ReviewsPausedError);
	expect(asked).toHaveLength(1);
	pass(1);
	expect(await client.getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
});

test.each([
	['is answered well, and the others go on', () => well([], 0), 20, 21],
	['asks for another long pause, and the others are not sent', () => busy('600')([], 0), 0, 2],
	['fails in another way, and the others try', () => Promise.reject(new Error('reset')), 19, 21],
])('after a stop one request finds out: it %s', async (_name, end, answered, requests) => {
	const { client, answer, pass, asked } = startStub();
	answer(busy('600'));
	await errorOf(client.getCrawlerReviews('first'));
	pass(10 * MINUTE);
	const probe = Promise.withResolvers<Response>();
	answer((pids, count) => (count === 2 ? probe.promise : well(pids, count)));
	const pids = Array.from({ length: 20 }, (_, index) => `p-${index}`);
	const ended = Promise.allSettled(pids.map((pid) => client.getCrawlerReviews(pid)));
	await settled();
	expect(asked).toEqual(['first', 'p-0']);
	probe.resolve(end());
	const failed = (await ended).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
	expect(failed).toHaveLength(20 - answered);
	if (answered === 0) expect(failed.every((error) => error instanceof ReviewsPausedError)).toBe(true);
	expect(asked).toHaveLength(requests);
});
