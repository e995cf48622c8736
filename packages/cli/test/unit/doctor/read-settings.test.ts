import { expect, test } from 'vitest';
import { readSettings } from '../../../src/doctor/gather/read-settings.js';

const of = (found: ReturnType<typeof readSettings>, id: string) => found.find((setting) => setting.id === id);

test('options come before the environment, and that before the files', () => {
	const files = [
		{ name: '.env.local', variables: { REVIEWS_WSID: 'W-2' } },
		{ name: '.env', variables: { REVIEWS_WSID: 'W-3', REVIEWS_TOKEN: 'secret-token' } },
	];
	const found = readSettings({
		options: { baseUrl: 'https://reviews.example' },
		environment: { REVIEWS_BASE_URL: 'https://other.example', REVIEWS_WSID: 'W-1' },
		files,
	});
	expect(of(found, 'baseUrl')).toMatchObject({ origin: 'the option "baseUrl"', hides: 'the environment' });
	expect(of(found, 'wsid')).toMatchObject({ shown: 'W-1', origin: 'the environment', hides: '.env.local' });
	expect(of(found, 'token')).toMatchObject({ shown: 'set (12 characters)', origin: '.env' });
	expect(of(found, 'webhookSecret')).toMatchObject({ shown: undefined, origin: undefined });
	expect(JSON.stringify(found)).not.toContain('secret-token');
});

test('an empty variable is set to nothing', () => {
	const found = readSettings({
		options: {},
		environment: { REVIEWS_TOKEN: '' },
		files: [{ name: '.env', variables: { REVIEWS_TOKEN: 'token' } }],
	});
	expect(of(found, 'token')).toMatchObject({ shown: undefined, origin: 'the environment', hides: '.env' });
});

test('nothing that may be a secret is shown', () => {
	const found = readSettings({
		options: { token: () => 'from a function' },
		environment: {
			REVIEWS_BASE_URL: 'https://user:password@reviews.example',
			REVIEWS_WEBHOOK_SECRET: 'whsec_x',
		},
		files: [],
	});
	expect(of(found, 'token')).toMatchObject({ shown: 'a function', length: undefined });
	expect(JSON.stringify(found)).not.toMatch(/password|whsec_x|from a function/);
});
