import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { fromElsewhere } from '../../cache/brought-rows.js';
import { isSameRating, type KnownRating, NO_RATING } from '../../cache/known-rating.js';
import { CommandError } from '../../errors.js';
import { mergeStore } from '../../store/merge-store.js';
import { isUnusable, openDatabase, openExistingFile } from '../../store/open-database.js';
import { PRODUCT_KINDS } from '../../store/review-store.js';
import { mendMarks } from '../../store/row-upkeep.js';
import {
	ENTRY_COLUMNS,
	inTransaction,
	type KeyedRow,
	prepareToRead,
	proofOf,
	toRow,
} from '../../store/rows.js';

/** A store to take rows from. */
export interface StoreSource {
	/** Path of its file. */
	readonly file: string;
	/** Its folder, for messages; `undefined` if the others are whole without it. */
	readonly name: string | undefined;
	/** The only account of which records and pages are taken; `undefined` for records of every account of our own store. */
	readonly account: string | undefined;
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
	for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
	const database = openDatabase(file, () => {});
	try {
		// The file is renamed when it is complete, and deleted if it is not.
		database.exec('PRAGMA synchronous = OFF');
		for (const source of sources) tryToAdd(database, source, now);
		settleRatings(database);
		// From here on, the file is on disk before it is renamed.
		database.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE);');
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

function addStore(database: DatabaseSync, { file, account }: StoreSource, now: number): void {
	const source = openExistingFile(file);
	try {
		// Marks that were lost could not be told from marks that were never there.
		mendMarks(source, now);
		if (account === undefined) mergeStore(source, database, { now });
		else mergeStore(source, database, { now, ...fromElsewhere(account), kinds: [...PRODUCT_KINDS, 'page'] });
	} finally {
		source.close();
	}
}

/** A rating, and a resource of the same product that is older. */
type OlderResource = KeyedRow & { readonly known: string | null; readonly known_at: number };

/**
 * Settles ratings that are newer than the reviews. In one build, that means that the reviews have changed and are not
 * fetched yet. In a joined store, another shard may just have asked later, for a list. Then both say the same, and the rating
 * becomes as old as the reviews.
 */
function settleRatings(database: DatabaseSync): void {
	const found = prepareToRead(
		database,
		`SELECT rating.account, rating.kind, rating.pid, ${columnsOf('rating')}, older.summary AS known, older.fetched_at AS known_at
		FROM entries AS rating JOIN entries AS older USING (account, pid)
		WHERE rating.kind = 'rating' AND older.kind IN ('reviews', 'review-data')
		AND rating.fetched_at > older.fetched_at ORDER BY known_at DESC`,
	);
	const settled = new Map<string, OlderResource>();
	const moved = new Set<string>();
	for (const read of found.iterate()) {
		const row = toRow<OlderResource>(read);
		const key = JSON.stringify([row.account, row.pid]);
		// The oldest comes last.
		if (isSameRating(parse(row.known), parse(row.summary))) settled.set(key, row);
		else moved.add(key);
	}
	const update = database.prepare(
		"UPDATE entries SET fetched_at = ?, proof = ? WHERE account = ? AND kind = 'rating' AND pid = ?",
	);
	inTransaction(database, () => {
		for (const [key, row] of settled) {
			if (moved.has(key)) continue;
			const { account, pid, known_at } = row;
			update.run(known_at, proofOf(row, { ...row, fetched_at: known_at }), account, pid);
		}
	});
}

function columnsOf(table: string): string {
	return ENTRY_COLUMNS.split(', ')
		.map((column) => `${table}.${column}`)
		.join(', ');
}

function parse(summary: string | null): KnownRating {
	return { ...NO_RATING, ...(JSON.parse(summary ?? '{}') as Partial<KnownRating>) };
}
