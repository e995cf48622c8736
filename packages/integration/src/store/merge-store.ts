import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { CLOCK_TOLERANCE, type Kind, PRODUCT_KINDS } from './review-store.js';
import {
	ENTRY_COLUMNS,
	ENTRY_TABLES,
	type EntryRow,
	type EntryTable,
	inTransaction,
	isWhole,
	isWholeIn,
	type KeyedRow,
	prepareToRead,
	type Row,
	toRow,
} from './rows.js';

/** Rows of one transaction. A build that writes meanwhile waits for no more than these. */
const BATCH = 200;
const COLUMNS = `account, kind, pid, ${ENTRY_COLUMNS}`;
const KEY = 'account = ? AND kind = ? AND pid = ?';

/** How many products' reviews were in the other store, and how many rows of it were not looked at. */
export interface Merged {
	/** Newer there, or missing here. */
	readonly taken: number;
	/** As new here, or newer. */
	readonly kept: number;
	readonly ignored: Ignored;
}

/** Rows that were left out. */
interface Ignored {
	/** Of another website or another service. */
	readonly ofOthers: number;
	/** Fetched or used in the future, by more than clocks may differ. */
	readonly ofFuture: number;
	/** Damaged, or not what this version writes. */
	readonly unusable: number;
	/** Neither of a product nor of a page. */
	readonly ofOtherKinds: number;
}

/** What to take from another store. */
export interface MergeOptions {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** With pages come the products that they show. @default everything kept of products */
	readonly kinds?: readonly Kind[];
	/** The only account of which something is taken. @default every account */
	readonly account?: string;
	/** Whether a row is one that this version could have written. @default every row that is whole */
	readonly accepts?: (row: KeyedRow & Row) => boolean;
}

/** Takes what another store has newer. What is newer here stays. */
export function mergeStore(source: DatabaseSync, target: DatabaseSync, options: MergeOptions): Merged {
	const { now, kinds = PRODUCT_KINDS, account, accepts = () => true } = options;
	const merged = { taken: 0, kept: 0 };
	const ignored = { ofOthers: 0, ofFuture: 0, unusable: 0, ofOtherKinds: 0 };
	const content = prepareToRead(source, `SELECT codec, value FROM contents WHERE ${KEY}`);
	for (const table of ENTRY_TABLES) {
		const { isNewer, put } = prepareToTake(target, table);
		inBatches(target, prepareToRead(source, `SELECT ${COLUMNS} FROM ${table}`), (read) => {
			const row = toRow<KeyedRow>(read);
			const why = whyIgnored(row);
			if (why !== undefined) {
				ignored[why] += 1;
				return;
			}
			const isTaken = isNewer(row);
			if (isTaken) {
				const found = content.get(row.account, row.kind, row.pid) as Pick<Row, 'codec' | 'value'> | undefined;
				// The mark of all products has no value.
				const whole = { ...row, codec: Number(found?.codec ?? 0), value: found?.value ?? new Uint8Array() };
				if (!isWholeIn(table, row) || !(found || table === 'marks') || !accepts(whole)) {
					ignored.unusable += 1;
					return;
				}
				put(whole);
			}
			if (row.kind === 'reviews') merged[isTaken ? 'taken' : 'kept'] += 1;
		});
	}
	if (kinds.includes('page')) takeShown(source, target, account);
	return { ...merged, ignored };

	function whyIgnored(row: KeyedRow): keyof Ignored | undefined {
		if (!kinds.includes(row.kind as Kind)) return 'ofOtherKinds';
		if (account !== undefined && row.account !== account) return 'ofOthers';
		// Our own machine notes when it used a row.
		const latest = account === undefined ? row.fetched_at : Math.max(row.fetched_at, row.used_at);
		return latest > now + CLOCK_TOLERANCE ? 'ofFuture' : undefined;
	}
}

/** Adds which products are on the pages that were taken. */
function takeShown(source: DatabaseSync, target: DatabaseSync, only: string | undefined): void {
	const put = target.prepare(
		`INSERT OR IGNORE INTO shown (account, pid, page) SELECT account, ?, pid FROM entries
		WHERE account = ? AND kind = 'page' AND pid = ?`,
	);
	inBatches(target, source.prepare('SELECT account, pid, page FROM shown'), ({ account, pid, page }) => {
		const isOwn = only === undefined || account === only;
		if (isOwn && typeof pid === 'string' && typeof page === 'string') put.run(pid, account as string, page);
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

/** Returns what says whether a row is newer than the one that is there, and what puts it in its place. */
function prepareToTake(target: DatabaseSync, table: EntryTable) {
	const find = prepareToRead(target, `SELECT ${ENTRY_COLUMNS} FROM ${table} WHERE ${KEY}`);
	const changes = ENTRY_COLUMNS.split(', ').map((column) => `${column} = excluded.${column}`);
	// A row keeps its block, where what was made of the older value is replaced.
	const putEntry = target.prepare(
		`INSERT INTO ${table} (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (account, kind, pid) DO UPDATE SET ${changes.join(', ')}`,
	);
	const putContent = target.prepare(
		'INSERT OR REPLACE INTO contents (account, kind, pid, codec, value) VALUES (?, ?, ?, ?, ?)',
	);
	return {
		isNewer(row: KeyedRow): boolean {
			const found = find.get(row.account, row.kind, row.pid);
			const there = found && toRow<EntryRow>(found);
			return !there || !isWhole(row, there) || there.fetched_at < row.fetched_at;
		},
		put(row: KeyedRow & Row): void {
			const { account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof } = row;
			putEntry.run(account, kind, pid, digest, fetched_at, used_at, state, validators, summary, proof);
			if (row.value.length > 0) putContent.run(account, kind, pid, row.codec, row.value);
		},
	};
}
