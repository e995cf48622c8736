import { inspect } from 'node:util';
import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import { messageOf } from '../../support/unit/error.js';

const HOUR = 3_600_000;

/** The lines of a refusal that name the wrong options. */
async function refusalOf(options: unknown): Promise<string> {
	const [, ...lines] = (await messageOf(() => parseOptions(options))).split('\n');
	return lines.join('\n');
}

describe('defaults', () => {
	test.each([undefined, null, {}])('productReviews(%j) takes every default', (options) => {
		expect(parseOptions(options)).toEqual({
			concurrency: 8,
			timeout: 10_000,
			retries: 4,
			maxStale: 30 * 24 * HOUR,
			keepUnused: 30 * 24 * HOUR,
			onError: 'stale',
			onDemand: { fresh: 60_000, stale: 24 * HOUR, timeLimit: 800, most: 500 },
			display: 'visible',
			author: 'full',
			audit: 'warn',
			publish: false,
			authorizeCrawlerHtml: false,
			maxResponseBytes: 8_388_608,
			logRequests: false,
			allowHttp: false,
			labels: {},
		});
	});

	test('an option that is undefined takes its default', () => {
		const options = { concurrency: undefined, maxAge: undefined, labels: undefined, token: undefined };
		expect(parseOptions(options)).toMatchObject(parseOptions({}));
	});

	test('a webhook has a path and a variable, and starts nothing by itself', () => {
		expect(parseOptions({ webhook: {} }).webhook).toEqual({
			path: '/api/reviews/webhook',
			publish: false,
			githubTokenEnv: 'GITHUB_DISPATCH_TOKEN',
		});
	});

	test('a webhook that publishes needs what a publish needs', () => {
		expect(parseOptions({ webhook: { publish: true } }).publish).toBe(true);
		expect(parseOptions({ webhook: {} }).publish).toBe(false);
		expect(parseOptions({ publish: true, webhook: {} }).publish).toBe(true);
	});

	test('labels are those that are given: the others depend on the page', () => {
		const labels = { anonymous: 'Anonym', count: '{count} Bewertungen' };
		expect(parseOptions({ labels }).labels).toEqual(labels);
	});
});

describe('every wrong value is refused with its name and what it takes', () => {
	test.each<[Record<string, unknown>, string]>([
		[{ baseUrl: 5 }, '- "baseUrl": Expected string. Received: 5.'],
		[{ baseUrl: null }, '- "baseUrl": Expected string. Received: null.'],
		[{ baseUrl: new URL('https://a.example') }, '- "baseUrl": Expected string. Received: an object.'],
		[{ baseUrl: () => 'x' }, '- "baseUrl": Expected string. Received: a function.'],
		[{ wsid: 1001 }, '- "wsid": Expected string. Received: 1001.'],
		[
			{ token: 12345678 },
			'- "token": Expected a string, or a function that returns one. Received: a value of type number.',
		],
		[{ token: {} }, '- "token": Expected a string, or a function that returns one. Received: an object.'],
		[
			{ products: 'p-1' },
			'- "products": Expected an array of product ids, an iterable, an async iterable, or a function that returns one. Received: "p-1".',
		],
		[
			{ products: {} },
			'- "products": Expected an array of product ids, an iterable, an async iterable, or a function that returns one. Received: an object.',
		],
		[
			{ products: Promise.resolve(['p-1']) },
			'- "products": Expected an array of product ids, an iterable, an async iterable, or a function that returns one. Received: a promise.',
		],
		[
			{ storage: { driver: 5 } },
			'- "storage.driver": Expected the name of an unstorage driver, or a module that exports one. Received: a value of type number.',
		],
		[
			{ storage: { driver: 'redis://:canary-password@10.0.0.1' } },
			'- "storage.driver": Expected the name of an unstorage driver, or a module that exports one. Received: a value of type string.',
		],
		[
			{ storage: { driver: 'redis', config: 'redis://:canary-password@10.0.0.1' } },
			'- "storage.config": Expected an object of options of the driver. Received: a value of type string.',
		],
		[
			{ storage: { driver: 'redis', config: { retryStrategy: () => 1 } } },
			'- "storage.config.retryStrategy": Expected a value that can be written as JSON. Received: a function.',
		],
		[
			{ storage: { driver: 'redis', options: {} } },
			'- Unknown option "options". "storage" takes: driver, config.',
		],
		[{ concurrency: 0 }, '- "concurrency": Too small: expected number to be >=1. Received: 0.'],
		[{ concurrency: 257 }, '- "concurrency": Too big: expected number to be <=256. Received: 257.'],
		[{ concurrency: 1.5 }, '- "concurrency": Expected int. Received: 1.5.'],
		[{ concurrency: '8' }, '- "concurrency": Expected number. Received: "8".'],
		[{ concurrency: Number.NaN }, '- "concurrency": Expected number. Received: NaN.'],
		[
			{ requestsPerSecond: 0 },
			'- "requestsPerSecond": Too small: expected number to be >=0.001. Received: 0.',
		],
		[
			{ requestsPerSecond: -1 },
			'- "requestsPerSecond": Too small: expected number to be >=0.001. Received: -1.',
		],
		[
			{ timeout: 1 },
			'- "timeout": Expected "50ms" to "10m". Numbers are milliseconds; "10s" is ten seconds. Received: 1.',
		],
		[{ retries: -1 }, '- "retries": Too small: expected number to be >=0. Received: -1.'],
		[{ retries: 21 }, '- "retries": Too big: expected number to be <=20. Received: 21.'],
		[
			{ maxAge: -1 },
			'- "maxAge": Expected "0ms" to "3650d". Numbers are milliseconds; "10s" is ten seconds. Received: -1.',
		],
		[
			{ deadline: '0.5s' },
			'- "deadline": Expected "1s" to "1d". Numbers are milliseconds; "10s" is ten seconds. Received: "0.5s".',
		],
		[
			{ keepUnused: '1h' },
			'- "keepUnused": Expected "1d" to "3650d". Numbers are milliseconds; "10s" is ten seconds. Received: "1h".',
		],
		[
			{ maxStale: '4000d' },
			'- "maxStale": Expected "0ms" to "3650d". Numbers are milliseconds; "10s" is ten seconds. Received: "4000d".',
		],
		[
			{ onError: 'ignore' },
			`- "onError": Invalid option: expected one of "stale"|"omit"|"fail". Received: "ignore".`,
		],
		[{ cacheDir: '' }, '- "cacheDir": Too small: expected string to have >=1 characters. Received: "".'],
		[
			{ display: 'none' },
			`- "display": Invalid option: expected one of "visible"|"details"|"hidden". Received: "none".`,
		],
		[{ webhook: true }, '- "webhook": Expected object. Received: true.'],
		[
			{ webhook: { url: 'x' } },
			'- Unknown option "url". "webhook" takes: path, keyHeader, publish, deployHookEnv, github, githubTokenEnv.',
		],
		[
			{ webhook: { keyHeader: 'x key' } },
			'- "webhook.keyHeader": Expected the name of a header. Received: "x key".',
		],
		[
			{ webhook: { github: 'storefront' } },
			'- "webhook.github": Expected a repository as "owner/name". Received: "storefront".',
		],
		[
			{ webhook: { deployHookEnv: 'https://a.example/7f3a' } },
			'- "webhook.deployHookEnv": Expected the name of an environment variable, not its value. Received: a value of type string.',
		],
		[
			{ webhook: { deployHookEnv: 'HOOK', github: 'shop/storefront' } },
			'- "webhook.github": Expected either "deployHookEnv" or "github", not both: one of them starts the rebuild. Received: "shop/storefront".',
		],
		[{ labels: 'en' }, '- "labels": Expected object. Received: "en".'],
		[{ labels: { anonymous: 5 } }, '- "labels.anonymous": Expected string. Received: 5.'],
		[
			{ labels: { count: { one: '{count} review' } } },
			'- "labels.count": Expected a string, or an object with a string for each plural form, including "other". Received: an object.',
		],
		[
			{ labels: { summary: { others: 'a', other: 'b' } } },
			'- Unknown option "others". "labels.summary" takes: zero, one, two, few, many, other.',
		],
		[
			{ onDemand: { timeLimit: '1m' } },
			'- "onDemand.timeLimit": Expected "50ms" to "10s". Numbers are milliseconds; "10s" is ten seconds. Received: "1m".',
		],
		[{ onDemand: { most: 1 } }, '- "onDemand.most": Too small: expected number to be >=2. Received: 1.'],
		[{ onDemand: { ttl: 5 } }, '- Unknown option "ttl". "onDemand" takes: fresh, stale, timeLimit, most.'],
		[{ authorizeCrawlerHtml: 'yes' }, '- "authorizeCrawlerHtml": Expected boolean. Received: "yes".'],
		[
			{ maxResponseBytes: 10 },
			'- "maxResponseBytes": Too small: expected number to be >=1024. Received: 10.',
		],
		[{ allowHttp: 1 }, '- "allowHttp": Expected boolean. Received: 1.'],
	])('%o', async (options, expected) => {
		expect(await refusalOf(options)).toBe(expected);
	});

	test.each([
		'reviews',
		'',
		'/',
		'//a',
		'/a/',
		'/a b',
		'/[pid]',
		'/a/[...rest]',
		'/a?b',
		'/a#b',
		'/../a',
		'/%41',
	])('the path %j of the webhook', async (path) => {
		expect(await refusalOf({ webhook: { path } })).toBe(
			`- "webhook.path": Expected a path that starts with "/", without route patterns or a trailing slash, such as "/api/reviews/webhook". Received: "${path}".`,
		);
	});

	test('several at once, with the way to the option', async () => {
		expect(
			await messageOf(() => parseOptions({ concurency: 4, retries: '4', labels: { star: 'x' } })),
		).toMatchInlineSnapshot(`
			"ProductReviewsConfigurationError: The options of productReviews() in the Astro configuration are invalid.
			- "retries": Expected number. Received: "4".
			- Unknown option "star". "labels" takes: heading, rating, stars, count, summary, anonymous, distribution, starCount, recommendShare, topics, mentions, positive, neutral, negative, media, photo, video, reviews, verified, pinned, testimonial, recommends, recommendsNot, tags, helpful, unhelpful, source, filter, filterAll, more, questions, answer, unanswered, moreQuestions.
			- Unknown option "concurency". productReviews() takes: baseUrl, wsid, token, products, concurrency, requestsPerSecond, timeout, retries, revalidate, maxAge, maxStale, deadline, keepUnused, onError, onDemand, storage, cacheDir, display, author, publishers, audit, webhook, publish, labels, authorizeCrawlerHtml, maxResponseBytes, logRequests, allowHttp."
		`);
	});

	test.each([['W-1001'], [5], [[]], [true]])(
		'productReviews(%j) is no object of options',
		async (options) => {
			expect(await refusalOf(options)).toMatch(/^- Expected an object of options, received .+\.$/);
		},
	);
});

describe('lengths of time', () => {
	test.each<[number | string, number]>([
		[0, 0],
		[1_500, 1_500],
		['500ms', 500],
		['10s', 10_000],
		['1.5s', 1_500],
		[' 5 m ', 300_000],
		['1h', HOUR],
		['30d', 30 * 24 * HOUR],
	])('%j is %i ms', (maxAge, milliseconds) => {
		expect(parseOptions({ maxAge }).maxAge).toBe(milliseconds);
	});

	test.each<[unknown, string]>([
		['5 minutes', '"5 minutes"'],
		['10', '"10"'],
		['', '""'],
		['-5s', '"-5s"'],
		['1h30m', '"1h30m"'],
		['1e3s', '"1e3s"'],
		[Number.NaN, 'NaN'],
		[Number.POSITIVE_INFINITY, 'Infinity'],
		[null, 'null'],
		[true, 'true'],
		[{ hours: 1 }, 'an object'],
	])('%j is none', async (maxAge, received) => {
		expect(await refusalOf({ maxAge })).toBe(
			`- "maxAge": Expected a duration: a number of milliseconds, or a string such as "500ms", "10s", "5m", "1h" or "30d". Received: ${received}.`,
		);
	});
});

test('a secret in the wrong place is not said again', async () => {
	const SECRET = 'canary-7f3a-secret';
	for (const options of [
		{ token: { value: SECRET } },
		{ token: [SECRET] },
		{ concurrency: SECRET.repeat(4) },
		{ wsid: () => SECRET },
		{ apiKey: SECRET },
		{ webhook: { githubTokenEnv: SECRET, deployHookEnv: SECRET } },
		{ allowHttp: Symbol('x'), token: SECRET },
	]) {
		const error = await errorOf(() => parseOptions(options));
		expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
	}
});
