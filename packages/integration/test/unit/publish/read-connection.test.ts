import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { loadEnv } from 'vite';
import { expect, test } from 'vitest';
import { readConnection, readEnvironmentFiles } from '../../../src/publish/read-connection.js';

const MODES = {
	'.env': 'REVIEWS_TOKEN=a\nREVIEWS_WSID=a\nREVIEWS_BASE_URL=a\nREVIEWS_X=a',
	'.env.local': 'REVIEWS_WSID=b\nREVIEWS_BASE_URL=b\nREVIEWS_X=b',
	'.env.production': 'REVIEWS_BASE_URL=c\nREVIEWS_X=c',
	'.env.production.local': 'REVIEWS_X=d',
	'.env.development': 'REVIEWS_TOKEN=no',
};

test.each<[string, Record<string, string>]>([
	['one', { '.env': 'REVIEWS_TOKEN=a' }],
	['quotes', { '.env': 'REVIEWS_TOKEN="a b"\nREVIEWS_WSID=\'c #d\'' }],
	['comments and blank lines', { '.env': '# REVIEWS_TOKEN=no\n\nREVIEWS_TOKEN=a # a comment\n' }],
	['CRLF and spaces', { '.env': 'REVIEWS_TOKEN = a \r\nREVIEWS_WSID=b\r\n' }],
	['export', { '.env': 'export REVIEWS_TOKEN=a' }],
	['an equals sign in a value', { '.env': 'REVIEWS_TOKEN=a=b==' }],
	['lines in a value', { '.env': 'REVIEWS_TOKEN="a\nb"' }],
	['an empty value', { '.env': 'REVIEWS_TOKEN=' }],
	['the mode, and what is local', MODES],
	['none', {}],
])('a publish reads .env files as Vite does: %s', (_name, files) => {
	const folder = createFolder('env');
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	expect(readEnvironmentFiles(folder, 'production')).toEqual(loadEnv('production', folder, 'REVIEWS_'));
});

test('a folder of that name is none, and a token that is set since the build is not used', () => {
	const folder = createFolder('env');
	mkdirSync(join(folder, '.env'));
	expect(readEnvironmentFiles(folder, 'production')).toEqual({});
	const output = { baseUrl: 'https://reviews.example', wsid: 'W-1', hasToken: false, mode: 'production' };
	const { baseUrl, wsid, token } = readConnection(output, folder, { REVIEWS_TOKEN: 'set since' });
	expect({ ...output, baseUrl, wsid, token }).toEqual({ ...output, token: undefined });
});
