import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, onTestFinished, test } from 'vitest';
import { command } from '../../../src/node/index.js';
import { runRebuild } from '../../support/triggering.js';

const isAlive = (pid: number) => {
	try {
		process.kill(pid, 0);
		// One that ended, and that nobody waited for, is still in the table.
		return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
};

/** Runs a command that starts another process, and says which one that is. It ends with the test. */
async function run(background: string, line: string, timeout?: number) {
	const cwd = createFolder();
	const { lines, message } = await runRebuild(
		command(`(${background}) & echo $! > pid; ${line}`, { cwd, timeout }),
	);
	const pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'));
	onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
	return { lines, message, pid, cwd };
}

test('a command that ends with 0 is done, whatever it leaves in the background', async () => {
	const { lines, message, pid, cwd } = await run(
		'sleep 2; echo late; touch later; exec sleep 60',
		'echo built',
	);
	expect([lines, message]).toEqual([['| built'], undefined]);
	expect(existsSync(join(cwd, 'later'))).toBe(false);
	// What it prints later goes nowhere, and is no reason to end it.
	await expect.poll(() => existsSync(join(cwd, 'later'))).toBe(true);
	expect(isAlive(pid)).toBe(true);
	expect(lines).toEqual(['| built']);
});

test('of a command that fails nothing goes on: it would meet the next try', async () => {
	const { message, pid } = await run('exec sleep 60', 'exit 3');
	expect(message).toContain('The command ended with 3.');
	expect(isAlive(pid)).toBe(false);
});

test('too long a time ends it, and all that it started, even what is deaf', async () => {
	const { message, pid } = await run("trap '' TERM; exec sleep 60", 'exec sleep 60', 500);
	expect(message).toBe('The command took longer than 0.5 s and was ended.');
	await expect.poll(() => isAlive(pid)).toBe(false);
});
