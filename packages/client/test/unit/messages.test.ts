import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import type { ReviewsClient, ReviewsClientOptions } from '../../src/index.js';
import { answering, ORIGIN, useSetup } from '../support/setup.js';

const setup = useSetup();

test.each<[number, (client: ReviewsClient) => Promise<unknown>, string]>([
	[
		503,
		(client) => client.getCrawlerReviews('p-1'),
		'[GET https://reviews.example/api/llmRvwHTML] product "p-1": 503 Service Unavailable after 5 tries.',
	],
	[
		403,
		(client) => client.getStarRatings(['a', 'b', 'c', 'd']),
		'[POST https://reviews.example/api/v1/getStarRating] 4 products ("a", "b", "c", ...): 403 Forbidden after 1 try. Check the access token and the wsid.',
	],
])('a message says what happened, where, and what to do: %i', async (status, ask, message) => {
	setup.answer(answering(status));
	expect((await errorOf(ask(setup.client()))).message).toBe(message);
});

test('a message names the place where the URL is set', async () => {
	setup.answer(() => {
		throw new TypeError('fetch failed');
	});
	const messageOf = async (options: Partial<ReviewsClientOptions>) =>
		(await errorOf(setup.client(options).getCrawlerReviews('p-1'))).message;
	expect(await messageOf({})).toContain('. Check the option baseUrl and the network.');
	const origin = 'SERVICE_URL in the environment';
	const urlOrigins = { crawlerReviews: origin, productReviewData: '', starRating: '' };
	expect(await messageOf({ urlOrigins })).toContain(`. Check ${origin} and the network.`);
});

test('a message about a schema names fields, and repeats no value', async () => {
	const data = [{ pid: 'x', avgrtng: 'a stranger wrote this' }];
	setup.answer(() => Response.json({ data }));
	expect((await errorOf(setup.client().getStarRatings(['x']))).message).toBe(
		'[POST https://reviews.example/api/v1/getStarRating] product "x": the body is not what the service documents ' +
			'(data.0.avgrtng: Invalid input: expected number, received string; ' +
			'data.0.prtng: Invalid input: expected number, received undefined) after 1 try.',
	);
});

test('an error has no query string, and is whole as JSON', async () => {
	const error = await setup.failure(answering(403));
	expect(JSON.parse(JSON.stringify(error))).toEqual({
		name: 'ReviewsHttpError',
		code: 'PR_REQUEST_REFUSED',
		operation: 'crawlerReviews',
		pids: ['p-1'],
		status: 403,
		attempts: 1,
		url: `${ORIGIN}/api/llmRvwHTML`,
	});
});

test.each([
	['red\u001b[31m\r\nlog line\u0000\u202e', 'red[31mlog line'],
	['a\tb\u0085c\u2028d\ufeff', 'abcd'],
	['x'.repeat(80), 'x'.repeat(80)],
	['x'.repeat(500), `${'x'.repeat(79)}…`],
	['👟'.repeat(100), `${'👟'.repeat(79)}…`],
	['\ud800half', 'half'],
])('a product ID is safe in a log line: %j', async (pid, shown) => {
	setup.answer(answering(403));
	const { message } = await errorOf(setup.client().getCrawlerReviews(pid));
	expect(message).toContain(`product "${shown}": 403`);
});
