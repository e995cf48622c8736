import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.js';
import { createBlockUses, takeBlocks } from './merge-blocks.js';
import { CLOCK_TOLERANCE, type Kind, PRODUCT_KINDS } from './review-store.js';
import {
	ENTRY_COLUMNS,
	ENTRY_TABLES,
	type EntryRow,
	type EntryTable,
	isWhole,
	isWholeIn,
	type KeyedRow,
	prepareToRead,
	toRow,
} from './rows.js';

/** Rows of one transaction. A build that writes meanwhile waits for no more than these. */
const BATCH = 200;
const COLUMNS = `account, kind, pid, ${ENTRY_COLUMNS}`;
const KEY = 'account = ? AND kind = ? AND pid = ?';

/** How many products' reviews were in the other store. */
export interface Merged {
	/** Newer there, or missing here. */
	readonly taken: number;
	/** As new here, or newer. */
	readonly kept: number;
}

/**
 * Takes what another store has newer. What is newer here stays, and damaged rows of the other store are skipped.
 * @param now milliseconds since 1970. Rows that are newer than that, by more than clocks may differ, count as older than any.
 * @param kinds what to take. With pages come the products that they show. By default, everything kept of products.
 */
export function mergeStore(
	source: DatabaseSync,
	target: DatabaseSync,
	now: number,
	kinds: readonly Kind[] = PRODUCT_KINDS,
): Merged {
	const merged = { taken: 0, kept: 0 };
	const uses = createBlockUses();
	const among = kinds.map((kind) => `'${kind}'`).join(', ');
	for (const table of ENTRY_TABLES) {
		const rows = prepareToRead(source, `SELECT ${COLUMNS}, block FROM ${table} WHERE kind IN (${among})`);
		const takeRow = createTake(source, target, table, now);
		inBatches(target, rows, (read) => {
			const row = toRow<KeyedRow>(read);
			const isTaken = takeRow(row);
			uses.add(row, isTaken);
			if (row.kind === 'reviews') merged[isTaken ? 'taken' : 'kept'] += 1;
		});
	}
	takeBlocks(source, target, uses.all);
	if (kinds.includes('page')) takeShown(source, target);
	return merged;
}

/** Adds which products are on which pages. */
function takeShown(source: DatabaseSync, target: DatabaseSync): void {
	const put = target.prepare('INSERT OR IGNORE INTO shown (account, pid, page) VALUES (?, ?, ?)');
	inBatches(target, source.prepare('SELECT account, pid, page FROM shown'), ({ account, pid, page }) => {
		put.run(account as string, pid as string, page as string);
	});
}

type Columns = ReturnType<StatementSync['all']>[number];

/** Reads rows of one store, and handles them in transactions of another. */
function inBatches(target: DatabaseSync, rows: StatementSync, handle: (row: Columns) => void): void {
	const iterator = rows.iterate();
	for (let batch = next(iterator); batch.length > 0; batch = next(iterator)) {
		inTransaction(target, () => batch.forEach(handle));
	}
}

function next(iterator: Iterator<Columns>): Columns[] {
	const batch: Columns[] = [];
	while (batch.length < BATCH) {
		const { value, done } = iterator.next();
		if (done) break;
		batch.push(value);
	}
	return batch;
}

/** Returns a function that takes a row if it is newer. @returns whether it is */
function createTake(
	source: DatabaseSync,
	target: DatabaseSync,
	table: EntryTable,
	now: number,
): (row: KeyedRow) => boolean {
	const content = source.prepare(`SELECT codec, value FROM contents WHERE ${KEY}`);
	const find = prepareToRead(target, `SELECT ${ENTRY_COLUMNS} FROM ${table} WHERE ${KEY}`);
	const changes = ENTRY_COLUMNS.split(', ').map((column) => `${column} = excluded.${column}`);
	// A row keeps its block, where what was made of the older value is replaced.
	const put = target.prepare(
		`INSERT INTO ${table} (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (account, kind, pid) DO UPDATE SET ${changes.join(', ')}`,
	);
	const putContent = target.prepare(
		'INSERT OR REPLACE INTO contents (account, kind, pid, codec, value) VALUES (?, ?, ?, ?, ?)',
	);
	const rank = ({ fetched_at }: EntryRow) => (fetched_at > now + CLOCK_TOLERANCE ? -1 : fetched_at);
	const isNewer = (row: KeyedRow) => {
		const found = find.get(row.account, row.kind, row.pid);
		if (!found) return true;
		const there = toRow<EntryRow>(found);
		return !isWhole(row, there) || rank(there) < rank(row);
	};
	return (row) => {
		const { account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof } = row;
		if (!isWholeIn(table, row) || !isNewer(row)) return false;
		const found = content.get(account, kind, pid);
		// The mark of all products has no value.
		if (!found && table === 'entries') return false;
		put.run(account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof);
		if (found) putContent.run(account, kind, pid, found['codec'] as number, found['value'] as Uint8Array);
		return true;
	};
}
