import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebhookConfigurationError } from '../../../src/index.js';
import { type CommandOptions, command } from '../../../src/node/index.js';
import { runRebuild } from '../../support/triggering.js';

const run = (line: string, options?: CommandOptions, request?: Parameters<typeof runRebuild>[1]) =>
	runRebuild(command(line, { cwd: createFolder(), ...options }), request);

describe('the products are in the environment', () => {
	const hostile = ['p-1', "'; rm -rf / #", '$(x)', '🧦', 'a"b\n'];

	test.each([
		[{ pids: hostile }, JSON.stringify({ pids: hostile })],
		[{ pids: ['x'.repeat(99_987)] }, JSON.stringify({ pids: ['x'.repeat(99_987)] })],
		[{ pids: ['x'.repeat(99_988)] }, '{"all":true}'],
		[{ pids: [], all: true }, '{"all":true}'],
	])('as they are, unless they are too many for it (%#)', async (request, expected) => {
		const cwd = createFolder();
		expect((await run('printenv REVIEWS_CHANGED > out', { cwd }, request)).message).toBeUndefined();
		expect(readFileSync(join(cwd, 'out'), 'utf8') === `${expected}\n`).toBe(true);
	});

	test('beside those of the receiver that hold no secret of it, or else beside what is given', async () => {
		const secrets =
			'REVIEWS_WEBHOOK_SECRET REVIEWS_WEBHOOK_KEY DEPLOY_HOOK_URL GITHUB_DISPATCH_TOKEN REDIS_URL';
		const kept = 'REVIEWS_BASE_URL REVIEWS_WSID REVIEWS_TOKEN';
		for (const name of `${secrets} ${kept}`.split(' ')) vi.stubEnv(name, 'canary');
		onTestFinished(() => void vi.unstubAllEnvs());
		const { lines } = await run('env');
		for (const name of kept.split(' ')) expect(lines).toContain(`| ${name}=canary`);
		for (const name of secrets.split(' ')) expect(lines.join()).not.toContain(name);
		expect((await run('echo $ONE $HOME', { env: { ONE: '1' } })).lines).toEqual(['| 1']);
	});
});

test('the output is logged line by line, however it comes', async () => {
	const { lines } = await run("printf 'one\n\ntwo  \nthr'; echo error >&2; sleep 0.1; printf 'ee\nlast'");
	expect(lines.toSorted()).toEqual(['| error', '| last', '| one', '| three', '| two']);
});

test.each([
	['in lines', 'yes "$(printf %099d)"'],
	['in one line', "yes | tr -d '\\n'"],
])('output without end fills neither the log nor memory, %s', async (_how, endless) => {
	const { lines, message } = await run(`${endless} | head -c 30000000; echo; echo the end`);
	expect([message, lines.at(-1)]).toEqual([undefined, '| (further output is not logged)']);
	const { length } = lines.join('');
	expect(length).toBeGreaterThan(9_000_000);
	expect(length).toBeLessThan(12_000_000);
});

describe('a failure', () => {
	test('has its status, and the last of its output only', async () => {
		const { message } = await run("echo first; head -c 3000 /dev/zero | tr '\\0' x; echo the reason; exit 3");
		expect(message).toMatch(/^The command ended with 3\.\n.*the reason/s);
		expect(message).not.toContain('first');
		expect(message?.length).toBeLessThan(2_100);
	});

	test('is no exit code that says that it did what it could', async () => {
		const { lines, message } = await run('echo left to a rebuild; exit 3', { incompleteCode: 3 });
		expect(message).toBeUndefined();
		expect(lines).toEqual([
			'| left to a rebuild',
			'The command ended with 3: it did what it could, and some pages need a rebuild.',
		]);
		expect((await run('exit 1', { incompleteCode: 3 })).message).toContain('ended with 1');
	});

	test('names the signal that ended it', async () => {
		expect((await run('kill -KILL $$')).message).toContain('The command ended with SIGKILL.');
	});

	test.each([
		['', '/bin/no-such-command'],
		['no-such-folder', 'true'],
	])('is what cannot be started (folder "%s", %s)', async (folder, line) => {
		expect((await run(line, { cwd: join(createFolder(), folder) })).message).toBeDefined();
	});

	test.each(['', '  ', undefined])('comes at once for what is no command: "%s"', (line) => {
		expect(() => command(line as string)).toThrow(WebhookConfigurationError);
	});
});

test('ends when the receiver does, and does not start once that has ended', async () => {
	const ending = new AbortController();
	const request = { signal: ending.signal, log: () => ending.abort() };
	const { message } = await run('echo ready; sleep 60', {}, request);
	expect(message).toBe('The command was ended because the receiver is shutting down.');
	const cwd = createFolder();
	const late = await run('touch out', { cwd }, { signal: AbortSignal.abort(new Error('Ended.')) });
	expect(late.message).toBe('Ended.');
	expect(existsSync(join(cwd, 'out'))).toBe(false);
});
