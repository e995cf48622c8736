import { NOW } from 'product-reviews-test-support/clock';
import { SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { formatLine, readCommand } from '../../../src/node/command-line.js';

const KEY = 'canary-key-of-the-tests';
const ENVIRONMENT = { REVIEWS_WEBHOOK_SECRET: SECRET };
const read = (line: string, environment: Record<string, string> = ENVIRONMENT) =>
	readCommand(line.split(' ').filter(Boolean), environment);

test('there are defaults for everything but the secret and the way to rebuild', () => {
	expect(read('--run true')).toMatchObject({
		port: 4_500,
		host: '127.0.0.1',
		path: '/',
		queueFile: '.product-reviews/changes.db',
		verify: [expect.any(Function)],
	});
});

test.each([
	[
		'--port 0 --host ::1 --path /x --queue-file d.db',
		{ port: 0, host: '::1', path: '/x', queueFile: 'd.db' },
	],
	['--debounce 1m --max-wait 1.5h', { debounce: 60_000, maxWait: 5_400_000 }],
	['--debounce 500ms --max-wait 0s', { debounce: 500, maxWait: 0 }],
	['--immediate', { debounce: 0 }],
	['--forward https://shop.example/webhook', { forward: { url: 'https://shop.example/webhook' } }],
	['--key-header x-key --key-env K', { verify: [expect.any(Function), expect.any(Function)] }],
	['--secret-env K --key-header x-key --key-env K --help', 'help'],
])('%s is read', (line, expected) => {
	const command = read(`--run true ${line}`, { ...ENVIRONMENT, K: KEY });
	if (typeof expected === 'string') expect(command).toBe(expected);
	else expect(command).toMatchObject(expected);
});

describe('what cannot be started says why, and holds no secret:', () => {
	test.each<[string, RegExp, Record<string, string>?]>([
		['--run true', /^The environment variable REVIEWS_WEBHOOK_SECRET is not set\./, {}],
		['--run true', /The webhook secret is not base64/, { REVIEWS_WEBHOOK_SECRET: 'whsec_canary' }],
		['--run true --key-header x-key', /REVIEWS_WEBHOOK_KEY is not set/],
		['--run true --prot 1', /^Unknown option '--prot'\. See --help\.$/],
		['canary2', /See --help/],
		['', /pass exactly one of --run/],
		['--run true --github a/b', /pass exactly one of --run/],
		['--github a/b', /GITHUB_DISPATCH_TOKEN is not set/],
		['--run true --port 70000', /^--port must be/],
		['--run true --port 1e3', /^--port must be/],
		['--run true --path /status', /^--path must be/],
		['--run true --path //evil', /^--path must be/],
		['--run true --forward shop.example', /^--forward must be an http\(s\) URL\.$/],
		['--run true --immediate --debounce 1s', /^Choose when to rebuild: pass either --immediate, or/],
		['--run true --immediate --max-wait 1s', /^Choose when to rebuild: pass either --immediate, or/],
		[
			'--run true --queue-file x --redis-env R',
			/^Choose where changes are kept: pass either --queue-file or/,
		],
		['--run true --redis-env R', /variable R is not set/],
		// A secret in place of the name of its variable.
		[`--run true --secret-env ${SECRET}`, /that an option names is not set/, {}],
		[`--deploy-hook-env https://api.netlify.com/build_hooks/${KEY}`, /that an option names is not set/],
		['--deploy-hook-env HOOK', /not an https URL/, { ...ENVIRONMENT, HOOK: KEY }],
		...['30', 's', '-5s', '1e3s', '5minutes', '1h30m', '.5s', 'NaNs'].map((time): [string, RegExp] => [
			`--run true --debounce=${time}`,
			/^--debounce must be a time with a unit/,
		]),
	])('%s', (line, message, environment) => {
		expect(() => read(line, environment)).toThrow(message);
		expect(() => read(line, environment)).toThrow(
			expect.objectContaining({ name: 'WebhookConfigurationError' }),
		);
		for (const secret of [SECRET.slice(6), 'whsec_canary', KEY])
			expect(() => read(line, environment)).not.toThrow(secret);
	});
});

test('a line of the log steers no terminal, and is one for programs', () => {
	const lines = [true, false].map((isTerminal) =>
		formatLine('a\u001b[31mb\u001b[0m\u0007\rc\u009b2J\u202ed\u2028\n"e"\ud800', isTerminal, NOW),
	);
	expect(lines[0]).toMatch(/^12:00:00 abc(?:2J)?d/);
	expect(lines[0]).not.toMatch(/[\u202e\r]/);
	expect(lines[1]?.trim()).not.toContain('\n');
	expect(JSON.parse(lines[1] ?? '')).toMatchObject({ time: '2026-11-20T12:00:00.000Z' });
});
