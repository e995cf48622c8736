import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Hold } from '../collect/change-log.js';
import { quietly } from '../quietly.js';
import { endProcessGroup } from './end-process-group.js';
import { identifyProcess, isGroupRunning, isRunning, type ProcessIdentity } from './process-identity.js';
import { isWhole } from './row-proof.js';

/** The process that rebuilds, as stored in the file. */
interface HolderRow {
	readonly pid: number;
	readonly started: string;
	/** Distinguishes receivers within one process. */
	readonly token: string;
	/** The command it runs. */
	readonly command_pid: number | null;
	readonly command_started: string | null;
}

/**
 * Returns a function that acquires the rebuild lock, so that only one of the receivers that share a file rebuilds at a
 * time. The lock is taken over from a process that is gone. A command that this process left running is ended first: its
 * result would go unnoticed, and its changes are still waiting and will be rebuilt.
 * @param transact runs the action in an exclusive transaction.
 */
export function createRebuildLock(
	database: DatabaseSync,
	transact: <Result>(action: () => Result) => Result,
): (log: (line: string) => void) => Promise<Hold | undefined> {
	const find = database.prepare(`SELECT * FROM holder WHERE ${isWhole('holder')}`);
	const clear = database.prepare('DELETE FROM holder');
	const put = database.prepare(
		`INSERT INTO holder (pid, started, token, proof) VALUES (?1, ?2, ?3, proof(?1, ?2, ?3, NULL, NULL))`,
	);
	const note = database.prepare(
		`UPDATE holder SET command_pid = ?1, command_started = ?2, proof = proof(pid, started, token, ?1, ?2)
		WHERE token = ?3 AND ${isWhole('holder')}`,
	);
	const release = database.prepare('DELETE FROM holder WHERE token = ?');
	const self = identifyProcess(process.pid);
	const token = randomUUID();

	/** @returns the command that the last holder left running; `false` if the holder is still rebuilding. */
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
			log(`A killed receiver left its rebuild command running (process ${left.pid}); ending it.`);
			await endProcessGroup(left.pid);
		}
		return {
			started: quietly((pid) => void note.run(pid, identifyProcess(pid).started, token)),
			release: quietly(() => void release.run(token)),
		};
	};
}
