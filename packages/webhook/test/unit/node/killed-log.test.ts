import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteLog } from '../../../src/node/index.js';

const SCRIPT = join(import.meta.dirname, '../../fixtures/record-changes.mjs');

/** Lets a process write changes down, kills it, and returns those that it said were written. */
async function recordUntilKilled(file: string, prefix: string, after: number): Promise<readonly string[]> {
	const { says, end, printed } = runNodeInTest([SCRIPT, file, prefix]);
	await says(/./);
	await setTimeout(after);
	expect(await end('SIGKILL')).toBe('SIGKILL');
	// What follows the last line break was cut off.
	return printed().split('\n').slice(0, -1);
}

test('nothing that was acknowledged is lost when the process is killed, ten times', async () => {
	const file = join(createFolder(), 'changes.db');
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
});
