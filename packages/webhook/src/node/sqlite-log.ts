import type { ChangeLog } from '../collect/change-log.js';
import { createChangeQueue } from './change-queue.js';
import { describeDamage } from './describe-damage.js';
import { inTransaction } from './in-transaction.js';
import { ALL, type Damage, mendRows } from './mend-rows.js';
import { openDatabase } from './open-database.js';
import { prepareWrites } from './prepare-writes.js';
import { createRebuildLock } from './rebuild-lock.js';
import { writeChanges } from './write-changes.js';

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
