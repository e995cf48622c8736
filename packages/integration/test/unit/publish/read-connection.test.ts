import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { loadEnv } from 'vite';
import { describe, expect, test } from 'vitest';
import { readConnection, readEnvironmentFiles } from '../../../src/publish/read-connection.js';
import { messageOf } from '../../support/unit/error.js';

const OUTPUT = { baseUrl: 'https://reviews.example', wsid: 'W-1', hasToken: true, mode: 'production' };

function createEnvironment(files: Readonly<Record<string, string>>): string {
	const folder = createFolder('env');
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	return folder;
}

describe('.env files', () => {
	test.each([
		['one', { '.env': 'REVIEWS_TOKEN=a' }],
		['quotes', { '.env': 'REVIEWS_TOKEN="a b"\nREVIEWS_WSID=\'c #d\'' }],
		['comments and blank lines', { '.env': '# REVIEWS_TOKEN=no\n\nREVIEWS_TOKEN=a # a comment\n' }],
		['CRLF and spaces', { '.env': 'REVIEWS_TOKEN = a \r\nREVIEWS_WSID=b\r\n' }],
		['export', { '.env': 'export REVIEWS_TOKEN=a' }],
		['an equals sign in a value', { '.env': 'REVIEWS_TOKEN=a=b==' }],
		['lines in a value', { '.env': 'REVIEWS_TOKEN="a\nb"' }],
		['an empty value', { '.env': 'REVIEWS_TOKEN=' }],
		[
			'the mode, and what is local',
			{
				'.env': 'REVIEWS_TOKEN=a\nREVIEWS_WSID=a\nREVIEWS_BASE_URL=a\nREVIEWS_X=a',
				'.env.local': 'REVIEWS_WSID=b\nREVIEWS_BASE_URL=b\nREVIEWS_X=b',
				'.env.production': 'REVIEWS_BASE_URL=c\nREVIEWS_X=c',
				'.env.production.local': 'REVIEWS_X=d',
				'.env.development': 'REVIEWS_TOKEN=no',
			},
		],
		['none', {}],
	])('%s: as Vite reads them', (_name, files) => {
		const folder = createEnvironment(files);
		const read = readEnvironmentFiles(folder, 'production');
		expect(read).toEqual(loadEnv('production', folder, 'REVIEWS_'));
	});

	test('a folder of that name is none', () => {
		const folder = createFolder('env');
		mkdirSync(join(folder, '.env'));
		expect(readEnvironmentFiles(folder, 'production')).toEqual({});
	});
});

test('the token is taken from the environment, or else from .env', async () => {
	const folder = createEnvironment({ '.env': 'REVIEWS_TOKEN=from-file' });
	const tokenOf = (environment: Record<string, string>) =>
		readConnection(OUTPUT, folder, environment).token?.();
	expect(await tokenOf({})).toBe('from-file');
	expect(await tokenOf({ REVIEWS_TOKEN: 'from-process' })).toBe('from-process');
});

test('a build without a token is published without one', () => {
	const connection = readConnection({ ...OUTPUT, hasToken: false }, false, { REVIEWS_TOKEN: 'set since' });
	expect(connection.token).toBeUndefined();
	expect(connection).toMatchObject({ baseUrl: OUTPUT.baseUrl, wsid: OUTPUT.wsid });
});

test('a token that is gone is an error that says where to set it', async () => {
	expect(await messageOf(() => readConnection(OUTPUT, false, {}))).toBe(
		'ProductReviewsConfigurationError: The last build had an access token, but there is none now.\nSet REVIEWS_TOKEN in the environment or in .env. The store does not keep it.',
	);
});
