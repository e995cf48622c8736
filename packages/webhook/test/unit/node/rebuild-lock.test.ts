import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { send } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteLog } from '../../../src/node/index.js';
import { identifyProcess, isRunning } from '../../../src/node/process-identity.js';
import { runCli } from '../../support/cli.js';

/** Notes when it begins and ends, and takes a while. */
const BUILD = String.raw`
	import { appendFileSync } from 'node:fs';
	const note = (what) => appendFileSync('builds', what + ' ' + process.pid + '\n');
	const timer = setTimeout(() => note('done'), Number(process.env.TAKES));
	process.on('SIGTERM', () => { clearTimeout(timer); note('ended'); process.exit(1); });
	note('begin');
`;

/** Receivers on one file, whose builds take this long, in milliseconds. */
function prepare(takes: number) {
	const folder = createFolder();
	writeFileSync(join(folder, 'build.mjs'), BUILD);
	const run = `TAKES=${takes} exec "${process.execPath}" build.mjs`;
	const file = join(folder, 'builds');
	return {
		start: () =>
			runCli(['--port', '0', '--quiet', '50ms', '--data', 'changes.db', '--run', run], undefined, folder),
		/** What happened, and in which process. */
		builds: () =>
			existsSync(file)
				? readFileSync(file, 'utf8')
						.trim()
						.split('\n')
						.map((line) => line.split(' '))
				: [],
	};
}

test('two receivers on one file make one rebuild at a time', async () => {
	const { start, builds } = prepare(1_500);
	const receivers = [start(), start()];
	for (const receiver of receivers) expect(await send(await receiver.url())).toBe(202);
	const outputs = () => receivers.map((receiver) => receiver.output()).join('');
	await expect
		.poll(outputs)
		.toContain('Another receiver is rebuilding for the same changes; waiting for it.');
	await expect.poll(outputs).toMatch(/finished in/);
	// The one that waited looks again.
	await new Promise((resolve) => setTimeout(resolve, 3_000));
	const whats = builds().map(([what]) => what);
	expect(whats).toEqual(whats.map((_what, index) => (index % 2 === 0 ? 'begin' : 'done')));
});

test('the build of a receiver that was killed is ended by the next, which builds for the same products', async () => {
	const { start, builds } = prepare(3_000);
	const first = start();
	expect(await send(await first.url())).toBe(202);
	await expect.poll(builds).toHaveLength(1);
	const orphan = identifyProcess(Number(builds()[0]?.[1]));
	first.child.kill('SIGKILL');
	// The build holds the output of the one that is gone, so that its end is not that of its streams.
	await expect.poll(() => first.child.signalCode).toBe('SIGKILL');
	expect(isRunning(orphan)).toBe(true);

	const second = start();
	await expect.poll(() => second.output()).toMatch(/finished in/);
	expect(second.output()).toContain(
		`A killed receiver left its rebuild command running (process ${orphan.pid}); ending it.`,
	);
	expect(isRunning(orphan)).toBe(false);
	expect(builds().map(([what]) => what)).toEqual(['begin', 'ended', 'begin', 'done']);
});

test('the right to rebuild is of one at a time, and free again when it is released', async () => {
	const file = join(createFolder(), 'changes.db');
	const [one, other] = [openSqliteLog(file), openSqliteLog(file)];
	onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
	const held = await one.hold?.(() => {});
	expect(await other.hold?.(() => {})).toBeUndefined();
	held?.release();
	expect(await other.hold?.(() => {})).toBeDefined();
	expect(await one.hold?.(() => {})).toBeUndefined();
});

test('a process is told from another one that has its number', () => {
	const { pid, started } = identifyProcess(process.pid);
	expect(isRunning({ pid, started })).toBe(true);
	expect(isRunning({ pid, started: `${started}0` })).toBe(false);
	// Noted without /proc, before the machine was started.
	expect(isRunning({ pid, started: '1000' })).toBe(false);
	expect(isRunning({ pid, started: String(Date.now()) })).toBe(true);
});
