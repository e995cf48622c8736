import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Hold } from '../collect/change-log.js';
import { quietly } from '../quietly.js';
import { endProcessGroup } from './end-process-group.js';
import { identifyProcess, isGroupRunning, isRunning, type ProcessIdentity } from './process-identity.js';

/** Who rebuilds, as the file has it. */
interface HolderRow {
	readonly pid: number;
	readonly started: string;
	/** Tells receivers of one process apart. */
	readonly token: string;
	/** What runs for it. */
	readonly command_pid: number | null;
	readonly command_started: string | null;
}

/**
 * Gives a function that takes the right to rebuild among the receivers that share a file: one at a time. It is taken over
 * from a process that is gone. A command that this one left running is ended first: nobody hears how it ends, and what it
 * was for still waits, so that all of it is built again.
 * @param transact does all of it, or nothing, and lets no other process in between.
 */
export function createRebuildLock(
	database: DatabaseSync,
	transact: <Result>(action: () => Result) => Result,
): (log: (line: string) => void) => Promise<Hold | undefined> {
	const find = database.prepare('SELECT * FROM holder');
	const clear = database.prepare('DELETE FROM holder');
	const put = database.prepare('INSERT INTO holder (pid, started, token) VALUES (?, ?, ?)');
	const note = database.prepare('UPDATE holder SET command_pid = ?, command_started = ? WHERE token = ?');
	const release = database.prepare('DELETE FROM holder WHERE token = ?');
	const self = identifyProcess(process.pid);
	const token = randomUUID();

	/** @returns what the last one left running; `false` where it still rebuilds. */
	const take = (): ProcessIdentity | undefined | false =>
		transact(() => {
			const last = find.get() as HolderRow | undefined;
			if (last && last.token !== token && isRunning(last)) return false;
			clear.run();
			put.run(self.pid, self.started, token);
			return last?.command_pid && last.command_started
				? { pid: last.command_pid, started: last.command_started }
				: undefined;
		});

	return async (log) => {
		const left = take();
		if (left === false) return undefined;
		if (left && isGroupRunning(left)) {
			log(`A receiver that was killed left its command running (process ${left.pid}); it is ended.`);
			await endProcessGroup(left.pid);
		}
		return {
			started: quietly((pid) => void note.run(pid, identifyProcess(pid).started, token)),
			release: quietly(() => void release.run(token)),
		};
	};
}
