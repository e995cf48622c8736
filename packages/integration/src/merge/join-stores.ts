import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../store/in-transaction.js';
import { openDatabase } from '../store/open-database.js';
import { PRODUCT_KINDS } from '../store/review-store.js';
import { mendRows } from '../store/row-upkeep.js';
import { settleRatings } from './settle-ratings.js';

/** A store to take rows from. */
export interface StoreSource {
	/** Path of its file. */
	readonly file: string;
	/** Whether to take what it knows of pages, too. What it knows of builds is never taken. */
	readonly hasPages: boolean;
}

/**
 * Joins stores into a new one. Of two values of a product or a page, the one that was fetched last stays. Damaged rows are
 * left out; if one may have said that a product changed, all products count as changed.
 * @param file path of the new store; a file that is there is deleted.
 * @param now milliseconds since 1970.
 * @throws Error if a store cannot be read, or the new one cannot be written.
 */
export function joinStores(file: string, sources: readonly StoreSource[], now: number): void {
	for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	const database = openDatabase(file, () => {});
	try {
		// The file is renamed when it is complete, and deleted if it is not.
		database.exec('PRAGMA synchronous = OFF');
		for (const source of sources) addStore(database, source);
		mendRows(database, false, now);
		settleRatings(database);
		database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = FULL;');
	} finally {
		database.close();
	}
}

function addStore(database: DatabaseSync, { file, hasPages }: StoreSource): void {
	database.prepare('ATTACH DATABASE ? AS source').run(file);
	try {
		const kinds = [...PRODUCT_KINDS, ...(hasPages ? ['page'] : [])].map((kind) => `'${kind}'`).join(', ');
		inTransaction(database, () => {
			for (const statement of statementsFor(kinds, hasPages)) database.exec(statement);
		});
	} finally {
		database.exec('DETACH DATABASE source');
	}
}

/** Rows that are newer than those of the same key replace them, and all others are added. */
function statementsFor(kinds: string, hasPages: boolean): readonly string[] {
	const replaced = `SELECT main.entries.account, main.entries.kind, main.entries.pid
		FROM source.entries JOIN main.entries USING (account, kind, pid)
		WHERE kind IN (${kinds})
		AND (source.entries.fetched_at, source.entries.used_at) > (main.entries.fetched_at, main.entries.used_at)`;
	return [
		`CREATE TEMP TABLE replaced AS ${replaced}`,
		...['contents', 'entries'].map(
			(table) =>
				`DELETE FROM main.${table} WHERE (account, kind, pid) IN (SELECT account, kind, pid FROM replaced)`,
		),
		'DROP TABLE replaced',
		// Contents first: whether a value is taken depends on the entries that are there.
		`INSERT OR IGNORE INTO main.contents (account, kind, pid, codec, value)
			SELECT account, kind, pid, codec, value FROM source.contents
			WHERE kind IN (${kinds}) AND NOT EXISTS (
				SELECT 1 FROM main.entries AS known
				WHERE known.account = contents.account AND known.kind = contents.kind AND known.pid = contents.pid
			)`,
		`INSERT OR IGNORE INTO main.entries SELECT * FROM source.entries WHERE kind IN (${kinds})`,
		...(hasPages ? ['INSERT OR IGNORE INTO main.shown SELECT * FROM source.shown'] : []),
	];
}
