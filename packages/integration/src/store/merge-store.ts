import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.js';
import { CLOCK_TOLERANCE, PRODUCT_KINDS } from './review-store.js';
import {
	ENTRY_COLUMNS,
	ENTRY_TABLES,
	type EntryRow,
	type EntryTable,
	isWhole,
	isWholeIn,
	type KeyedRow,
	prepareToRead,
	type RowKey,
	toRow,
} from './rows.js';

/** Rows of one transaction. A build that writes meanwhile waits for no more than these. */
const BATCH = 200;
const COLUMNS = `account, kind, pid, ${ENTRY_COLUMNS}`;
const KINDS = PRODUCT_KINDS.map((kind) => `'${kind}'`).join(', ');
const KEY = 'account = ? AND kind = ? AND pid = ?';

/** How many products' reviews were in the other store. */
export interface Merged {
	/** Newer there, or missing here. */
	readonly taken: number;
	/** As new here, or newer. */
	readonly kept: number;
}

/**
 * Takes what another store has newer of products. What is newer here stays, and so does what this store knows of pages.
 * Damaged rows of the other store are skipped.
 * @param now milliseconds since 1970. Rows that are newer than that, by more than clocks may differ, count as older than any.
 */
export function mergeStore(source: DatabaseSync, target: DatabaseSync, now: number): Merged {
	const merged = { taken: 0, kept: 0 };
	for (const table of ENTRY_TABLES) {
		const rows = prepareToRead(source, `SELECT ${COLUMNS} FROM ${table} WHERE kind IN (${KINDS})`);
		const takeRow = createTake(source, target, table, now);
		const iterator = rows.iterate();
		for (let batch = next(iterator); batch.length > 0; batch = next(iterator)) {
			inTransaction(target, () => {
				for (const row of batch) {
					const isTaken = takeRow(row);
					if (row.kind === 'reviews') merged[isTaken ? 'taken' : 'kept'] += 1;
				}
			});
		}
	}
	return merged;
}

function next(iterator: Iterator<unknown>): KeyedRow[] {
	const batch: KeyedRow[] = [];
	while (batch.length < BATCH) {
		const { value, done } = iterator.next();
		if (done) break;
		batch.push(toRow<KeyedRow>(value));
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
	const put = target.prepare(
		`INSERT OR REPLACE INTO ${table} (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const putContent = target.prepare(
		'INSERT OR REPLACE INTO contents (account, kind, pid, codec, value) VALUES (?, ?, ?, ?, ?)',
	);
	const latest = now + CLOCK_TOLERANCE;
	const isOlder = (key: RowKey, row: KeyedRow) => {
		const found = find.get(key.account, key.kind, key.pid);
		if (!found) return true;
		const there = toRow<EntryRow>(found);
		return !isWhole(key, there) || there.fetched_at < row.fetched_at || there.fetched_at > latest;
	};
	return (row) => {
		const { account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof } = row;
		if (!isWholeIn(table, row) || fetched_at > latest || !isOlder(row, row)) return false;
		const found = content.get(account, kind, pid);
		if (!found) return false;
		put.run(account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof);
		putContent.run(account, kind, pid, found['codec'] as number, found['value'] as Uint8Array);
		return true;
	};
}
