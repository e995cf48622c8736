import { describe, expect, expectTypeOf, test } from 'vitest';
import {
	type CrawlerReviews,
	createReviewsClient,
	type ProductReviewData,
	type ReviewsClient,
	type ReviewsClientOptions,
	ReviewsConfigurationError,
	ReviewsError,
	type StarRating,
} from '../../src/index.js';
import { resolveBaseUrl } from '../../src/options/resolve-base-url.js';

describe('baseUrl', () => {
	test.each([
		['https://reviews.example', 'https://reviews.example'],
		['https://reviews.example/', 'https://reviews.example'],
		[' https://reviews.example ', 'https://reviews.example'],
		['HTTPS://Reviews.Example:443', 'https://reviews.example'],
		['https://reviews.example:8443', 'https://reviews.example:8443'],
		['http://localhost:4321', 'http://localhost:4321'],
		['http://shop.localhost', 'http://shop.localhost'],
		['http://127.0.0.1:80', 'http://127.0.0.1'],
		['http://127.9.8.7', 'http://127.9.8.7'],
		['http://[::1]:4000', 'http://[::1]:4000'],
	])('%s is taken as %s', (given, origin) => {
		expect(resolveBaseUrl(given, false)).toBe(origin);
	});

	test.each([
		['reviews.example', 'is not an http address: "reviews.example". Give the origin'],
		['localhost:4000', 'is not an http address: "localhost:4000"'],
		['', 'is not an http address: ""'],
		['https://', 'is not an http address: "https://"'],
		['ftp://reviews.example', 'is not an http address'],
		[
			'https://reviews.example/api',
			'contains a path, but only an origin is allowed. Write https://reviews.example',
		],
		['https://reviews.example/?k=hunter2', 'contains a query string'],
		['https://reviews.example?', 'contains a query string'],
		['https://reviews.example/#top', 'contains a fragment'],
		['https://user:hunter2@reviews.example', 'contains credentials'],
		['user:hunter2@reviews.example', 'its value is not shown'],
		['http://reviews.example', 'is not encrypted. Write https://reviews.example instead'],
		['http://localhost.evil.example', 'is not encrypted'],
		['http://128.0.0.1', 'is not encrypted'],
	])('%s is refused', (given, message) => {
		const refuse = () => resolveBaseUrl(given, false);
		expect(refuse).toThrow(ReviewsConfigurationError);
		expect(refuse).toThrow(message);
		expect(refuse).not.toThrow('hunter2');
	});

	test('allowHttp takes an http address', () => {
		expect(resolveBaseUrl('http://10.0.0.5:8080', true)).toBe('http://10.0.0.5:8080');
	});
});

const VALID = { baseUrl: 'https://reviews.example', wsid: 'W-1' };

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
	['requestsPerSecond', 0, 'The option requestsPerSecond'],
	['maxListLength', 0, 'The option maxListLength'],
	['maxResponseBytes', 0, 'The option maxResponseBytes'],
	['maxRetryAfter', -1, 'The option maxRetryAfter'],
	['token', 42, 'The option token must be a string'],
	['token', 'two words', 'without the word Bearer'],
	['token', 'line\nbreak', 'visible ASCII'],
	['authorizeCrawlerReviews', true, 'there is no token to send'],
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

test('types of the public surface', () => {
	expectTypeOf(createReviewsClient).parameters.toEqualTypeOf<[ReviewsClientOptions]>();
	expectTypeOf(createReviewsClient).returns.toEqualTypeOf<ReviewsClient>();
	expectTypeOf<ReviewsClient['getStarRatings']>().returns.toEqualTypeOf<Promise<Map<string, StarRating>>>();
	expectTypeOf<ReviewsClient['getStarRatings']>().parameter(0).toEqualTypeOf<Iterable<string>>();
	expectTypeOf<ReviewsClient['getProductReviewData']>().returns.resolves.toEqualTypeOf<ProductReviewData>();
	const reviewsOf = (client: ReviewsClient) => client.getCrawlerReviews('p-1');
	expectTypeOf(reviewsOf).returns.resolves.toEqualTypeOf<CrawlerReviews>();
	expectTypeOf<{ baseUrl: string }>().not.toExtend<ReviewsClientOptions>();
	expectTypeOf<typeof VALID>().toExtend<ReviewsClientOptions>();
	expectTypeOf<() => Promise<string>>().toExtend<NonNullable<ReviewsClientOptions['token']>>();
});
