import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { errorOf } from 'product-reviews-test-support/error-of';
import { createFolder } from 'product-reviews-test-support/folder';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { readEnvironment } from '../../../src/options/read-environment.js';
import { startReviewService } from '../../../src/service/start-review-service.js';
import { messageOf } from '../../support/unit/error.js';

const TOKEN = 'canary-7f3a/9+b1==';

afterEach(() => vi.unstubAllEnvs());

describe('each value comes from the options, else the process, else the .env files', () => {
	function resolveIn(
		files: Record<string, string>,
		options: Record<string, unknown> = {},
		mode = 'production',
	) {
		const folder = createFolder();
		for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
		return resolveConnection(parseOptions(options), readEnvironment(mode, folder));
	}
	const DOT_ENV = `REVIEWS_BASE_URL=https://file.example\nREVIEWS_WSID="W-file"\nREVIEWS_TOKEN=${TOKEN}\n`;

	test('the .env file alone', async () => {
		const connection = resolveIn({ '.env': DOT_ENV });
		expect(connection).toMatchObject({ baseUrl: 'https://file.example', wsid: 'W-file' });
		expect(await connection.token?.()).toBe(TOKEN);
	});

	test('the file of the mode comes before .env', () => {
		const files = { '.env': DOT_ENV, '.env.staging': 'REVIEWS_WSID=W-staging' };
		expect(resolveIn(files, {}, 'staging').wsid).toBe('W-staging');
		expect(resolveIn(files, {}, 'production').wsid).toBe('W-file');
	});

	test('the process comes before the files', async () => {
		vi.stubEnv('REVIEWS_BASE_URL', 'https://process.example');
		vi.stubEnv('REVIEWS_TOKEN', 'from-process');
		const connection = resolveIn({ '.env': DOT_ENV });
		expect(connection).toMatchObject({ baseUrl: 'https://process.example', wsid: 'W-file' });
		expect(await connection.token?.()).toBe('from-process');
	});

	test('the options come before both', async () => {
		vi.stubEnv('REVIEWS_WSID', 'W-process');
		const given = { baseUrl: 'https://option.example', wsid: 'W-option', token: async () => 'from-option' };
		const connection = resolveIn({ '.env': DOT_ENV }, given);
		expect(connection).toMatchObject({ baseUrl: given.baseUrl, wsid: given.wsid });
		expect(await connection.token?.()).toBe('from-option');
	});

	test('white space around a value, as a .env file may have it, is no part of it', () => {
		vi.stubEnv('REVIEWS_WSID', ' W-1 ');
		expect(resolveIn({ '.env': DOT_ENV }, { baseUrl: ' https://a.example ' })).toMatchObject({
			baseUrl: 'https://a.example',
			wsid: 'W-1',
		});
	});
});

describe('what is not known is named with its option and its variable', () => {
	const ADDRESS =
		'Set the option "baseUrl" of productReviews(), or REVIEWS_BASE_URL in the environment or in .env.';
	const WSID = 'Set the option "wsid" of productReviews(), or REVIEWS_WSID in the environment or in .env.';

	test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
		['the address of the review service and the website id of the store', {}, {}, `${ADDRESS}\n${WSID}`],
		['the address of the review service', { wsid: 'W-1' }, {}, ADDRESS],
		[
			'the website id of the store',
			{ wsid: ' ' },
			{ REVIEWS_BASE_URL: 'https://a.example', REVIEWS_WSID: ' ' },
			WSID,
		],
	])('%s', async (what, options, environment, hint) => {
		expect(await messageOf(() => resolveConnection(parseOptions(options), environment))).toBe(
			`ProductReviewsConfigurationError: Not set: ${what}.\n${hint}`,
		);
	});
});

describe('the account', () => {
	const accountOf = (baseUrl: string, wsid: string) =>
		resolveConnection({ baseUrl, wsid, token: undefined }, {}).account;
	const ACCOUNT = accountOf('https://a.example', 'W-1');

	test('says neither the address nor the website id', () => {
		expect(ACCOUNT).toMatch(/^[0-9a-f]{16}$/);
	});
	test.each([['https://a.example/'], ['https://A.example'], ['https://a.example:443']])(
		'%s is the same',
		(baseUrl) => {
			expect(accountOf(baseUrl, 'W-1')).toBe(ACCOUNT);
		},
	);
	test.each([
		['https://b.example', 'W-1'],
		['http://a.example', 'W-1'],
		['https://a.example', 'w-1'],
		['https://a.example:8443', 'W-1'],
	])('%s and %s are another', (baseUrl, wsid) => {
		expect(accountOf(baseUrl, wsid)).not.toBe(ACCOUNT);
	});
});

describe('an address or option that cannot be used', () => {
	const start = (userOptions: Record<string, unknown>, environment: Record<string, string> = {}) => {
		const options = parseOptions({ wsid: 'W-1', ...userOptions });
		return startReviewService(resolveConnection(options, environment), options);
	};

	const SCHEME = 'Give the origin of the service with its scheme, as in https://reviews.example.';

	test.each<[string, string]>([
		[
			'https://reviews.example/api/v1',
			'The option baseUrl contains a path, but only an origin is allowed. Write https://reviews.example instead.',
		],
		[
			'https://reviews.example/?key=1',
			'The option baseUrl contains a query string, but only an origin is allowed. Write https://reviews.example instead.',
		],
		[
			'https://merchant:secret@reviews.example',
			'The option baseUrl contains credentials, but only an origin is allowed. Write https://reviews.example instead.',
		],
		['reviews.example', `The option baseUrl is not an http address: "reviews.example". ${SCHEME}`],
		[
			'ftp://reviews.example',
			`The option baseUrl is not an http address: "ftp://reviews.example". ${SCHEME}`,
		],
		[
			'http://reviews.example',
			'The option baseUrl, http://reviews.example, is not encrypted. Write https://reviews.example instead, or set allowHttp to true if the network in between is your own.',
		],
	])('%s', async (baseUrl, message) => {
		expect(await messageOf(() => start({ baseUrl }))).toBe(
			`ProductReviewsConfigurationError: ${message}\nIt comes from the option "baseUrl" of productReviews(). Expected an address such as "https://reviews.example".`,
		);
	});

	test('a token that is wanted and missing', async () => {
		expect(
			await messageOf(() => start({ baseUrl: 'https://reviews.example', authorizeCrawlerHtml: true })),
		).toMatchInlineSnapshot(`
				"ProductReviewsConfigurationError: The option "authorizeCrawlerHtml" is on, but there is no token to send.
				Set the option "token" of productReviews(), or REVIEWS_TOKEN in the environment or in .env."
			`);
	});

	test('an address from the environment is named so', async () => {
		expect(await messageOf(() => start({}, { REVIEWS_BASE_URL: 'https://reviews.example/api' }))).toContain(
			'It comes from REVIEWS_BASE_URL.',
		);
	});

	test('no part of the error holds a secret', async () => {
		for (const baseUrl of [
			`https://user:${TOKEN}@a.example`,
			`https://a.example?token=${TOKEN}`,
			`x${TOKEN}@`,
		]) {
			const error = await errorOf(() => start({ baseUrl, token: TOKEN, authorizeCrawlerHtml: true }));
			expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('canary-7f3a');
		}
	});
});

test('an empty token is none', () => {
	const environment = { REVIEWS_BASE_URL: 'https://a.example', REVIEWS_WSID: 'W-1', REVIEWS_TOKEN: '' };
	expect(
		resolveConnection({ baseUrl: undefined, wsid: undefined, token: undefined }, environment).token,
	).toBeUndefined();
});

test('a connection shows no token', () => {
	const connection = resolveConnection(
		parseOptions({ baseUrl: 'https://a.example', wsid: 'W-1', token: TOKEN }),
		{},
	);
	expect(inspect(connection, { depth: 10, showHidden: true })).not.toContain(TOKEN);
	expect(JSON.stringify(connection)).not.toContain(TOKEN);
});
