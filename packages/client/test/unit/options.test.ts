import { errorOf } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import {
	createReviewsClient,
	type ReviewsClientOptions,
	ReviewsConfigurationError,
	ReviewsError,
} from '../../src/index.js';
import { crawlerPayload } from '../support/payloads.js';

const VALID = { baseUrl: 'https://reviews.example', wsid: 'W-1' };

describe('baseUrl', () => {
	test.each([
		['https://reviews.example/', 'https://reviews.example'],
		[' https://reviews.example ', 'https://reviews.example'],
		['HTTPS://Reviews.Example:443', 'https://reviews.example'],
		['https://reviews.example:8443', 'https://reviews.example:8443'],
		['https://reviews.example/tenant-a', 'https://reviews.example/tenant-a'],
		['https://reviews.example/a/b%20c//', 'https://reviews.example/a/b%20c'],
		['http://localhost:4321', 'http://localhost:4321'],
		['http://shop.localhost', 'http://shop.localhost'],
		['http://127.0.0.1:80', 'http://127.0.0.1'],
		['http://127.9.8.7', 'http://127.9.8.7'],
		['http://[::1]:4000', 'http://[::1]:4000'],
		['http://10.0.0.5:8080', 'http://10.0.0.5:8080', true],
	])('%s is taken as %s', async (baseUrl, origin, allowHttp = false) => {
		const asked: string[] = [];
		const fetch = async (url: unknown) => {
			asked.push(String(url));
			return Response.json(crawlerPayload('p'));
		};
		await createReviewsClient({ ...VALID, baseUrl, allowHttp, fetch }).getCrawlerReviews('p');
		expect(asked).toEqual([`${origin}/api/llmRvwHTML?wsid=W-1&pid=p&ihtml=true&ijsonld=true`]);
	});

	test('each operation has its own, or the default, and messages name the one that was used', async () => {
		const baseUrl = { default: 'https://a.example/x', crawlerHtml: 'https://html.example/' };
		const fetch = async () => new Response('', { status: 500 });
		const client = createReviewsClient({ ...VALID, baseUrl, token: 'token-of-test', retries: 0, fetch });
		const asked = [
			client.getStarRatings(['p']),
			client.getProductReviewData('p'),
			client.getCrawlerReviews('p'),
		];
		const errors = await Promise.all(asked.map((answer) => errorOf(answer)));
		const urls = [
			'https://a.example/x/api/v1/getStarRating',
			'https://a.example/x/api/v1/getProductReviewData',
			'https://html.example/api/llmRvwHTML',
		];
		expect(errors.map((error) => (error as ReviewsError).url)).toEqual(urls);
		for (const [index, { message }] of errors.entries()) expect(message).toContain(` ${urls[index]}] `);
	});

	test.each([
		[
			{ crawlerHtml: 'https://a.example' },
			'The option baseUrl.starRating is missing. Give it, or baseUrl.default',
		],
		[{ default: 'a.example' }, 'The option baseUrl.default is not an http address: "a.example"'],
		[
			{ default: 'https://a.example', crawlerHtml: 'http://b.example' },
			'The option baseUrl.crawlerHtml, http',
		],
		[null, 'it is of the type null'],
	])('%j is refused', (baseUrl, message) => {
		expect(() => createReviewsClient({ ...VALID, baseUrl: baseUrl as never })).toThrow(message);
	});

	const SCHEME = 'Give the URL of the service with its scheme, as in https://reviews.example.';
	const OWN_NETWORK = 'or set allowHttp to true if the network in between is your own.';

	test.each([
		['reviews.example', `is not an http address: "reviews.example". ${SCHEME}`],
		['localhost:4000', 'is not an http address: "localhost:4000"'],
		['', 'is not an http address: ""'],
		['https://', 'is not an http address: "https://"'],
		['ftp://reviews.example', 'is not an http address'],
		[
			'https://reviews.example/a/?k=hunter2',
			'contains a query string. Write https://reviews.example/a instead',
		],
		['https://reviews.example?', 'contains a query string'],
		['https://reviews.example/#top', 'contains a fragment'],
		['https://user:hunter2@reviews.example', 'contains credentials'],
		['user:hunter2@reviews.example', 'its value is not shown'],
		['http://reviews.example', `is not encrypted. Write https://reviews.example instead, ${OWN_NETWORK}`],
		['http://localhost.evil.example', 'is not encrypted'],
		['http://128.0.0.1', 'is not encrypted'],
	])('%s is refused', (baseUrl, message) => {
		const create = () => createReviewsClient({ ...VALID, baseUrl });
		expect(create).toThrow(ReviewsConfigurationError);
		expect(create).toThrow(message);
		expect(create).not.toThrow('hunter2');
	});
});

test.each<[keyof ReviewsClientOptions, unknown, string]>([
	['wsid', '', 'The option wsid is missing or empty.'],
	['wsid', undefined, 'The option wsid is missing or empty.'],
	['baseUrl', undefined, 'it is of the type undefined'],
	['timeout', 0, 'The option timeout must be a number of milliseconds from 1 to 2147483647, but it is 0.'],
	['timeout', Number.NaN, 'it is NaN'],
	['timeout', '10', 'Leave it out for the default (10000).'],
	['deadline', Number.POSITIVE_INFINITY, 'it is Infinity'],
	['retries', -1, 'The option retries must be a whole number of further tries from 0 to 100'],
	['retries', 1.5, 'whole number'],
	['concurrency', 257, 'The option concurrency must be a whole number of requests in flight from 1 to 256'],
	['requestsPerSecond', 0, 'The option requestsPerSecond'],
	['maxListLength', 0, 'The option maxListLength'],
	['maxResponseBytes', 0, 'The option maxResponseBytes'],
	['maxRetryAfter', -1, 'The option maxRetryAfter'],
	['maxPause', 0, 'The option maxPause'],
	['token', 42, 'The option token must be a string'],
	['token', 'two words', 'without the word Bearer'],
	['token', 'line\nbreak', 'visible ASCII'],
	['sendTokenForReviews', true, 'there is no token to send'],
])('%s: %j is refused', (name, value, message) => {
	const create = () => createReviewsClient({ ...VALID, [name]: value } as ReviewsClientOptions);
	expect(create).toThrow(ReviewsConfigurationError);
	expect(create).toThrow(ReviewsError);
	expect(create).toThrow(message);
	if (name === 'token') expect(create).not.toThrow(String(value));
});

test('undefined stands for a default everywhere, and an empty token for none', () => {
	const names =
		'token timeout deadline retries requestsPerSecond maxListLength maxRetryAfter fetch now'.split(' ');
	const options = Object.fromEntries(names.map((name) => [name, undefined]));
	expect(() => createReviewsClient({ ...VALID, ...options })).not.toThrow();
	expect(() => createReviewsClient({ ...VALID, token: '' })).not.toThrow();
});
