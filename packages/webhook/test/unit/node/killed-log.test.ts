import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteLog } from '../../../src/node/index.js';
import { temporaryFolder } from '../../support/folder.js';

const SCRIPT = join(import.meta.dirname, '../../fixtures/record-changes.mjs');

/** Lets a process write changes down, kills it, and returns those that it said were written. */
function recordUntilKilled(file: string, prefix: string, after: number): Promise<readonly string[]> {
	const child = spawn(process.execPath, [SCRIPT, file, prefix], { stdio: ['ignore', 'pipe', 'inherit'] });
	onTestFinished(() => void child.kill('SIGKILL'));
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text) => {
		if (output === '') setTimeout(() => child.kill('SIGKILL'), after);
		output += text;
	});
	return new Promise((resolve) => {
		child.once('close', (_code, signal) => {
			expect(signal).toBe('SIGKILL');
			// What follows the last line break was cut off.
			resolve(output.split('\n').slice(0, -1));
		});
	});
}

test('nothing that was acknowledged is lost when the process is killed, ten times', async () => {
	const file = join(temporaryFolder(), 'changes.db');
	const acknowledged: string[] = [];
	for (let time = 0; time < 10; time += 1) {
		acknowledged.push(...(await recordUntilKilled(file, `p${time}`, Math.random() * 150)));
	}
	expect(acknowledged.length).toBeGreaterThan(100);
	const log = openSqliteLog(file);
	onTestFinished(() => log.close());
	const written = new Set((await log.waiting())?.pids);
	expect(acknowledged.filter((pid) => !written.has(pid))).toEqual([]);
	// Their ids are known, too: the same events change nothing.
	const [pid = ''] = acknowledged;
	expect(
		await log.record({ id: pid, pids: [pid], all: false, type: undefined, receivedAt: Date.now() }),
	).toBe(false);
}, 30_000);
