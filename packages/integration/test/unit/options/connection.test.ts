import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { errorOf } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { resolveConnection } from '../../../src/options/connection.js';
import { parseOptions } from '../../../src/options/parse-options.js';
import { startReviewService } from '../../../src/service/start-review-service.js';
import { readEnvironment } from '../../../src/session/trust.js';
import { messageOf } from '../../support/unit/error.js';

const TOKEN = 'canary-7f3a/9+b1==';

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

const ADDRESS =
	'Set the option "baseUrl" of productReviews(), or REVIEWS_BASE_URL in the environment or in .env.';
const WSID = 'Set the option "wsid" of productReviews(), or REVIEWS_WSID in the environment or in .env.';

test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
	['the address of the review service and the website id of the store', {}, {}, `${ADDRESS}\n${WSID}`],
	['the address of the review service', { wsid: 'W-1' }, {}, ADDRESS],
	['the website id of the store', { wsid: ' ', baseUrl: 'https://a.example' }, { REVIEWS_WSID: ' ' }, WSID],
])(
	'%s: what is not known is named with its option and its variable',
	async (what, options, environment, hint) => {
		expect(await messageOf(() => resolveConnection(parseOptions(options), environment))).toBe(
			`ProductReviewsConfigurationError: Not set: ${what}.\n${hint}`,
		);
	},
);

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

	const SCHEME = 'Give the origin of the service with its scheme, as in https://reviews.example.';

	const only = (what: string) =>
		`The option baseUrl contains ${what}, but only an origin is allowed. Write https://reviews.example instead.`;
	const none = (address: string) => `The option baseUrl is not an http address: "${address}". ${SCHEME}`;
	test.each<[string, string]>([
		['https://reviews.example/api/v1', only('a path')],
		['https://reviews.example/?key=1', only('a query string')],
		['https://merchant:secret@reviews.example', only('credentials')],
		['reviews.example', none('reviews.example')],
		['ftp://reviews.example', none('ftp://reviews.example')],
		[
			'http://reviews.example',
			'The option baseUrl, http://reviews.example, is not encrypted. Write https://reviews.example instead, or set allowHttp to true if the network in between is your own.',
		],
	])('%s', async (baseUrl, message) => {
		expect(await messageOf(() => start({ baseUrl }))).toBe(
			`ProductReviewsConfigurationError: ${message}\nIt comes from the option "baseUrl" of productReviews(). Expected an address such as "https://reviews.example".`,
		);
	});

	test('a token that is wanted and missing, and an address from the environment, are named so', async () => {
		const wanted = { baseUrl: 'https://reviews.example', sendTokenForReviews: true };
		expect(await messageOf(() => start(wanted))).toBe(
			'ProductReviewsConfigurationError: The option "sendTokenForReviews" is on, but there is no token to send.\nSet the option "token" of productReviews(), or REVIEWS_TOKEN in the environment or in .env.',
		);
		const environment = { REVIEWS_BASE_URL: 'https://reviews.example/api' };
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
