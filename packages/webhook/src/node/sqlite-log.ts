import type { Change } from '../changes/change.js';
import type { ChangeLog } from '../collect/change-log.js';
import { openDatabase } from './open-database.js';
import { createRebuildLock } from './rebuild-lock.js';

/** How long ids of events are kept, in milliseconds: twice as long as a signed request is valid. */
const EVENTS_KEPT = 1_200_000;
/** Stored in place of a product id if anything may have changed. No product has this id. */
const ALL = '';

/** A change that has not been written yet. */
interface Waiting {
	readonly change: Change;
	readonly resolve: (isNew: boolean) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * Holds changes in an SQLite file. Recorded changes survive a crash of the process. Changes that arrive together are
 * written in one transaction.
 *
 * @param file path; its folder is created if needed.
 * @throws Error if the file cannot be used.
 * @example createCollector({ log: openSqliteLog('.cache/review-changes.db'), rebuild: command('npm run build') })
 */
export function openSqliteLog(file: string): ChangeLog {
	const database = openDatabase(file);
	const addEvent = database.prepare('INSERT OR IGNORE INTO events (id, received_at) VALUES (?, ?)');
	const removeEvents = database.prepare('DELETE FROM events WHERE received_at < ?');
	const nextNumber = database.prepare('UPDATE numbers SET last = last + 1');
	const mark = database.prepare(
		`INSERT INTO changes (pid, sequence, first_at, last_at)
		VALUES (?, (SELECT last FROM numbers), ?, ?)
		ON CONFLICT (pid) DO UPDATE SET sequence = excluded.sequence, last_at = max(last_at, excluded.last_at)`,
	);
	const summary = database.prepare(
		'SELECT min(first_at) AS firstAt, max(last_at) AS lastAt, max(sequence) AS upTo FROM changes',
	);
	const countRows = database.prepare(
		`SELECT count(*) AS rows, EXISTS (SELECT 1 FROM changes WHERE pid = '${ALL}') AS isAll FROM changes`,
	);
	const products = database.prepare('SELECT pid FROM changes ORDER BY sequence');
	let queue: Waiting[] = [];

	const transact = <Result>(action: () => Result): Result => {
		database.exec('BEGIN IMMEDIATE');
		try {
			const result = action();
			database.exec('COMMIT');
			return result;
		} catch (error) {
			if (database.isTransaction) database.exec('ROLLBACK');
			throw error;
		}
	};
	const write = ({ id, pids, all, receivedAt }: Change): boolean => {
		if (id !== undefined && addEvent.run(id, receivedAt).changes === 0) return false;
		for (const pid of all ? [ALL] : pids) mark.run(pid, receivedAt, receivedAt);
		return true;
	};
	const flush = () => {
		const written = queue;
		queue = [];
		try {
			const results = transact(() => {
				removeEvents.run((written.at(-1)?.change.receivedAt ?? 0) - EVENTS_KEPT);
				nextNumber.run();
				return written.map(({ change }) => write(change));
			});
			for (const [index, { resolve }] of written.entries()) resolve(results[index] === true);
		} catch (error) {
			for (const { reject } of written) reject(error);
		}
	};

	return {
		record: (change) =>
			new Promise((resolve, reject) => {
				if (queue.length === 0) setImmediate(flush);
				queue.push({ change, resolve, reject });
			}),
		async count() {
			const { rows, isAll } = countRows.get() as Record<'rows' | 'isAll', number>;
			return { products: rows - isAll, all: isAll === 1 };
		},
		async waiting() {
			const { firstAt, lastAt, upTo } = summary.get() as Record<'firstAt' | 'lastAt' | 'upTo', number | null>;
			if (firstAt === null || lastAt === null || upTo === null) return undefined;
			const pids = (products.all() as { pid: string }[]).map(({ pid }) => pid);
			return { pids: pids.filter((pid) => pid !== ALL), all: pids.includes(ALL), firstAt, lastAt, upTo };
		},
		async settle(upTo, startedAt) {
			transact(() => {
				database.prepare('DELETE FROM changes WHERE sequence <= ?').run(upTo);
				database.prepare('UPDATE changes SET first_at = max(first_at, ?)').run(startedAt);
			});
		},
		hold: createRebuildLock(database, transact),
		async close() {
			if (!database.isOpen) return;
			if (queue.length > 0) flush();
			database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
			database.close();
		},
	};
}
