import { createReviewsClient } from 'product-reviews-client';
import { describe, expect, test } from 'vitest';
import { ReviewServiceError } from '../../../src/errors.js';
import { createAdvice } from '../../../src/failures/create-advice.js';
import { refusalOf } from '../../../src/failures/failure-kind.js';
import { describeNoReviews } from '../../../src/report/describe-no-reviews.js';

const CREDENTIALS = {
	wsid: 'W-9\u001b[31m',
	origins: {
		wsid: 'the option "wsid" of productReviews()',
		token: 'REVIEWS_TOKEN in the environment or in .env',
	},
};
const WEBSITE = 'the website id "W-9[31m" (the option "wsid" of productReviews())';
type Operation = 'crawlerReviews' | 'productReviewData' | 'starRating';

const failure = (pid: string, status: number, operation: Operation = 'crawlerReviews') => ({
	pid,
	error: new ReviewServiceError(`${status}`, '', { refusal: { status, operation } }),
});
const advise = (
	failures: Parameters<ReturnType<typeof createAdvice>>[0],
	{ hasAnswered = false, authorizeCrawlerHtml = false } = {},
) =>
	createAdvice({ credentials: () => CREDENTIALS, hasAnswered: () => hasAnswered, authorizeCrawlerHtml })(
		failures,
	);

describe('where the service refuses', () => {
	test.each([400, 403, 404])('every product (%i), the website id is to be checked', (status) => {
		expect(advise([failure('a', status), failure('b', status)])).toBe(
			`The service refuses every product. Check ${WEBSITE}.`,
		);
	});

	test('the only one that it was asked for, it may be either', () => {
		expect(advise([failure('a', 400), failure('a', 400)])).toBe(
			`Check ${WEBSITE} and the id of the product.`,
		);
	});

	test('one and answers for others, its id is to be checked', () => {
		expect(advise([failure('a', 400)], { hasAnswered: true })).toBe(
			'The service answers for other products: check the id of this one.',
		);
		expect(advise([failure('a', 400), failure('b', 404)], { hasAnswered: true })).toBe(
			'The service answers for other products: check the ids of these.',
		);
	});

	test.each<[number, Operation, boolean]>([
		[401, 'productReviewData', false],
		[403, 'starRating', false],
		[401, 'crawlerReviews', true],
	])(
		'%i to a request with a token (%s), the token is to be checked',
		(status, operation, authorizeCrawlerHtml) => {
			expect(advise([failure('a', status, operation)], { authorizeCrawlerHtml, hasAnswered: true })).toBe(
				`The service refuses the token. Check REVIEWS_TOKEN in the environment or in .env, and that the token belongs to ${WEBSITE}.`,
			);
		},
	);
});

test('a failure that is no refusal speaks for itself', () => {
	expect(advise([])).toBeUndefined();
	expect(
		advise([
			{ pid: 'a', error: new Error('503') },
			{ pid: 'b', error: undefined },
		]),
	).toBeUndefined();
});

test.each([
	[400, true],
	[401, true],
	[403, true],
	[410, false],
	[500, false],
])('the answer %i of the service is a refusal: %s', async (status, isRefusal) => {
	const fetch = async () => new Response('{}', { status });
	const client = createReviewsClient({ baseUrl: 'https://reviews.example', wsid: 'W-9', retries: 0, fetch });
	const error = await client.getCrawlerReviews('p-1').catch((error: unknown) => error);
	expect(refusalOf(error)).toEqual(isRefusal ? { status, operation: 'crawlerReviews' } : undefined);
});

test('a service that knows nothing of any product may have been asked for another store', () => {
	expect(describeNoReviews({ products: 20, missing: 20 }, CREDENTIALS)).toBe(
		`The service has no reviews of any of the 20 products. Unless the store is new, check ${WEBSITE} and the product ids. [PR_NO_REVIEWS]`,
	);
	expect(describeNoReviews({ products: 20, missing: 19 }, CREDENTIALS)).toBeUndefined();
	expect(describeNoReviews({ products: 1, missing: 1 }, CREDENTIALS)).toBeUndefined();
});
