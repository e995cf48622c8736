import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from 'astro-product-reviews/internal/errors';
import {
	inTransaction,
	isUnusable,
	mendMarks,
	mendRows,
	openDatabase,
	openExistingFile,
	SENT_KINDS,
} from 'astro-product-reviews/internal/store';
import { settleRatings } from './settle-ratings.js';

/** A store to take rows from. */
export interface StoreSource {
	/** Path of its file. */
	readonly file: string;
	/** Its folder, for messages; `undefined` if the others are whole without it. */
	readonly name: string | undefined;
	/** Whether to take what it knows of pages, too. What it knows of builds is never taken. */
	readonly hasPages: boolean;
}

/**
 * Joins stores into a new one. Of two values of a product or a page, the one that was fetched last stays. Damaged rows are
 * left out; if one may have said that a product changed, all products count as changed.
 * @param file path of the new store; a file that is there is deleted.
 * @param now milliseconds since 1970.
 * @throws CommandError if a store is damaged.
 * @throws Error if the new one cannot be written.
 */
export function joinStores(file: string, sources: readonly StoreSource[], now: number): void {
	for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	const database = openDatabase(file, () => {});
	try {
		// The file is renamed when it is complete, and deleted if it is not.
		database.exec('PRAGMA synchronous = OFF');
		for (const source of sources) tryToAdd(database, source, now);
		mendRows(database, false, now);
		settleRatings(database);
		database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = FULL;');
	} finally {
		database.close();
	}
}

function tryToAdd(database: DatabaseSync, source: StoreSource, now: number): void {
	try {
		addStore(database, source, now);
	} catch (cause) {
		if (!isUnusable(cause)) throw cause;
		if (source.name === undefined) return;
		throw new CommandError(
			'PR_STORE_UNUSABLE',
			`The store in ${source.name} cannot be used: ${cause.message}.`,
			'Build that shard again.',
			{ cause },
		);
	}
}

function addStore(database: DatabaseSync, { file, hasPages }: StoreSource, now: number): void {
	mend(file, now);
	database.prepare('ATTACH DATABASE ? AS source').run(file);
	try {
		const kinds = [...SENT_KINDS, ...(hasPages ? ['page'] : [])].map((kind) => `'${kind}'`).join(', ');
		inTransaction(database, () => {
			addRows(database, 'entries', `kind IN (${kinds})`);
			addRows(database, 'marks', 'TRUE');
			if (hasPages) database.exec('INSERT OR IGNORE INTO main.shown SELECT * FROM source.shown');
		});
	} finally {
		database.exec('DETACH DATABASE source');
	}
}

/** Marks that were lost could not be told from marks that were never there. */
function mend(file: string, now: number): void {
	const source = openExistingFile(file);
	try {
		mendMarks(source, now);
	} finally {
		source.close();
	}
}

/** Rows that are newer than those of the same key replace them, and all others are added. */
function addRows(database: DatabaseSync, table: 'entries' | 'marks', condition: string): void {
	database.exec(`
		CREATE TEMP TABLE replaced AS SELECT account, kind, pid
			FROM source.${table} AS ours JOIN main.${table} AS known USING (account, kind, pid)
			WHERE ${condition} AND (ours.fetched_at, ours.used_at) > (known.fetched_at, known.used_at);
		DELETE FROM main.contents WHERE (account, kind, pid) IN (SELECT account, kind, pid FROM replaced);
		DELETE FROM main.${table} WHERE (account, kind, pid) IN (SELECT account, kind, pid FROM replaced);
		DROP TABLE replaced;
		INSERT OR IGNORE INTO main.contents (account, kind, pid, codec, value)
			SELECT account, kind, pid, codec, value FROM source.contents JOIN source.${table} USING (account, kind, pid)
			WHERE ${condition} AND (account, kind, pid) NOT IN (SELECT account, kind, pid FROM main.${table});
		INSERT OR IGNORE INTO main.${table} SELECT * FROM source.${table} WHERE ${condition};
	`);
}
