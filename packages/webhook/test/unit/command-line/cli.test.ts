import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { runCli } from '../../support/cli.js';
import { receiving } from '../../support/receiving.js';

/** A receiver in a folder of its own, with a script as the rebuild. */
function start(code: string, ...args: string[]) {
	const folder = createFolder();
	writeFileSync(join(folder, 'build.mjs'), code);
	const all = ['--run', `"${process.execPath}" build.mjs`, '--port', '0', '--quiet', '20ms', ...args];
	return { folder, ...runCli(all, { REVIEWS_WEBHOOK_SECRET: SECRET }, folder) };
}

test('helps, and says its version', async () => {
	const help = runCli(['--help'], {});
	const version = runCli(['--version'], {});
	expect(await help.ended).toBe(0);
	expect(help.printed()).toContain('--deploy-hook-env');
	expect(await version.ended).toBe(0);
	expect(version.printed()).toBe(`${packageJson.version}\n`);
});

test('receives, rebuilds and logs JSON lines, without a secret', async () => {
	const { folder, url, printed, errors, child, ended } = start(
		"import { writeFileSync } from 'node:fs'; writeFileSync('out', process.env.REVIEWS_CHANGED); console.log('built \\u001b[31m\"red\"')",
	);
	const address = await url();
	expect(await send(address)).toBe(202);
	const forged = messageOfNow();
	expect(await send(address, { ...forged, headers: { ...forged.headers, 'webhook-id': 'other' } })).toBe(401);
	await expect.poll(printed).toContain('finished in');
	expect(JSON.parse(readFileSync(join(folder, 'out'), 'utf8'))).toEqual({ pids: ['p-1'] });
	expect(existsSync(join(folder, '.product-reviews/changes.db'))).toBe(true);
	expect(readFileSync(join(folder, '.product-reviews/.gitignore'), 'utf8')).toBe('*\n');
	let text = '';
	for (const path of ['healthz', 'status']) text += await (await fetch(new URL(path, address))).text();
	expect(text).toContain('"status":"ok"');
	expect(text).toContain('"rebuilds":1');
	child.kill('SIGTERM');
	expect(await ended).toBe(0);
	const lines = printed()
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(lines.map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^Listening at http:\/\/127\.0\.0\.1:\d+\/; status at http:\/\/127\.0\.0\.1:\d+\/status$/,
		),
		'Rebuild for 1 product started.',
		'| built \u001b[31m"red"',
		expect.stringMatching(/^Rebuild for 1 product finished in \d+\.\d s\.$/),
		'Shutting down; a running rebuild is allowed to finish.',
	]);
	for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time);
	expect(text + printed() + errors()).not.toContain(SECRET.slice(6));
	expect(errors()).not.toMatch(/Error/);
});

describe('--at-once', () => {
	/** A receiver whose command notes what it was asked for, takes a while, and ends with a code. */
	function startAtOnce(code: number, milliseconds = 1_000) {
		const folder = createFolder();
		writeFileSync(
			join(folder, 'publish.mjs'),
			`import { appendFileSync } from 'node:fs';
			appendFileSync('runs', process.env.REVIEWS_CHANGED + '\\n');
			setTimeout(() => process.exit(${code}), ${milliseconds});`,
		);
		const run = ['--run', `"${process.execPath}" publish.mjs`, '--at-once', '--port', '0'];
		const runs = () => {
			const file = join(folder, 'runs');
			const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
			return lines.map((line) => JSON.parse(line).pids.toSorted());
		};
		return { runs, ...runCli(run, { REVIEWS_WEBHOOK_SECRET: SECRET }, folder) };
	}
	const event = (index: number) =>
		messageOfNow({ id: `event-${index}`, body: JSON.stringify({ data: { pid: `p-${index}` } }) });

	test('runs the command for the first event, and once more for all that came meanwhile', async () => {
		const { runs, url, printed } = startAtOnce(0);
		const address = await url();
		expect(await send(address, event(0))).toBe(202);
		await expect.poll(runs, { interval: 10 }).toHaveLength(1);
		for (const index of [1, 2, 3]) expect(await send(address, event(index))).toBe(202);
		const finished = () => printed().match(/finished in/g)?.length;
		await expect.poll(finished).toBe(2);
		expect(runs()).toEqual([['p-0'], ['p-1', 'p-2', 'p-3']]);
	});

	test('does not retry a command that ends with 3, and says that pages need a rebuild', async () => {
		const { runs, url, printed } = startAtOnce(3, 0);
		const address = await url();
		await send(address, event(0));
		await expect.poll(printed).toContain('finished in');
		expect(printed()).toContain(
			'The command ended with 3: it did what it could, and some pages need a rebuild.',
		);
		const status = await (await fetch(new URL('/status', address))).json();
		expect(status).toMatchObject({ waiting: { products: 0 }, counts: { rebuilds: 1, failures: 0 } });
		expect(runs()).toEqual([['p-0']]);
	});

	test('retries a command that ends with 1, with the same products', async () => {
		const { url, printed } = startAtOnce(1, 0);
		const address = await url();
		await send(address, event(0));
		await expect.poll(printed).toContain('Retrying in 10.0 s.');
		const status = await (await fetch(new URL('/status', address))).json();
		expect(status).toMatchObject({ waiting: { products: 1 }, counts: { rebuilds: 0, failures: 1 } });
	});
});

describe('SIGTERM', () => {
	const SLOW = "console.log('begun'); setTimeout(() => console.log('finished'), 1500)";

	test('waits for the rebuild that runs', async () => {
		const { url, printed, child, ended } = start(SLOW);
		await send(await url());
		await expect.poll(printed).toContain('begun');
		child.kill('SIGTERM');
		expect(await ended).toBe(0);
		expect(printed()).toContain('finished');
		expect(printed()).toContain('finished in');
	});

	test('a second time ends it, and the products stay marked', async () => {
		const { folder, url, printed, child, ended } = start("console.log('begun'); setInterval(() => {}, 1000)");
		await send(await url());
		await expect.poll(printed).toContain('begun');
		child.kill('SIGTERM');
		await expect.poll(printed).toContain('allowed to finish');
		child.kill('SIGTERM');
		expect(await ended).toBe(0);
		expect(printed()).toContain('Shutting down now.');
		const again = runCli(
			['--run', 'echo "built $REVIEWS_CHANGED"', '--port', '0', '--quiet', '20ms'],
			undefined,
			folder,
		);
		await expect.poll(again.printed).toContain('built {\\"pids\\":[\\"p-1\\"]}');
	});
});

describe('what cannot be started says why, and holds no secret:', () => {
	const KEY = 'canary-key-of-the-tests';
	const run = ['--run', 'true', '--port', '0'];

	test.each<[string, string[], Record<string, string>, RegExp]>([
		['no secret', run, {}, /^The environment variable REVIEWS_WEBHOOK_SECRET is not set\..*--secret-env/],
		['an empty secret', run, { REVIEWS_WEBHOOK_SECRET: ' ' }, /REVIEWS_WEBHOOK_SECRET is not set/],
		['a wrong secret', run, { REVIEWS_WEBHOOK_SECRET: 'whsec_canary' }, /The webhook secret is not base64/],
		['no key', [...run, '--key-header', 'x-key'], {}, /REVIEWS_WEBHOOK_KEY is not set/],
		[
			'an unknown option',
			[...run, '--prot', '1'],
			{},
			/^Unknown option '--prot'\. See --help\. \[PR_WEBHOOK_OPTIONS\]\n$/,
		],
		['a word too many', ['canary2'], {}, /See --help/],
		['no way to rebuild', [], { REVIEWS_WEBHOOK_SECRET: SECRET }, /pass exactly one of --run/],
		[
			'two ways',
			[...run, '--github', 'a/b'],
			{ REVIEWS_WEBHOOK_SECRET: SECRET },
			/pass exactly one of --run/,
		],
		['no token', ['--github', 'a/b'], { REVIEWS_WEBHOOK_SECRET: SECRET }, /GITHUB_DISPATCH_TOKEN is not set/],
		['a port', ['--run', 'true', '--port', '70000'], { REVIEWS_WEBHOOK_SECRET: SECRET }, /^--port must be/],
		['a time', [...run, '--quiet', '30'], { REVIEWS_WEBHOOK_SECRET: SECRET }, /^--quiet must be a time/],
		[
			'at once, and after a while',
			[...run, '--at-once', '--quiet', '1s'],
			{ REVIEWS_WEBHOOK_SECRET: SECRET },
			/^Choose when to rebuild: pass either --at-once, or/,
		],
		['a path', [...run, '--path', '/status'], { REVIEWS_WEBHOOK_SECRET: SECRET }, /^--path must be/],
		[
			'the secret in place of its name',
			[...run, '--secret-env', SECRET],
			{},
			/that an option names is not set/,
		],
		[
			'the address in place of its name',
			['--deploy-hook-env', 'https://api.netlify.com/build_hooks/canary-key-of-the-tests'],
			{ REVIEWS_WEBHOOK_SECRET: SECRET },
			/that an option names is not set/,
		],
		[
			'an address that is none',
			['--deploy-hook-env', 'HOOK'],
			{ REVIEWS_WEBHOOK_SECRET: SECRET, HOOK: KEY },
			/not an https URL/,
		],
		['a data file', [...run, '--data', '/dev/null/x'], { REVIEWS_WEBHOOK_SECRET: SECRET }, /\/dev\/null/],
	])('%s', async (_name, args, environment, message) => {
		const { ended, printed, errors } = runCli(args, environment, createFolder());
		expect(await ended).toBe(1);
		expect(printed()).toBe('');
		expect(errors()).toMatch(message);
		expect(errors()).not.toMatch(/^ {4}at /m);
		for (const secret of [SECRET.slice(6), 'whsec_canary', KEY]) expect(errors()).not.toContain(secret);
	});

	test('a port in use', async () => {
		const { port } = await receiving();
		const { ended, errors } = runCli(['--run', 'true', '--port', String(port)], undefined, createFolder());
		expect(await ended).toBe(1);
		expect(errors()).toContain('EADDRINUSE');
	});
});
