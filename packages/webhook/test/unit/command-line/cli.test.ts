import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { runCli } from '../../support/cli.js';
import { receiving } from '../../support/receiving.js';

test('helps, and says its version', async () => {
	const [help, version] = [runCli(['--help'], {}), runCli(['--version'], {})];
	expect([await help.ended, await version.ended]).toEqual([0, 0]);
	expect(help.printed()).toContain('--deploy-hook-env');
	expect(version.printed()).toBe(`${packageJson.version}\n`);
});

test('receives, rebuilds, and logs JSON lines without a secret', async () => {
	const folder = createFolder();
	const build = String.raw`printenv REVIEWS_CHANGED > out; printf 'built \033[31m"red"\n'`;
	const args = ['--run', build, '--port', '0', '--debounce', '20ms'];
	const { url, printed, errors, end } = runCli(args, undefined, folder);
	const address = await url();
	expect(await send(address)).toBe(202);
	const forged = messageOfNow();
	expect(await send(address, { ...forged, headers: { ...forged.headers, 'webhook-id': 'other' } })).toBe(401);
	await expect.poll(printed).toContain('finished in');
	expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('{"pids":["p-1"]}\n');
	expect(existsSync(join(folder, '.product-reviews/changes.db'))).toBe(true);
	expect(readFileSync(join(folder, '.product-reviews/.gitignore'), 'utf8')).toBe('*\n');
	expect(await (await fetch(new URL('status', address))).json()).toMatchObject({ counts: { rebuilds: 1 } });
	expect(await end()).toBe(0);
	const lines = printed()
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(lines.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Listening at (http:\/\/127\.0\.0\.1:\d+\/); status at \1status$/),
		'Rebuild for 1 product started.',
		'| built \u001b[31m"red"',
		expect.stringMatching(/^Rebuild for 1 product finished in \d+\.\d s\.$/),
		'Shutting down; a running rebuild is allowed to finish.',
	]);
	for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time);
	expect(printed()).not.toContain(SECRET.slice(6));
	expect(errors()).not.toMatch(/Error/);
});

test('what cannot be started ends with 1 and says why, and the log stays empty', async () => {
	const { port } = await receiving();
	const all = await Promise.all(
		[
			['--prot', '1'],
			['--queue-file', '/dev/null/x'],
			['--port', String(port)],
		].map(async (more) => {
			const program = runCli(['--run', 'true', '--port', '0', ...more], undefined, createFolder());
			return [await program.ended, program.printed(), program.errors()];
		}),
	);
	expect(all).toEqual([
		[1, '', "Unknown option '--prot'. See --help. [PR_WEBHOOK_OPTIONS]\n"],
		[1, '', expect.stringMatching(/^(?! {4}at ).*\/dev\/null.*\n$/)],
		[1, '', expect.stringMatching(/^(?! {4}at ).*EADDRINUSE.*\n$/)],
	]);
});
