import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Change } from '../changes/change.js';
import type { ChangeLog, Hold } from '../collect/change-log.js';
import { count } from '../collect/rebuild.js';
import { quietly } from '../errors.js';
import { endProcessGroup } from './command.js';
import { ALL, type Damage, isWhole, mendRows, openDatabase } from './open-database.js';

/**
 * Holds changes in an SQLite file. Recorded changes survive a crash of the process. Changes that arrive together are
 * written in one transaction. Damaged rows are removed and reported; if a change may have been among them, anything may
 * have changed.
 *
 * @param file path; its folder is created if needed.
 * @param now milliseconds since 1970.
 * @throws Error if the file cannot be used.
 * @example createCollector({ log: openSqliteLog('.cache/review-changes.db'), rebuild: command('npm run build') })
 */
export function openSqliteLog(file: string, now: () => number = Date.now): ChangeLog {
	const { database, damage } = openDatabase(file, now());
	const found: Damage[] = damage ? [damage] : [];
	const writes = prepareWrites(database);
	const summary = database.prepare(
		'SELECT min(first_at) AS firstAt, max(last_at) AS lastAt, max(sequence) AS upTo FROM changes',
	);
	const countRows = database.prepare(
		`SELECT count(*) AS rows, EXISTS (SELECT 1 FROM changes WHERE pid = '${ALL}') AS isAll FROM changes`,
	);
	const products = database.prepare('SELECT pid FROM changes ORDER BY sequence');
	const mend = () => {
		const mended = mendRows(database, now());
		if (mended) found.push(mended);
	};
	const transact = <Result>(action: () => Result) => inTransaction(database, action);
	const queue = createChangeQueue((changes) => transact(() => writeChanges(changes, writes, mend)));

	return {
		record: queue.add,
		async count() {
			const { rows, isAll } = countRows.get() as Record<'rows' | 'isAll', number>;
			return { products: rows - isAll, all: isAll === 1 };
		},
		async waiting() {
			transact(mend);
			const { firstAt, lastAt, upTo } = summary.get() as Record<'firstAt' | 'lastAt' | 'upTo', number | null>;
			if (firstAt === null || lastAt === null || upTo === null) return undefined;
			const pids = (products.all() as { pid: string }[]).map(({ pid }) => pid);
			return { pids: pids.filter((pid) => pid !== ALL), all: pids.includes(ALL), firstAt, lastAt, upTo };
		},
		async settle(upTo, startedAt) {
			transact(() => {
				mend();
				writes.settle.remove.run(upTo);
				writes.settle.postpone.run(startedAt);
			});
		},
		damage: () => found.splice(0).map(describeDamage).join(' ') || undefined,
		hold: createRebuildLock(database, transact),
		async close() {
			if (!database.isOpen) return;
			queue.flush();
			database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
			database.close();
		},
	};
}

/** Says in a log line what was wrong with the file of waiting changes, and what follows. */
function describeDamage({ rows, isChangeLost, setAside }: Damage): string {
	const fact = setAside
		? `The file of waiting changes was damaged (${setAside.reason}). It was renamed to "${basename(setAside.to)}", and a new one was started.`
		: `The file of waiting changes had ${count(rows, 'damaged row')}, which ${rows === 1 ? 'was' : 'were'} removed.`;
	const consequence = isChangeLost
		? 'It may have lost which products changed, so the next rebuild is for all products.'
		: 'No product was lost; an event that is sent again may cause one more rebuild.';
	return `${fact} ${consequence} If this keeps happening, check the disk.`;
}

/** Runs an action that is written as a whole, or not at all if it throws. */
function inTransaction<Result>(database: DatabaseSync, action: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = action();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		if (database.isTransaction) database.exec('ROLLBACK');
		throw error;
	}
}

/** How long ids of events are kept, in milliseconds: twice as long as a signed request is valid. */
const EVENTS_KEPT = 1_200_000;

/**
 * Writes changes that arrived together. Call it in a transaction.
 * @param mend removes damaged rows, which cannot be written over.
 * @returns which changes are new.
 */
function writeChanges(
	changes: readonly Change[],
	{ addEvent, removeEvents, nextNumber, mark }: ReturnType<typeof prepareWrites>,
	mend: () => void,
): readonly boolean[] {
	removeEvents.run((changes.at(-1)?.receivedAt ?? 0) - EVENTS_KEPT);
	if (nextNumber.run().changes === 0) mend();
	return changes.map(({ id, pids, all, receivedAt }) => {
		if (id !== undefined && addEvent.run(id, receivedAt).changes === 0) return false;
		for (const pid of all ? [ALL] : pids) {
			if (mark.run(pid, receivedAt, receivedAt).changes > 0) continue;
			mend();
			mark.run(pid, receivedAt, receivedAt);
		}
		return true;
	});
}

/** The statements that write changes and events. A damaged row is never changed into one that looks whole. */
function prepareWrites(database: DatabaseSync) {
	return {
		addEvent: database.prepare(
			`INSERT INTO events (id, received_at, proof) VALUES (?1, ?2, proof(?1, ?2))
			ON CONFLICT (id) DO UPDATE SET received_at = excluded.received_at, proof = excluded.proof
			WHERE NOT (${isWhole('events')})`,
		),
		removeEvents: database.prepare('DELETE FROM events WHERE received_at < ?'),
		nextNumber: database.prepare(
			`UPDATE numbers SET last = last + 1, proof = proof(last + 1) WHERE ${isWhole('numbers')}`,
		),
		mark: database.prepare(
			`INSERT INTO changes (pid, sequence, first_at, last_at, proof)
			SELECT ?1, last, ?2, ?3, proof(?1, last, ?2, ?3) FROM numbers WHERE true
			ON CONFLICT (pid) DO UPDATE SET sequence = excluded.sequence, last_at = max(last_at, excluded.last_at),
				proof = proof(pid, excluded.sequence, first_at, max(last_at, excluded.last_at))
			WHERE ${isWhole('changes')}`,
		),
		settle: {
			remove: database.prepare('DELETE FROM changes WHERE sequence <= ?'),
			postpone: database.prepare(
				`UPDATE changes SET first_at = max(first_at, ?1), proof = proof(pid, sequence, max(first_at, ?1), last_at)`,
			),
		},
	};
}

/** A change that has not been written yet. */
interface Waiting {
	readonly change: Change;
	readonly resolve: (isNew: boolean) => void;
	readonly reject: (error: unknown) => void;
}

/** Collects changes, so that those that arrive together are written together. */
interface ChangeQueue {
	/** @returns whether the change is new. */
	add(change: Change): Promise<boolean>;
	/** Writes what is waiting. */
	flush(): void;
}

/** @param write writes all changes or none, and returns which of them are new. */
function createChangeQueue(write: (changes: readonly Change[]) => readonly boolean[]): ChangeQueue {
	let queue: Waiting[] = [];
	const flush = () => {
		if (queue.length === 0) return;
		const written = queue;
		queue = [];
		try {
			const results = write(written.map(({ change }) => change));
			for (const [index, { resolve }] of written.entries()) resolve(results[index] === true);
		} catch (error) {
			for (const { reject } of written) reject(error);
		}
	};
	return {
		add: (change) =>
			new Promise((resolve, reject) => {
				if (queue.length === 0) setImmediate(flush);
				queue.push({ change, resolve, reject });
			}),
		flush,
	};
}

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
function createRebuildLock(
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

/** Identifies a process, even after its id has been reused. */
interface ProcessIdentity {
	readonly pid: number;
	/** Boot id and start time on Linux; elsewhere when this was recorded, in milliseconds since 1970. */
	readonly started: string;
}

export function identifyProcess(pid: number): ProcessIdentity {
	return { pid, started: startOf(pid) ?? String(Date.now()) };
}

/**
 * Whether the process is running. Without `/proc` its start time is unknown: any process with the same id counts, unless
 * the machine was restarted since.
 */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
	if (started.includes('/')) return startOf(pid) === started;
	if (Number(started) < Date.now() - uptime() * 1_000) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** Whether any process of the leader's group is running. The id of the leader is not reused while one is. */
function isGroupRunning(leader: ProcessIdentity): boolean {
	if (isRunning(leader)) return true;
	if (!leader.started.includes('/') || startOf(leader.pid) !== undefined) return false;
	try {
		return process.kill(-leader.pid, 0);
	} catch {
		return false;
	}
}

/** Boot id and start time of a process; `undefined` if it has ended, or without `/proc`. */
function startOf(pid: number): string | undefined {
	try {
		const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
		// The second field, the name, may contain anything, even `) `. The first field after it is the third, the state.
		const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
		const isGone = fields[0] === 'Z' || fields[0] === 'X';
		return isGone ? undefined : `${boot}/${fields[22 - 3]}`;
	} catch {
		return undefined;
	}
}
