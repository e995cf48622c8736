import { describe, expect, test } from 'vitest';
import {
	ReviewsConfigurationError,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsResponseError,
} from '../../../src/index.js';
import { createBreaker } from '../../../src/pacing/create-breaker.js';
import { createFakeTime } from '../../support/fake-time.js';

const details = {
	operation: 'crawlerReviews',
	pids: ['p-1'],
	attempts: 1,
	url: 'https://reviews.example',
} as const;
const well = async () => 'fine';
const outage = () => Promise.reject(new ReviewsNetworkError('broken', details));
const refusal = () => Promise.reject(new ReviewsHttpError('refused', { ...details, status: 400 }));
const unreadable = () =>
	Promise.reject(new ReviewsResponseError('unreadable', { ...details, reason: 'not-json' }));

function start(concurrency = 8) {
	const time = createFakeTime();
	const breaker = createBreaker(concurrency, time.now);
	let asked = 0;
	const run = (
		send: () => Promise<unknown>,
		priority: 'normal' | 'low' = 'normal',
		signal?: AbortSignal,
	): Promise<unknown> =>
		breaker
			.run(
				{ priority, signal },
				() => {
					asked += 1;
					return send();
				},
				({ failures, milliseconds }) => new Error(`${failures} failures, ${milliseconds} ms left`),
			)
			.catch((error: Error) => error.message);
	return {
		run,
		asked: () => asked,
		wait: time.advance,
		async fail(times: number, priority?: 'normal' | 'low') {
			for (let count = 0; count < times; count++) await run(outage, priority);
		},
	};
}

test('after 24 failures in a row with 8 in flight the service is left alone', async () => {
	const { run, fail, asked, wait } = start();
	await fail(500);
	expect(asked()).toBe(24);
	expect(await run(well)).toBe('24 failures, 30000 ms left');
	wait(29_999);
	expect(await run(well)).toBe('24 failures, 1 ms left');
});

test('after the rest one request finds out, and an answer ends the rest', async () => {
	const { run, fail, asked, wait } = start();
	await fail(30);
	wait(30_000);
	await Promise.all(Array.from({ length: 10 }, () => run(outage)));
	expect(asked()).toBe(25);

	wait(30_000);
	expect(await run(well)).toBe('fine');
	expect(await run(well)).toBe('fine');
});

test.each([
	['a right one', well],
	['one that refuses a product', refusal],
	['one that cannot be read', unreadable],
])('an answer in between, %s, starts the count anew', async (_name, answer) => {
	const { run, asked } = start();
	for (let count = 0; count < 100; count++) await run(count % 10 === 0 ? answer : outage);
	expect(asked()).toBe(100);
});

test('an answer that refuses a product ends the rest, too', async () => {
	const { run, fail, wait } = start();
	await fail(24);
	wait(30_000);
	expect(await run(refusal)).toBe('refused');
	expect(await run(well)).toBe('fine');
});

test('with few requests at once it takes at least 20 failures', async () => {
	const { fail, asked } = start(1);
	await fail(50);
	expect(asked()).toBe(20);
});

test.each([
	['was not sent', () => Promise.reject(new ReviewsConfigurationError('no token'))],
	['failed for a reason of its own', () => Promise.reject(new TypeError('bug'))],
])('a request that %s says nothing about the service', async (_name, send) => {
	const { run, fail, asked } = start();
	await fail(23);
	for (let count = 0; count < 50; count++) await run(send);
	expect(asked()).toBe(73);
	await fail(1);
	expect(await run(well)).toContain('24 failures');
});

test('requests that their caller ended do not count, whatever they fail with', async () => {
	const { run, asked } = start();
	for (let count = 0; count < 50; count++) await run(outage, 'normal', AbortSignal.abort());
	expect(asked()).toBe(50);
	expect(await run(well)).toBe('fine');
});

describe('priorities', () => {
	test('failures of low ones do not stop normal ones, nor the other way round', async () => {
		for (const [failing, other] of [
			['low', 'normal'],
			['normal', 'low'],
		] as const) {
			const { run, fail } = start();
			await fail(24, failing);
			expect(await run(well, failing)).toContain('24 failures');
			expect(await run(outage, other)).toBe('broken');
		}
	});

	test('an answer to one ends the rest of both', async () => {
		for (const [one, other] of [
			['low', 'normal'],
			['normal', 'low'],
		] as const) {
			const { run, fail } = start();
			await fail(24, one);
			expect(await run(well, other)).toBe('fine');
			expect(await run(well, one)).toBe('fine');
		}
	});
});
