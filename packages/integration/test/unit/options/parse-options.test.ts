import { inspect } from 'node:util';
import { errorOf } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { parseOptions } from '../../../src/options/parse-options.js';
import { providers } from '../../../src/providers/shipped/index.js';
import { messageOf } from '../../support/unit/error.js';

const HOUR = 3_600_000;

/** The lines of a refusal that name the wrong options. */
async function refusalOf(options: unknown): Promise<string> {
	const [, ...lines] = (await messageOf(() => parseOptions(options))).split('\n');
	return lines.join('\n');
}

describe('defaults', () => {
	const NOTHING = [undefined, null, {}, { concurrency: undefined, maxAge: undefined, token: undefined }];
	test.each(NOTHING)('productReviews(%j) takes every default', (options) => {
		expect(parseOptions(options)).toEqual({
			feeds: { markdown: false, ratings: false },
			...{ concurrency: 8, timeout: 10_000, retries: 4, maxResponseBytes: 8_388_608 },
			...{ staleIfError: 30 * 24 * HOUR, pruneAfter: 30 * 24 * HOUR, onError: 'stale' },
			onDemand: { maxAge: 60_000, staleWhileRevalidate: 24 * HOUR, timeout: 800, maxProducts: 500 },
			...{ display: 'visible', authorNames: 'full', audit: 'warn', labels: {} },
			...{ sendTokenForReviews: false, logRequests: false, allowHttp: false },
		});
	});

	test.each<[object, object, string | undefined]>([
		[providers.judgeMe({ shop: 'shop.myshopify.com' }), {}, 'judgeme'],
		[providers.wooCommerce({ url: 'https://shop.example' }), { path: '/hook' }, 'woocommerce'],
		[providers.judgeMe({ shop: 'shop.myshopify.com' }), { from: 'stamped' }, 'stamped'],
		[providers.judgeMe({ shop: 'shop.myshopify.com' }), { keyHeader: 'x-key' }, undefined],
		[providers.yotpo({ appKey: 'key' }), {}, undefined],
		[{ entrypoint: './src/judgeme' }, {}, undefined],
		[{ reviews: () => null }, {}, undefined],
	])(
		'webhooks are those of the provider %j, unless the options %j say otherwise',
		(provider, webhook, from) => {
			expect(parseOptions({ provider, webhook }).webhook?.from).toBe(from);
			expect(parseOptions({ provider }).webhook).toBeUndefined();
		},
	);

	test('a webhook has a path and a variable, and labels are those that are given: others depend on the page', () => {
		const labels = { anonymous: 'Anonym', count: '{count} Bewertungen' };
		const githubTokenEnv = 'GITHUB_DISPATCH_TOKEN';
		const webhook = { path: '/api/reviews/webhook', update: false, githubTokenEnv };
		expect(parseOptions({ webhook: {}, labels })).toMatchObject({ webhook, labels });
	});
});

type Row = [option: string, given: unknown, takes: string, received: string];
const PIDS =
	'Expected an array of product IDs, an iterable, an async iterable, or a function that returns one.';
const TOKEN = 'Expected a string, or a function that returns one.';
const MARKDOWN =
	'Expected a boolean, or a path in the output folder that contains {page} and ends in .md, such as "{page}.md".';
const DRIVER = 'Expected the name of an unstorage driver, or a module that exports one.';
const PROVIDER = 'Expected an object with a function "reviews", or a module that exports one by default.';
const JSON_ONLY = 'Expected a value that can be written as JSON.';
const PLURALS = 'Expected a string, or an object with a string for each plural form, including "other".';
const VARIABLE = 'Expected the name of an environment variable, not its value.';
const PATH =
	'Expected a path that starts with "/", without route patterns or a trailing slash, such as "/api/reviews/webhook".';
const PATHS = '|reviews|/|//a|/a/|/a b|/[pid]|/a/[...rest]|/a?b|/a#b|/../a|/%41'.split('|');
const DURATION =
	'Expected a duration: a number of milliseconds, or a string such as "500ms", "10s", "5m", "1h" or "30d".';
const ID_PATH = 'Expected names of properties with dots between them, such as "data.review.pid".';
const URLS = 'Expected a URL, or an object with the URLs of operations.';
const AGES = ['5 minutes', '10', '', '-5s', '1h30m', '1e3s'];
const range = (from: string, to: string) =>
	`Expected "${from}" to "${to}". Numbers are milliseconds; "10s" is ten seconds.`;
const small = (least: number) => `Too small: expected number to be >=${least}.`;
const big = (most: number) => `Too big: expected number to be <=${most}.`;
const one = (...of: string[]) =>
	`Invalid option: expected one of ${of.map((value) => `"${value}"`).join('|')}.`;
const REDIS = 'redis://:canary-password@10.0.0.1';

describe('every wrong value is refused with its name, what it takes and what was given', () => {
	test.each<Row>([
		['baseUrl', 5, URLS, '5'],
		['baseUrl', () => 'x', URLS, 'a function'],
		['baseUrl.starRating', 5, 'Expected string.', '5'],
		['webhook.ids', 'data..pid', ID_PATH, '"data..pid"'],
		['webhook.ids', [5], ID_PATH, 'an array'],
		...[
			...'reviews.md {page} {page}.html /{page}.md ../{page}.md a/../{page}.md {page}/.md'.split(' '),
			...'{pag}/{page}.md a//{page}.md ./{page}.md {page}..md a\\{page}.md {page}/../x.md'.split(' '),
		].map((path): Row => ['feeds.markdown', path, MARKDOWN, `"${path}"`]),
		['feeds.markdown', { path: (page: string) => page }, MARKDOWN, 'an object'],
		['token', 12345678, TOKEN, 'a value of type number'],
		['provider', { reviews: 5 }, PROVIDER, 'an object'],
		['provider', '', PROVIDER, 'a value of type string'],
		['products', 'p-1', PIDS, '"p-1"'],
		['products', Promise.resolve(['p-1']), PIDS, 'a promise'],
		['storage.driver', REDIS, DRIVER, 'a value of type string'],
		['storage.config', REDIS, 'Expected an object of options of the driver.', 'a value of type string'],
		['storage.config.retryStrategy', () => 1, JSON_ONLY, 'a function'],
		['concurrency', 257, big(256), '257'],
		['concurrency', 1.5, 'Expected int.', '1.5'],
		['concurrency', '8', 'Expected number.', '"8"'],
		['requestsPerSecond', -1, small(0.001), '-1'],
		['timeout', 1, range('50ms', '10m'), '1'],
		['retries', -1, small(0), '-1'],
		['maxAge', -1, range('0ms', '3650d'), '-1'],
		['maxAge', Number.POSITIVE_INFINITY, DURATION, 'Infinity'],
		['maxAge', null, DURATION, 'null'],
		['maxAge', { hours: 1 }, DURATION, 'an object'],
		['buildTimeout', '0.5s', range('1s', '1d'), '"0.5s"'],
		['pruneAfter', '1h', range('1d', '3650d'), '"1h"'],
		['staleIfError', '4000d', range('0ms', '3650d'), '"4000d"'],
		['onError', 'ignore', one('stale', 'omit', 'fail'), '"ignore"'],
		['cacheDir', '', 'Too small: expected string to have >=1 characters.', '""'],
		['display', 'none', one('visible', 'details', 'hidden'), '"none"'],
		['webhook', 'yes', 'Expected object.', '"yes"'],
		['webhook.keyHeader', 'x key', 'Expected the name of a header.', '"x key"'],
		[
			'webhook.from',
			'loox',
			one('woocommerce', 'shopify', 'judgeme', 'okendo', 'stamped', 'sanity'),
			'"loox"',
		],
		['webhook.github', 'storefront', 'Expected a repository as "owner/name".', '"storefront"'],
		['webhook.deployHookEnv', 'https://a.example/7f3a', VARIABLE, 'a value of type string'],
		['labels.count', { one: '{count} review' }, PLURALS, 'an object'],
		['onDemand.timeout', '1m', range('50ms', '10s'), '"1m"'],
		['onDemand.maxProducts', 1, small(2), '1'],
		['sendTokenForReviews', 'yes', 'Expected boolean.', '"yes"'],
		['maxResponseBytes', 10, small(1024), '10'],
		...PATHS.map((path): Row => ['webhook.path', path, PATH, `"${path}"`]),
		...AGES.map((age): Row => ['maxAge', age, DURATION, `"${age}"`]),
	])('%s: %o', async (name, value, takes, received) => {
		const [option = '', ...way] = name.split('.');
		const inner = way.reduceRight<unknown>((within, key) => ({ [key]: within }), value);
		const given = option === 'storage' ? { driver: 'redis', ...(inner as object) } : inner;
		expect(await refusalOf({ [option]: given })).toBe(`- "${name}": ${takes} Received: ${received}.`);
	});

	test.each([[{ keyHeader: 'x-key' }], [{ keyQuery: 'secret' }], [{ ids: 'data.pid' }]])(
		'a service of webhooks, and %j, which the service decides',
		async (other) => {
			expect(await refusalOf({ webhook: { from: 'judgeme', ...other } })).toBe(
				'- "webhook.from": Expected no "keyHeader", "keyQuery" or "ids" beside it: the service decides them. Received: "judgeme".',
			);
			expect(parseOptions({ webhook: { from: 'judgeme' } }).webhook).toMatchObject({ from: 'judgeme' });
		},
	);

	test.each([
		['storage', { driver: 'redis', options: {} }, 'options', 'driver, config'],
		[
			'webhook',
			{ url: 'x' },
			'url',
			'path, from, keyHeader, keyQuery, ids, ignoreTypes, update, deployHookEnv, github, githubTokenEnv',
		],
		['baseUrl', { html: 'x' }, 'html', 'default, starRating, productReviewData, crawlerHtml'],
		['onDemand', { ttl: 5 }, 'ttl', 'maxAge, staleWhileRevalidate, timeout, maxProducts'],
	])('what %s does not have: %j', async (name, value, unknown, takes) => {
		expect(await refusalOf({ [name]: value })).toBe(
			`- Unknown option "${unknown}". "${name}" takes: ${takes}.`,
		);
	});

	test.each([
		[
			'feeds.productRatings',
			{ publisher: 'Shop', favicn: 'x' },
			'"favicn". Did you mean "favicon"?',
			'publisher, favicon, file, incentivizedTag, product',
		],
		['feeds', { markdwn: true }, '"markdwn". Did you mean "markdown"?', 'markdown, productRatings, ratings'],
		['storage', { driver: 'fs', confg: {} }, '"confg". Did you mean "config"?', 'driver, config'],
		[
			'onDemand',
			{ maxage: 5, timout: 5, ttl: 5 },
			'"maxage", "timout", "ttl". Did you mean "maxAge" and "timeout"?',
			'maxAge, staleWhileRevalidate, timeout, maxProducts',
		],
		[
			'labels.count',
			{ othr: 'x', other: 'y' },
			'"othr". Did you mean "other"?',
			'zero, one, two, few, many, other',
		],
	])('what somebody probably meant in %s: %j', async (path, value, said, takes) => {
		const inner = path.split('.').reduceRight<unknown>((within, key) => ({ [key]: within }), value);
		expect(await refusalOf(inner)).toBe(`- Unknown option ${said} "${path}" takes: ${takes}.`);
	});

	test.each([
		['baseUrl', 'https://a.example'],
		['wsid', 'W-1'],
		['token', 'x'],
		['sendTokenForReviews', true],
	])('a provider, and %s of the hosted service', async (name, value) => {
		expect(await messageOf(() => parseOptions({ provider: './reviews.mjs', [name]: value }))).toContain(
			`The options "provider" and "${name}" of productReviews() are both set.`,
		);
		expect(() => parseOptions({ provider: './reviews.mjs', baseUrl: '', wsid: '' })).not.toThrow();
	});

	test('several at once, with the way to the option', async () => {
		const options = {
			concurency: 4,
			retries: '4',
			labels: { star: 'x', summary: { others: 'a', other: 'b' } },
			webhook: { deployHookEnv: 'HOOK', github: 'shop/storefront' },
		};
		expect(await messageOf(() => parseOptions(options))).toMatchInlineSnapshot(`
			"ProductReviewsConfigurationError: The options of productReviews() in the Astro configuration are invalid.
			- "retries": Expected number. Received: "4".
			- "webhook.github": Expected either "deployHookEnv" or "github", not both: one of them starts the rebuild. Received: "shop/storefront".
			- Unknown option "others". Did you mean "other"? "labels.summary" takes: zero, one, two, few, many, other.
			- Unknown option "star". Did you mean "stars"? "labels" takes: heading, rating, stars, count, summary, anonymous, distribution, starCount, recommendShare, topics, mentions, positive, neutral, negative, media, photo, video, reviews, shownOf, latest, verified, incentivized, reply, variant, pinned, testimonial, recommendsNot, tags, helpful, unhelpful, source, filter, filterAll, ownLanguage, readMore, writeReview, noReviews, moreMedia, close, previousMedia, nextMedia, more, pageOf, previousPage, nextPage, questions, answer, unanswered, moreQuestions.
			- Unknown option "concurency". Did you mean "concurrency"? productReviews() takes: baseUrl, wsid, token, provider, products, concurrency, requestsPerSecond, timeout, retries, revalidate, maxAge, staleIfError, buildTimeout, pruneAfter, onError, onDemand, storage, cacheDir, display, authorNames, writeReviewUrl, ownPublishers, audit, webhook, feeds, labels, sendTokenForReviews, maxResponseBytes, logRequests, allowHttp."
		`);
	});

	test.each([['W-1001'], [5], [[]], [true]])('%j is no object of options', async (options) => {
		expect(await refusalOf(options)).toMatch(/^- Expected an object of options, received .+\.$/);
	});
});

test.each<[number | string, number]>([
	[0, 0],
	[1_500, 1_500],
	['500ms', 500],
	['10s', 10_000],
	['1.5s', 1_500],
	[' 5 m ', 300_000],
	['1h', HOUR],
	['30d', 30 * 24 * HOUR],
])('as a length of time, %j is %i ms', (maxAge, milliseconds) => {
	expect(parseOptions({ maxAge }).maxAge).toBe(milliseconds);
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
