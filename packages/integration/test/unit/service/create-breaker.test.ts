import { ReviewsHttpError, ReviewsNetworkError } from 'product-reviews-client';
import { expect, test } from 'vitest';
import { createBreaker } from '../../../src/service/create-breaker.js';

const details = {
	operation: 'crawlerReviews',
	pids: ['p-1'],
	attempts: 1,
	url: 'https://reviews.example',
} as const;
const outage = () => Promise.reject(new ReviewsNetworkError('broken', details));
const refusal = () => Promise.reject(new ReviewsHttpError('refused', { ...details, status: 400 }));

function start(concurrency = 8) {
	let time = 1_000_000;
	let asked = 0;
	const breaker = createBreaker(concurrency, () => time);
	return {
		asked: () => asked,
		wait: (milliseconds: number) => {
			time += milliseconds;
		},
		run: (request: () => Promise<unknown>) =>
			breaker
				.run(() => {
					asked += 1;
					return request();
				})
				.catch((error: Error) => error.message),
	};
}

test('after 24 failures in a row with 8 in flight the service is left alone', async () => {
	const { run, asked } = start();
	for (let count = 0; count < 500; count++) await run(outage);
	expect(asked()).toBe(24);
	expect(await run(async () => 'fine')).toBe(
		'the service failed 24 times in a row and is not asked for 30 s.',
	);
});

test('after the rest one request finds out, and an answer ends the rest', async () => {
	const { run, asked, wait } = start();
	for (let count = 0; count < 30; count++) await run(outage);
	wait(30_000);
	await Promise.all(Array.from({ length: 10 }, () => run(outage)));
	expect(asked()).toBe(25);

	wait(30_000);
	expect(await run(async () => 'fine')).toBe('fine');
	expect(await run(async () => 'fine')).toBe('fine');
});

test('an answer in between, also one that refuses a product, starts the count anew', async () => {
	for (const answer of [async () => 'fine', refusal]) {
		const { run, asked } = start();
		for (let count = 0; count < 100; count++) await run(count % 10 === 0 ? answer : outage);
		expect(asked()).toBe(100);
	}
});

test('a few requests at once: 20 failures at the least', async () => {
	const { run, asked } = start(1);
	for (let count = 0; count < 50; count++) await run(outage);
	expect(asked()).toBe(20);
});
