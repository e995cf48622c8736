import type { DatabaseSync } from 'node:sqlite';
import type { Kind } from './review-store.js';
import {
	byKind,
	ENTRY_COLUMNS,
	type EntryRow,
	type EntryTable,
	isWhole,
	prepareToRead,
	type Row,
	toRow,
	unpackRow,
} from './rows.js';

/** Reads the rows of one account. Damaged rows are skipped. Each operation throws what SQLite throws. */
export interface RowReader {
	find<Value>(kind: Kind, pid: string): (EntryRow & { readonly value: Value }) | undefined;
	findEntry(kind: Kind, pid: string): EntryRow | undefined;
	/** Entries of the products that have one. */
	findEntries(kind: Kind, pids: readonly string[]): readonly (EntryRow & { readonly pid: string })[];
	hasAny(kind: Kind): boolean;
	/** Names of the pages that may show one of these products. */
	findPages(pids: readonly string[]): readonly string[];
	/** All products that some page may show. */
	findShown(): readonly string[];
	/** Product ids of all rows of a kind; for pages, their names. */
	findPids(kind: Kind): readonly string[];
}

/** What reading may find. */
export interface RowEvents {
	/** A row is not what was written. Called every time it is read. */
	onDamaged(kind: Kind, pid: string): void;
	/** There is no row of a value. */
	onMissing(kind: Kind): void;
}

export function createRowReader(
	database: DatabaseSync,
	account: string,
	{ onDamaged, onMissing }: RowEvents,
): RowReader {
	const of = byKind((table) => prepareStatements(database, table));
	const { pages, shown } = prepareForPages(database);
	const proven = <Found extends EntryRow>(kind: Kind, pid: string, found: unknown): Found | undefined => {
		if (!found) {
			onMissing(kind);
			return undefined;
		}
		const read = toRow<Found>(found);
		if (isWhole({ account, kind, pid }, read)) return read;
		onDamaged(kind, pid);
		return undefined;
	};
	return {
		find<Value>(kind: Kind, pid: string) {
			const found = proven<Row>(kind, pid, of(kind).row.get(account, kind, pid));
			try {
				return found && { ...found, value: unpackRow<Value>(found) };
			} catch {
				onDamaged(kind, pid);
				return undefined;
			}
		},
		findEntry: (kind, pid) => proven(kind, pid, of(kind).entry.get(account, kind, pid)),
		findEntries(kind, pids) {
			const rows = of(kind).entries.all(account, kind, JSON.stringify(pids)) as unknown as { pid: string }[];
			if (rows.length < pids.length) onMissing(kind);
			return rows.flatMap((found) => proven<EntryRow & { pid: string }>(kind, found.pid, found) ?? []);
		},
		hasAny: (kind) => of(kind).any.get(account, kind) !== undefined,
		findPages: (pids) => pages.all(account, JSON.stringify(pids)).map(({ page }) => String(page)),
		findShown: () => shown.all(account).map(({ pid }) => String(pid)),
		findPids: (kind) =>
			of(kind)
				.pids.all(account, kind)
				.map(({ pid }) => String(pid)),
	};
}

function prepareForPages(database: DatabaseSync) {
	return {
		pages: database.prepare(
			'SELECT DISTINCT page FROM shown WHERE account = ? AND pid IN (SELECT value FROM json_each(?)) ORDER BY page',
		),
		shown: database.prepare('SELECT DISTINCT pid FROM shown WHERE account = ? ORDER BY pid'),
	};
}

function prepareStatements(database: DatabaseSync, table: EntryTable) {
	const ofProduct = 'WHERE account = ? AND kind = ? AND pid = ?';
	const ofProducts = 'WHERE account = ? AND kind = ? AND pid IN (SELECT value FROM json_each(?))';
	return {
		row: prepareToRead(
			database,
			`SELECT ${ENTRY_COLUMNS}, codec, value FROM ${table} LEFT JOIN contents USING (account, kind, pid) ${ofProduct}`,
		),
		entry: prepareToRead(database, `SELECT ${ENTRY_COLUMNS} FROM ${table} ${ofProduct}`),
		entries: prepareToRead(database, `SELECT pid, ${ENTRY_COLUMNS} FROM ${table} ${ofProducts}`),
		pids: database.prepare(`SELECT pid FROM ${table} WHERE account = ? AND kind = ?`),
		any: database.prepare(`SELECT 1 FROM ${table} WHERE account = ? AND kind = ? LIMIT 1`),
	};
}
