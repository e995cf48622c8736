import { OPERATIONS } from 'product-reviews-client/contract';
import { expect, test } from 'vitest';
import { describeRequest } from '../../../src/build/describe-request.js';

const facts = { pids: ['p-1'], attempt: 1, status: 200, durationMs: 33.6, bytes: 12_345 };

test.each(['starRating', 'productReviewData', 'crawlerReviews'] as const)(
	'names the request of %s',
	(operation) => {
		const { method, path } = OPERATIONS[operation];
		expect(describeRequest({ ...facts, operation }, 'https://reviews.example/')).toBe(
			`${method} https://reviews.example${path} "p-1": 200 in 34 ms, 12.3 KB, try 1`,
		);
	},
);

test('says why there is no answer', () => {
	const { status, ...others } = facts;
	const line = describeRequest(
		{ ...others, operation: 'crawlerReviews', attempt: 3, code: 'PR_SERVICE_TIMEOUT' },
		'https://reviews.example',
	);
	expect(line).toMatch(/: no answer in 34 ms, .*, try 3 \[PR_SERVICE_TIMEOUT\]$/);
});

test('names a few of many products, and nothing of the address that may be secret', () => {
	const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
	const line = describeRequest(
		{ ...facts, operation: 'starRating', pids },
		'https://user:pass@reviews.example?key=1',
	);
	expect(line).toContain('"p-4" and 95 more: 200');
	expect(line).not.toMatch(/user|pass|key/);
});
