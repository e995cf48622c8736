import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { errorOf } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type BaseUrl, findMissing, resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { placeOfVariables, readEnvironment } from '../../../src/project/environment.js';
import { startReviewService } from '../../../src/providers/start-review-service.js';
import { messageOf } from '../../support/unit/error.js';

const TOKEN = 'canary-7f3a/9+b1==';

const URLS_OF_ALL = {
	REVIEWS_BASE_URL_STAR_RATING: 'https://stars.example',
	REVIEWS_BASE_URL_PRODUCT_REVIEW_DATA: 'https://data.example',
	REVIEWS_BASE_URL_CRAWLER_HTML: 'https://html.example',
};

afterEach(() => vi.unstubAllEnvs());

describe('each value comes from the options, else the process, else the .env files', () => {
	const DOT_ENV = `REVIEWS_BASE_URL=https://file.example\nREVIEWS_WSID="W-file"\nREVIEWS_TOKEN=${TOKEN}\n`;
	const token = async () => 'from-option';
	const given = { baseUrl: ' https://option.example ', wsid: 'W-option', token };
	const blank = { REVIEWS_WSID: ' W ', REVIEWS_TOKEN: '' };
	const process = { REVIEWS_BASE_URL: 'https://process.example', REVIEWS_TOKEN: 'from-process' };

	test.each<[string, Record<string, string>, Record<string, unknown>, string, (string | undefined)[]]>([
		['the .env file alone', {}, {}, 'production', ['https://file.example', 'W-file', TOKEN]],
		['the file of the mode', {}, {}, 'staging', ['https://file.example', 'W-staging', TOKEN]],
		['the process', process, {}, 'production', ['https://process.example', 'W-file', 'from-process']],
		['the options', process, given, 'production', ['https://option.example', 'W-option', 'from-option']],
		// As a .env file may have it, white space around a value is no part of it. An empty token is none.
		['white space', blank, {}, 'dev', ['https://file.example', 'W', undefined]],
	])('%s', async (_what, variables, options, mode, expected) => {
		const folder = createFolder();
		writeFileSync(join(folder, '.env'), DOT_ENV);
		writeFileSync(join(folder, '.env.staging'), 'REVIEWS_WSID=W-staging');
		for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
		const connection = resolveConnection(parseOptions(options), readEnvironment(mode, folder));
		expect([connection.baseUrl, connection.wsid, await connection.token?.()]).toEqual(expected);
	});
});

describe('operations at different addresses', () => {
	const resolve = (baseUrl: BaseUrl | undefined, variables: Record<string, string> = {}) =>
		resolveConnection(parseOptions({ wsid: 'W-1', ...(baseUrl !== undefined && { baseUrl }) }), variables);
	const HTML = { REVIEWS_BASE_URL_CRAWLER_HTML: 'https://html.example/b' };
	const [A, B] = ['https://a.example', 'https://html.example/b'];

	test.each<[string, BaseUrl | undefined, Record<string, string>, BaseUrl]>([
		['a URL', new URL(`${A}/x`) as never, {}, `${A}/x`],
		['one of an option', { default: `${A}/x`, starRating: '  ' }, {}, `${A}/x`],
		['several of an option', { default: A, crawlerHtml: B }, {}, { default: A, crawlerHtml: B }],
		[
			'several of the environment',
			undefined,
			{ REVIEWS_BASE_URL: A, ...HTML },
			{ default: A, crawlerHtml: B },
		],
		['one of each', A, HTML, { default: A, crawlerHtml: B }],
		[
			'an option before the environment',
			{ default: A, crawlerHtml: A },
			HTML,
			{ default: A, crawlerHtml: A },
		],
		[
			'each on its own',
			{ starRating: A },
			{ ...HTML, REVIEWS_BASE_URL_PRODUCT_REVIEW_DATA: A },
			{ starRating: A, productReviewData: A, crawlerHtml: B },
		],
	])('are %s', (_name, option, variables, expected) => {
		expect(resolve(option, variables).baseUrl).toEqual(expected);
	});

	test('have to be complete, and are checked by name', async () => {
		expect(() => resolve({ starRating: A }, HTML)).toThrow('Not set: the address of the review service.');
		const start = (baseUrl: BaseUrl, variables = {}) =>
			startReviewService(resolve(baseUrl, variables), parseOptions({ baseUrl, wsid: 'W-1' }));
		expect(await messageOf(() => start(A, { REVIEWS_BASE_URL_CRAWLER_HTML: 'b.example' }))).toMatch(
			/The option baseUrl\.crawlerHtml is not an http address: "b\.example".*\nIt comes from REVIEWS_BASE_URL_CRAWLER_HTML\./,
		);
		expect(() => parseOptions({ baseUrl: { starRating: 'b.example' } })).toThrow('baseUrl.starRating is not');
		expect(await messageOf(() => start({ default: A, starRating: 'http://b.example' }))).toContain(
			'It comes from the option "baseUrl.starRating" of productReviews().',
		);
	});

	test('are one account, which a path or another address changes', () => {
		const accounts = [A, `${A}/x`, `${A}/y`, { default: A, crawlerHtml: B }, { default: A, starRating: B }];
		expect(new Set(accounts.map((baseUrl) => resolve(baseUrl).account)).size).toBe(accounts.length);
		const same = [
			`${A}/`,
			{ default: A, crawlerHtml: `${A}/` },
			{ starRating: A, productReviewData: A, crawlerHtml: A },
		];
		for (const baseUrl of same) expect(resolve(baseUrl).account).toBe(resolve(A).account);
	});
});

describe('a token for an API key', () => {
	const environment = {
		REVIEWS_BASE_URL: 'https://a.example/x/',
		REVIEWS_WSID: 'W-1',
		REVIEWS_API_KEY: ` ${TOKEN} `,
	};
	const resolve = (more: Record<string, string> = {}, options = {}) =>
		resolveConnection(options, { ...environment, ...more });

	test.each<[Record<string, string>, string]>([
		[{}, 'https://a.example/x/api/v1/authToken'],
		[{ REVIEWS_TOKEN_URL: 'https://b.example/token' }, 'https://b.example/token'],
		[{ REVIEWS_BASE_URL: '', ...URLS_OF_ALL }, 'https://stars.example/api/v1/authToken'],
	])('is requested at the address of %j', async (variables, url) => {
		const asked: string[] = [];
		vi.stubGlobal('fetch', async (input: string) => {
			asked.push(input);
			return Response.json({ authToken: `t-${asked.length}` });
		});
		onTestFinished(() => void vi.unstubAllGlobals());
		const { tokenUrl, token, origins } = resolve(variables);
		expect([tokenUrl, origins.token]).toEqual([url, 'REVIEWS_API_KEY in the environment or in .env']);
		// Each build, server and command makes a connection of its own.
		const tokens = [
			await token?.(),
			await resolve(variables).token?.(),
			await token?.('t-1'),
			await token?.('t-1'),
		];
		expect(tokens).toEqual(['t-1', 't-1', 't-2', 't-2']);
		expect(asked).toEqual(Array(2).fill(`${url}?api_key=${encodeURIComponent(TOKEN)}`));
	});

	test('is not requested where there is a token, and its address is checked', async () => {
		const { token, tokenUrl } = resolve({ REVIEWS_TOKEN: 'given' });
		expect([await token?.(), tokenUrl]).toEqual(['given', undefined]);
		expect(await resolve({}, { token: () => 'of an option' }).token?.()).toBe('of an option');
		const connection = resolve({ REVIEWS_TOKEN_URL: 'http://b.example' });
		expect(await messageOf(() => startReviewService(connection, parseOptions({})))).toMatch(
			/The option url of apiKeyToken\(\), http:\/\/b\.example, is not encrypted.*\nIt comes from REVIEWS_TOKEN_URL\./,
		);
		const all = { depth: 10, showHidden: true };
		expect(inspect(connection, all) + JSON.stringify(connection)).not.toContain('canary-7f3a');
		expect(findMissing({}, environment).map(({ option }) => option)).toEqual(['products']);
	});
});

const ADDRESS =
	'Set the option "baseUrl" of productReviews(), or REVIEWS_BASE_URL in the environment or in .env.';
const WSID = 'Set the option "wsid" of productReviews(), or REVIEWS_WSID in the environment or in .env.';

test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
	['the address of the review service and the website ID of the store', {}, {}, `${ADDRESS}\n${WSID}`],
	['the address of the review service', { wsid: 'W-1' }, {}, ADDRESS],
	['the website ID of the store', { wsid: ' ', baseUrl: 'https://a.example' }, { REVIEWS_WSID: ' ' }, WSID],
])('%s: what is missing is named with option and variable', async (what, options, environment, hint) => {
	expect(await messageOf(() => resolveConnection(parseOptions(options), environment))).toBe(
		`ProductReviewsConfigurationError: Not set: ${what}.\n${hint}`,
	);
});

test('where variables can be set is named, if it is known', async () => {
	const place = placeOfVariables('/projects/shop', '/projects/shop/config');
	expect(place).toBe('in the environment or in the file .env in the folder "shop/config"');
	expect(placeOfVariables('/projects/shop', '/projects/shop')).toContain('in the folder "shop"');
	expect(placeOfVariables('/projects/shop', false)).toBe('in the environment');
	const message = await messageOf(() => resolveConnection({ wsid: 'W-1' }, {}, place));
	expect(message).toContain(`or REVIEWS_BASE_URL ${place}.`);
});

test('where the URL of each operation is set is known', () => {
	const resolve = (baseUrl: BaseUrl | undefined, environment: Record<string, string>) =>
		resolveConnection({ baseUrl, wsid: 'W-1' }, environment).urlOrigins;
	const [url, option] = ['https://a.example', 'of productReviews()'];
	expect(resolve({ default: url, starRating: url }, { REVIEWS_BASE_URL_CRAWLER_HTML: url })).toEqual({
		starRating: `the option "baseUrl.starRating" ${option}`,
		productReviewData: `the option "baseUrl" ${option}`,
		crawlerReviews: 'REVIEWS_BASE_URL_CRAWLER_HTML in the environment or in .env',
	});
	expect(resolve(undefined, { REVIEWS_BASE_URL: url }).starRating).toBe(
		'REVIEWS_BASE_URL in the environment or in .env',
	);
});

test('the account is the same for a service and website, however they are written, and says neither', () => {
	const accountOf = (baseUrl: string, wsid = 'W-1') =>
		resolveConnection({ baseUrl, wsid, token: undefined }, {}).account;
	const account = accountOf('https://a.example');
	expect(account).toMatch(/^[0-9a-f]{16}$/);
	for (const same of ['https://a.example/', 'https://A.example', 'https://a.example:443'])
		expect(accountOf(same)).toBe(account);
	for (const other of ['https://b.example', 'http://a.example', 'https://a.example:8443'])
		expect(accountOf(other)).not.toBe(account);
	expect(accountOf('https://a.example', 'w-1')).not.toBe(account);
});

describe('an address or option that cannot be used', () => {
	const start = (userOptions: Record<string, unknown>, environment: Record<string, string> = {}) => {
		const options = parseOptions({ wsid: 'W-1', ...userOptions });
		return startReviewService(resolveConnection(options, environment), options);
	};

	test('is said as the client says it, with where it came from', async () => {
		expect(await messageOf(() => start({ baseUrl: 'https://reviews.example/?key=1' }))).toBe(
			'ProductReviewsConfigurationError: The option baseUrl contains a query string. Write https://reviews.example instead.\nIt comes from the option "baseUrl" of productReviews(). Expected an address such as "https://reviews.example".',
		);
	});

	test('a token that is wanted and missing, and an address from the environment, are named so', async () => {
		const wanted = { baseUrl: 'https://reviews.example', sendTokenForReviews: true };
		expect(await messageOf(() => start(wanted))).toBe(
			'ProductReviewsConfigurationError: The option "sendTokenForReviews" is on, but there is no token to send.\nSet the option "token" of productReviews(), or REVIEWS_TOKEN in the environment or in .env.',
		);
		const environment = { REVIEWS_BASE_URL: 'https://reviews.example?a' };
		expect(await messageOf(() => start({}, environment))).toContain('It comes from REVIEWS_BASE_URL.');
	});

	test('no part of the error, or of a connection, holds a secret', async () => {
		const all = { depth: 10, showHidden: true };
		for (const baseUrl of [`https://u:${TOKEN}@a.example`, `https://a.example?k=${TOKEN}`, `x${TOKEN}@`]) {
			const error = await errorOf(() => start({ baseUrl, token: TOKEN, sendTokenForReviews: true }));
			expect(inspect(error, all)).not.toContain('canary-7f3a');
		}
		const options = parseOptions({ baseUrl: 'https://a.example', wsid: 'W-1', token: TOKEN });
		const connection = resolveConnection(options, {});
		expect(inspect(connection, all) + JSON.stringify(connection)).not.toContain('canary-7f3a');
	});
});
