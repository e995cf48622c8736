import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { loadEnv } from 'vite';
import { expect, test } from 'vitest';
import { connectionOf, readEnvironment } from '../../../src/project/environment.js';
import { findConfig, type WrittenManifest } from '../../../src/project/manifest.js';

const MODES = {
	'.env': 'REVIEWS_TOKEN=a\nREVIEWS_WSID=a\nREVIEWS_BASE_URL=a\nREVIEWS_X=a',
	'.env.local': 'REVIEWS_WSID=b\nREVIEWS_BASE_URL=b\nREVIEWS_X=b',
	'.env.production': 'REVIEWS_BASE_URL=c\nREVIEWS_X=c',
	'.env.production.local': 'REVIEWS_X=d',
	'.env.development': 'REVIEWS_TOKEN=no',
};

const ref = (name: string) => `\${${name}}`;

test.each<[string, Record<string, string>]>([
	['quotes', { '.env': 'REVIEWS_TOKEN="a b"\nREVIEWS_WSID=\'c #d\'' }],
	['comments and blank lines', { '.env': '# REVIEWS_TOKEN=no\n\nREVIEWS_TOKEN=a # a comment\n' }],
	['CRLF and spaces', { '.env': 'REVIEWS_TOKEN = a \r\nREVIEWS_WSID=b\r\n' }],
	['export', { '.env': 'export REVIEWS_TOKEN=a' }],
	['an equals sign in a value', { '.env': 'REVIEWS_TOKEN=a=b==' }],
	['lines in a value', { '.env': 'REVIEWS_TOKEN="a\nb"' }],
	['an empty value', { '.env': 'REVIEWS_TOKEN=' }],
	['the mode, and what is local', MODES],
	['a reference', { '.env': `REVIEWS_TOKEN=${ref('SECRET_OF_SHOP')}\nSECRET_OF_SHOP=a` }],
	['a reference to the process', { '.env': `REVIEWS_TOKEN=${ref('PATH')}` }],
	['a reference to another file', { '.env': 'OTHER=a', '.env.local': `REVIEWS_TOKEN="x-${ref('OTHER')}"` }],
	['a reference with a default', { '.env': `REVIEWS_TOKEN=${ref('NOT_SET:-a$b')}` }],
	['a dollar sign', { '.env': 'REVIEWS_TOKEN=a\\$b\nREVIEWS_WSID=c$' }],
	['none', {}],
])('builds and commands read .env files as Vite does: %s', (_name, files) => {
	const folder = createFolder('env');
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	const own = Object.entries(readEnvironment('production', folder)).filter(([name]) =>
		/^REVIEWS_/.test(name),
	);
	expect(Object.fromEntries(own)).toEqual(loadEnv('production', folder, 'REVIEWS_'));
});

test('a folder of that name is none, and a token that is set since the build is not used', async () => {
	const folder = createFolder('env');
	mkdirSync(join(folder, '.env'));
	expect(readEnvironment('production', folder)).toEqual(process.env);
	const build = {
		baseUrl: 'https://reviews.example',
		wsid: 'W-1',
		hasToken: false,
		options: {},
	} as WrittenManifest;
	const { baseUrl, wsid } = build;
	const connection = await connectionOf(build, { REVIEWS_TOKEN: 'set since' });
	expect(connection).toMatchObject({ baseUrl, wsid, token: undefined });
});

test('the API key that is set now replaces a token of the build; addresses stay those of the build', async () => {
	const build = {
		baseUrl: 'https://reviews.example',
		wsid: 'W-1',
		hasToken: true,
		options: {},
	} as WrittenManifest;
	const moved = {
		REVIEWS_BASE_URL: 'https://other.example',
		REVIEWS_BASE_URL_STAR_RATING: 'https://other.example',
	};
	const connection = await connectionOf(build, { REVIEWS_API_KEY: 'the-key', ...moved });
	const tokenUrl = 'https://reviews.example/api/v1/authToken';
	expect(connection).toMatchObject({ baseUrl: build.baseUrl, tokenUrl });
	await expect(connectionOf(build, moved)).rejects.toThrow(
		'The last build had an access token, but there is none now.',
	);
});

test.each([
	['build', 'astro.config.mjs'],
	['build --config shop.config.mjs', 'shop.config.mjs'],
	['build --config=shop.config.mjs', 'shop.config.mjs'],
])('a change of the configuration is noticed: astro %s', (line, name) => {
	const root = createFolder('config');
	for (const file of ['astro.config.mjs', 'shop.config.mjs']) writeFileSync(join(root, file), 'one');
	const found = () => findConfig(root, line.split(' '));
	const before = found();
	expect(before.configFile).toBe(name);
	writeFileSync(join(root, name), 'two');
	expect(found().config).not.toBe(before.config);
	rmSync(join(root, 'shop.config.mjs'));
	expect(found().configFile).toBe('astro.config.mjs');
});
