import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { errorOf, NOW } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { listenInTest } from 'product-reviews-test-support/listen';
import { messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { formatLine, readCommand } from '../../src/node/command-line.js';
import { runCli } from '../support/cli.js';

test('receives, rebuilds, and logs JSON lines without a secret', async () => {
	const folder = createFolder();
	const build = String.raw`printenv REVIEWS_CHANGED > out; printf 'built \033[31m"red"\n'`;
	const args = ['--run', build, '--port', '0', '--debounce', '20ms'];
	const { url, printed, errors, end } = runCli(args, undefined, folder);
	const address = await url();
	const forged = messageOfNow();
	expect(await send(address, { ...forged, headers: { ...forged.headers, 'webhook-id': 'other' } })).toBe(401);
	expect(await send(address)).toBe(202);
	await expect.poll(printed).toContain('finished in');
	expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('{"pids":["p-1"]}\n');
	expect(existsSync(join(folder, '.product-reviews/changes.db'))).toBe(true);
	expect(readFileSync(join(folder, '.product-reviews/.gitignore'), 'utf8')).toBe('*\n');
	expect(await (await fetch(new URL('status', address))).json()).toMatchObject({
		counts: { rebuilds: 1, rejected: 1 },
	});
	expect(await end()).toBe(0);
	const lines = JSON.parse(`[${printed().trim().replaceAll('\n', ',')}]`) as Record<string, string>[];
	expect(lines.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Listening at (http:\/\/127\.0\.0\.1:\d+\/); status at \1status$/),
		'Rejected a request with status 401; 1 since the start. The request could not be verified: its signature or key, or its time, is missing or wrong.',
		'Update for 1 product started.',
		'| built \u001b[31m"red"',
		expect.stringMatching(/^Update for 1 product finished in \d+\.\d s\.$/),
		'Shutting down; a running update is allowed to finish.',
	]);
	for (const { time = '' } of lines) expect(new Date(time).toISOString()).toBe(time);
	expect(printed()).not.toContain(SECRET.slice(6));
	expect(errors()).not.toMatch(/Error/);
});

test('the events of a service that is named rebuild its product, and those about none rebuild nothing', async () => {
	const folder = createFolder();
	const secret = 'judgeme-token-0123456789';
	const args = [
		'--from',
		'judgeme',
		'--run',
		'printenv REVIEWS_CHANGED >> out',
		'--port',
		'0',
		'--immediate',
	];
	const { url, printed } = runCli(args, { REVIEWS_WEBHOOK_SECRET: secret }, folder);
	const address = await url();
	const sendSigned = (product: number, key = secret) => {
		const body = new Uint8Array(
			Buffer.from(JSON.stringify({ event: 'review/created', review: { product_external_id: product } })),
		);
		const signature = createHmac('sha256', key).update(body).digest('hex');
		const headers = { 'content-type': 'application/json', 'judgeme-hmac-sha256': signature };
		return send(address, { headers, body });
	};
	expect(await sendSigned(0)).toBe(202);
	expect(await sendSigned(8_012_345_678_901, 'another-secret-of-the-tests')).toBe(401);
	expect(await send(address)).toBe(401);
	expect(await sendSigned(8_012_345_678_901)).toBe(202);
	await expect.poll(printed).toContain('finished in');
	expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('{"pids":["8012345678901"]}\n');
	expect(printed()).not.toContain(secret);
});

test('an API key that verifies events is left to the command, which gets tokens with it', async () => {
	const folder = createFolder();
	const args = ['--run', 'printenv REVIEWS_API_KEY > out', '--port', '0', '--immediate'];
	const key = ['--key-header', 'x-key', '--key-env', 'REVIEWS_API_KEY'];
	const { url, printed } = runCli([...args, ...key], { REVIEWS_API_KEY: KEY }, folder);
	const { body } = messageOfNow();
	expect(
		await send(await url(), { body, headers: { 'content-type': 'application/json', 'x-key': KEY } }),
	).toBe(202);
	await expect.poll(printed).toContain('finished in');
	expect(readFileSync(join(folder, 'out'), 'utf8')).toBe(`${KEY}\n`);
	expect(printed()).not.toContain(KEY);
});

test('what cannot be started ends with 1 and says why, and the log stays empty', async () => {
	const { port } = await listenInTest(createServer());
	for (const [option, value, message] of [
		['--prot', '1', /^Unknown option '--prot'\. See --help\. \[PR_WEBHOOK_OPTIONS\]\n$/],
		['--queue-file', '/dev/null/x', /^(?! {4}at ).*\/dev\/null.*\n$/],
		['--port', String(port), /^(?! {4}at ).*EADDRINUSE.*\n$/],
	] as const) {
		const program = runCli(['--run', 'true', '--port', '0', option, value], undefined, createFolder());
		expect([await program.ended, program.printed()]).toEqual([1, '']);
		expect(program.errors()).toMatch(message);
	}
});

const KEY = 'canary-key-of-the-tests';
const ENVIRONMENT = { REVIEWS_WEBHOOK_SECRET: SECRET };
const read = (line: string, environment: Record<string, string> = ENVIRONMENT) =>
	readCommand(line.split(' ').filter(Boolean), environment);

test('an old Node is named, with the one that it needs', async () => {
	const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})`;
	const { ended, errors } = runCli(['--help'], { NODE_OPTIONS: `--import=${old}` });
	expect(await ended).toBe(1);
	expect(errors()).toMatch(
		/^product-reviews-webhook needs Node 22\.13 or later, but this is Node 20\.20\.2\. /,
	);
});

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
	['--port 0 --host ::1 --path /x', { port: 0, host: '::1', path: '/x' }],
	['--queue-file d.db', { queueFile: 'd.db' }],
	['--debounce 1m --max-wait 1.5h', { debounce: 60_000, maxWait: 5_400_000 }],
	['--debounce 500ms --max-wait 0s', { debounce: 500, maxWait: 0 }],
	['--immediate', { debounce: 0 }],
	['--forward https://shop.example/webhook', { forward: 'https://shop.example/webhook' }],
	['--key-header x-key --key-env K', { verify: [expect.any(Function), expect.any(Function)] }],
	['--key-query secret --key-env K', { verify: [expect.any(Function), expect.any(Function)] }],
	['--from stamped --secret-env K', { verify: expect.any(Function), select: expect.any(Function) }],
	['--ids data.review.pid --ids pid', { ids: ['data.review.pid', 'pid'] }],
	['--ignore a --ignore css_update', { ignoreTypes: ['a', 'css_update'] }],
	['--secret-env K --key-header x-key --key-env K --help', 'help'],
])('%s is read', (line, expected) => {
	const command = read(`--run true ${line}`, { ...ENVIRONMENT, K: KEY });
	if (typeof expected === 'string') expect(command).toBe(expected);
	else expect(command).toMatchObject(expected);
});

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
	['--run true --ids data..pid', /^--ids must be names of properties with dots between them/],
	[
		'--run true --from loox',
		/^--from must be one of woocommerce, shopify, judgeme, okendo, stamped, sanity\.$/,
	],
	['--run true --from judgeme --ids a', /^Choose how events are read: pass either --from, or --key-header/],
	['--run true --from judgeme --key-header a', /^Choose how events are read: pass either --from, or/],
	[
		'--run true --from judgeme',
		/REVIEWS_WEBHOOK_SECRET is not set\. Set it to the secret of the webhook at/,
		{},
	],
	['--run true --key-query secret', /REVIEWS_WEBHOOK_KEY is not set/, { REVIEWS_API_KEY: KEY }],
	['--run true --path /status', /^--path must be/],
	['--run true --path //evil', /^--path must be/],
	['--run true --forward shop.example', /^--forward must be an http\(s\) URL\.$/],
	['--run true --immediate --debounce 1s', /^Choose when to update: pass either --immediate, or/],
	['--run true --immediate --max-wait 1s', /^Choose when to update: pass either --immediate, or/],
	['--run true --queue-file x --redis-env R', /^Choose where changes are kept: pass either --queue/],
	['--run true --redis-env R', /variable R is not set/],
	// A secret in place of the name of its variable.
	[`--run true --secret-env ${SECRET}`, /that an option names is not set/, {}],
	[`--deploy-hook-env https://api.netlify.com/build_hooks/${KEY}`, /that an option names is not set/],
	['--deploy-hook-env HOOK', /not an https URL/, { ...ENVIRONMENT, HOOK: KEY }],
	...['30', 's', '-5s', '1e3s', '5minutes', '1h30m', '.5s', 'NaNs'].map((time): [string, RegExp] => [
		`--run true --debounce=${time}`,
		/^--debounce must be a time with a unit/,
	]),
])('what cannot be started says why, and holds no secret: %s', async (line, message, environment) => {
	const error = await errorOf(() => read(line, environment));
	expect(error).toMatchObject({ name: 'WebhookConfigurationError', message: expect.stringMatching(message) });
	for (const secret of [SECRET.slice(6), 'whsec_canary', KEY]) expect(error.message).not.toContain(secret);
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
