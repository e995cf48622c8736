import { NOW } from 'product-reviews-test-support/clock';
import { OTHER_SECRET, SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/node/command-line/create-logger.js';
import { readCommand } from '../../../src/node/command-line/read-command.js';
import { readDuration } from '../../../src/node/command-line/read-duration.js';

const environment = { REVIEWS_WEBHOOK_SECRET: SECRET };
const read = (...args: string[]) => readCommand(['--run', 'true', ...args], environment);

test('there are defaults for everything but the secret and the way to rebuild', () => {
	expect(read()).toMatchObject({
		port: 4_500,
		host: '127.0.0.1',
		path: '/',
		quiet: 30_000,
		atMost: 300_000,
		data: '.product-reviews/changes.db',
	});
});

test('options are read', () => {
	const args = [
		'--port',
		'0',
		'--host',
		'::1',
		'--path',
		'/x',
		'--quiet',
		'1m',
		'--at-most',
		'1.5h',
		'--data',
		'd.db',
	];
	expect(read(...args)).toMatchObject({
		port: 0,
		host: '::1',
		path: '/x',
		quiet: 60_000,
		atMost: 5_400_000,
		data: 'd.db',
	});
});

test('--forward is the address of another receiver', () => {
	const url = 'https://shop.example/api/reviews/webhook';
	expect(read('--forward', url)).toMatchObject({ forward: { url } });
	expect(() => read('--forward', 'shop.example')).toThrow('--forward must be an http(s) URL.');
});

test('--at-once is no quiet time', () => {
	expect(read('--at-once')).toMatchObject({ quiet: 0 });
});

test.each(['--quiet', '--at-most'])('--at-once and %s contradict each other', (option) => {
	expect(() => read('--at-once', option, '1m')).toThrow(
		'Choose when to rebuild: pass either --at-once, or --quiet and --at-most. See --help.',
	);
});

test('several secrets and a key can be given at once', () => {
	const secrets = { S: ` ${SECRET}\n${OTHER_SECRET} `, K: 'canary-key-of-the-tests' };
	const command = readCommand(
		['--run', 'x', '--secret-env', 'S', '--key-header', 'x-key', '--key-env', 'K'],
		secrets,
	);
	expect(command).toMatchObject({
		verify: [{ headers: ['webhook-id', 'webhook-timestamp', 'webhook-signature'] }, { headers: ['x-key'] }],
	});
});

describe('a length of time', () => {
	test.each([
		['500ms', 500],
		['30s', 30_000],
		['5m', 300_000],
		['1h', 3_600_000],
		['0s', 0],
		['1.5 s', 1_500],
	])('%s is %i ms', (text, milliseconds) => {
		expect(readDuration('--quiet', text)).toBe(milliseconds);
	});

	test.each(['', '30', 's', '-5s', '1e3s', '5 minutes', '1h30m', '.5s', 'NaNs'])('"%s" is none', (text) => {
		expect(() => readDuration('--quiet', text)).toThrow('--quiet must be a time with a unit');
	});
});

describe('a line of the log', () => {
	const lines: string[] = [];
	const log = (isTerminal: boolean, message: string) =>
		createLogger(
			(text) => void lines.push(text),
			isTerminal,
			() => NOW,
		)(message);

	test.each(['plain', 'two\nlines', '"quoted"', '\u001b[2J', '\ud800', '\u2028'])(
		'%j is JSON on one line for programs',
		(message) => {
			lines.length = 0;
			log(false, message);
			expect(lines[0]?.trim().split('\n')).toHaveLength(1);
			expect(JSON.parse(lines[0] ?? '')).toEqual({ time: '2026-11-20T12:00:00.000Z', message });
		},
	);

	test('steers no terminal', () => {
		lines.length = 0;
		log(true, 'a\u001b[31mb\u001b[0m\u0007\rc\u009b2J\u202ed');
		expect(lines[0]).toMatch(/^12:00:00 abc(?:2J)?d\n$/);
	});
});
