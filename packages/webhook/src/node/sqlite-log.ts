import type { DatabaseSync } from 'node:sqlite';
import type { Change } from '../changes/change.js';
import type { ChangeLog } from '../collect/change-log.js';
import { describeDamage } from './describe-damage.js';
import { ALL, type Damage, mendRows } from './mend-rows.js';
import { openDatabase } from './open-database.js';
import { createRebuildLock } from './rebuild-lock.js';
import { isWhole } from './row-proof.js';

/** How long ids of events are kept, in milliseconds: twice as long as a signed request is valid. */
const EVENTS_KEPT = 1_200_000;

/** A change that has not been written yet. */
interface Waiting {
	readonly change: Change;
	readonly resolve: (isNew: boolean) => void;
	readonly reject: (error: unknown) => void;
}

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
	const { addEvent, removeEvents, nextNumber, mark, settle } = prepareWrites(database);
	const summary = database.prepare(
		'SELECT min(first_at) AS firstAt, max(last_at) AS lastAt, max(sequence) AS upTo FROM changes',
	);
	const countRows = database.prepare(
		`SELECT count(*) AS rows, EXISTS (SELECT 1 FROM changes WHERE pid = '${ALL}') AS isAll FROM changes`,
	);
	const products = database.prepare('SELECT pid FROM changes ORDER BY sequence');
	let queue: Waiting[] = [];
	const mend = () => {
		const mended = mendRows(database, now());
		if (mended) found.push(mended);
	};

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
		for (const pid of all ? [ALL] : pids) {
			if (mark.run(pid, receivedAt, receivedAt).changes > 0) continue;
			mend();
			mark.run(pid, receivedAt, receivedAt);
		}
		return true;
	};
	const flush = () => {
		const written = queue;
		queue = [];
		try {
			const results = transact(() => {
				removeEvents.run((written.at(-1)?.change.receivedAt ?? 0) - EVENTS_KEPT);
				if (nextNumber.run().changes === 0) mend();
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
			transact(mend);
			const { firstAt, lastAt, upTo } = summary.get() as Record<'firstAt' | 'lastAt' | 'upTo', number | null>;
			if (firstAt === null || lastAt === null || upTo === null) return undefined;
			const pids = (products.all() as { pid: string }[]).map(({ pid }) => pid);
			return { pids: pids.filter((pid) => pid !== ALL), all: pids.includes(ALL), firstAt, lastAt, upTo };
		},
		async settle(upTo, startedAt) {
			transact(() => {
				mend();
				settle.remove.run(upTo);
				settle.postpone.run(startedAt);
			});
		},
		damage: () => found.splice(0).map(describeDamage).join(' ') || undefined,
		hold: createRebuildLock(database, transact),
		async close() {
			if (!database.isOpen) return;
			if (queue.length > 0) flush();
			database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
			database.close();
		},
	};
}

/** A row that is damaged is never changed into one that looks whole. */
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
