import { createClock } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { createProgress } from '../../../src/project/log-lines.js';
import { describeRequest } from '../../../src/project/open-reviews.js';
import { createProductResults, RequestCounts } from '../../../src/reviews/results.js';

function createSetup(isTerminal: boolean, total?: number) {
	const clock = createClock();
	const results = createProductResults();
	const requests = new RequestCounts();
	const lines: string[] = [];
	const progress = createProgress(isTerminal, (line) => lines.push(line), clock.now);
	progress.total = total;
	const second = (products: number) => {
		clock.pass(1_000);
		for (let product = 0; product < products; product++) {
			requests.add({ operation: 'crawlerReviews', attempt: 1, bytes: 100 });
			results.reviews.addAnswer('p-1', {});
			progress.done += 1;
		}
		progress.tick({ results, requests });
	};
	return { results, lines, progress, second };
}

test('progress on a terminal is one line a second in which something happened', () => {
	const { lines, second, results, progress } = createSetup(true, 3_000);
	for (const products of [0, 1_000, 0]) second(products);
	results.reviews.failures.push({ pid: 'a', reason: '503', stale: false, error: undefined });
	progress.done += 500;
	for (const products of [1_500, 0, 0]) second(products);
	expect(lines).toEqual([
		'1,000/3,000 products, 0 cached, 0 failed, 500 req/s',
		'3,000/3,000 products, 499 cached, 1 failed, 625 req/s',
	]);
});

test.each([1, 7, 10, 99, 100, 5_000, 100_000])(
	'progress elsewhere: %i products are ten lines at most',
	(total) => {
		const { lines, second } = createSetup(false, total);
		const step = Math.ceil(total / 1_000);
		for (let done = 0; done < total; done += step) second(Math.min(step, total - done));
		expect(lines.length).toBeLessThanOrEqual(10);
		expect(lines.length).toBeGreaterThanOrEqual(Math.min(total, 9));
		const all = total.toLocaleString('en');
		expect(lines.at(-1)).toContain(`${all}/${all} products`);
	},
);

test('progress of a list whose length is not known: lines come further and further apart', () => {
	const { lines, second } = createSetup(false);
	for (let at = 0; at < 3_600; at++) second(1);
	const done = lines.map((line) => line.split(' ')[0]);
	expect(done).toEqual(['10', '20', '40', '80', '160', '320', '640', '1,280', '2,560']);
	expect(lines[0]).toBe('10 products, 0 cached, 0 failed, 1 req/s');
});

test('a request is a line, and names a few of many products', () => {
	const request = {
		...{ method: 'GET', url: 'https://reviews.example/reviews', durationMs: 33.6, bytes: 12_345 },
		...{ operation: 'crawlerReviews' as const, pids: ['p-1'] },
	};
	const start = 'GET https://reviews.example/reviews "p-1"';
	const answered = describeRequest({ ...request, attempt: 1, status: 200 });
	expect(answered).toBe(`${start}: 200 in 34 ms, 12.3 KB, try 1`);
	const failed = describeRequest({ ...request, attempt: 3, code: 'PR_SERVICE_TIMEOUT' });
	expect(failed).toBe(`${start}: no response in 34 ms, 12.3 KB, try 3 [PR_SERVICE_TIMEOUT]`);
	const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
	expect(describeRequest({ ...request, pids, attempt: 1, status: 200 })).toContain('"p-4" and 95 more: 200');
});
