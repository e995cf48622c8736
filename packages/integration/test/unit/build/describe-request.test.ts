import { expect, test } from 'vitest';
import { describeRequest } from '../../../src/build/describe-request.js';

const facts = {
	operation: 'crawlerReviews',
	method: 'GET',
	url: 'https://reviews.example/reviews',
	pids: ['p-1'],
	attempt: 1,
	durationMs: 33.6,
	bytes: 12_345,
} as const;

test('names the request, the answer and the try', () => {
	expect(describeRequest({ ...facts, status: 200 })).toBe(
		'GET https://reviews.example/reviews "p-1": 200 in 34 ms, 12.3 KB, try 1',
	);
});

test('says why there is no answer', () => {
	expect(describeRequest({ ...facts, attempt: 3, code: 'PR_SERVICE_TIMEOUT' })).toMatch(
		/: no answer in 34 ms, .*, try 3 \[PR_SERVICE_TIMEOUT\]$/,
	);
});

test('names a few of many products', () => {
	const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
	expect(describeRequest({ ...facts, status: 200, pids })).toContain('"p-4" and 95 more: 200');
});
