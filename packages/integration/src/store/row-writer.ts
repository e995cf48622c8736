import type { DatabaseSync } from 'node:sqlite';
import { createBlockWriter, type NewMember } from './blocks.js';
import { CLOCK_TOLERANCE, type Kind, type StoredEntry } from './review-store.js';
import {
	byKind,
	ENTRY_COLUMNS,
	type EntryRow,
	type EntryTable,
	inTransaction,
	isWhole,
	prepareToRead,
	proofOf,
	toRow,
} from './rows.js';
import type { Packed } from './values.js';

/** A value on its way into the file. */
export interface WaitingRow extends Omit<StoredEntry, 'digest' | 'summary'> {
	readonly kind: Kind;
	readonly pid: string;
	readonly packed: Packed;
	/** For a page: the products that it shows something of. */
	readonly shows?: readonly string[] | undefined;
}

/** A change of what is known of a value in the file. */
export interface WaitingChange extends Partial<Pick<StoredEntry, 'fetchedAt' | 'state'>> {
	readonly kind: Kind;
	readonly pid: string;
}

/** Everything on its way into the file. */
export interface Waiting {
	readonly rows?: Iterable<WaitingRow>;
	readonly changes?: Iterable<WaitingChange>;
	/** What was made of values. */
	readonly members?: readonly Omit<NewMember, 'account'>[];
}

/** @param usedAt milliseconds since 1970. */
export type WriteRows = (waiting: Waiting, usedAt: number) => true;

/**
 * Returns a function that writes everything in one transaction: all of it, or nothing if it throws. A value never
 * replaces a newer one that another build wrote in the meantime, unless that one is from the future: its clock was wrong.
 * Whatever is written counts as used. A damaged row is replaced, and never changed into one that looks whole.
 */
export function createRowWriter(database: DatabaseSync, account: string): WriteRows {
	const of = byKind((table) => prepareStatements(database, table));
	const { putContent, putShown } = prepareForContents(database);
	const writeMembers = createBlockWriter(database);
	/** The row that is there. A damaged one is removed. */
	const findWhole = (kind: Kind, pid: string): EntryRow | undefined => {
		const found = of(kind).find.get(account, kind, pid);
		if (!found) return undefined;
		const row = toRow<EntryRow>(found);
		if (isWhole({ account, kind, pid }, row)) return row;
		of(kind).remove.run(account, kind, pid);
		return undefined;
	};
	const put = (waiting: WaitingRow, usedAt: number) => {
		const { kind, pid, packed, fetchedAt, state, validators = null, shows = [] } = waiting;
		const { digest, codec, bytes, summary = null } = packed;
		const row = { digest, fetched_at: fetchedAt, used_at: usedAt, state, validators, summary };
		const proof = proofOf({ account, kind, pid }, row);
		findWhole(kind, pid);
		const { changes: isWritten } = of(kind).putEntry.run(
			account,
			kind,
			pid,
			digest,
			fetchedAt,
			usedAt,
			state,
			validators,
			summary,
			proof,
		);
		if (isWritten) putContent.run(account, kind, pid, codec, bytes);
		for (const shown of shows) putShown.run(account, shown, pid);
	};
	const apply = ({ kind, pid, ...changed }: WaitingChange, usedAt: number) => {
		const found = findWhole(kind, pid);
		if (!found) return;
		const { fetchedAt = found.fetched_at, state = found.state } = changed;
		const row = { ...found, fetched_at: fetchedAt, state, used_at: usedAt };
		of(kind).change.run(fetchedAt, state, usedAt, proofOf({ account, kind, pid }, row), account, kind, pid);
	};
	return ({ rows = [], changes = [], members = [] }, usedAt) =>
		inTransaction(database, () => {
			for (const row of rows) put(row, usedAt);
			for (const changed of changes) apply(changed, usedAt);
			writeMembers(members.map((member) => ({ ...member, account })));
			return true;
		});
}

function prepareForContents(database: DatabaseSync) {
	return {
		putContent: database.prepare(
			`INSERT INTO contents (account, kind, pid, codec, value) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (account, kind, pid) DO UPDATE SET codec = excluded.codec, value = excluded.value`,
		),
		putShown: database.prepare('INSERT OR IGNORE INTO shown (account, pid, page) VALUES (?, ?, ?)'),
	};
}

function prepareStatements(database: DatabaseSync, table: EntryTable) {
	return {
		find: prepareToRead(
			database,
			`SELECT ${ENTRY_COLUMNS} FROM ${table} WHERE account = ? AND kind = ? AND pid = ?`,
		),
		remove: database.prepare(`DELETE FROM ${table} WHERE account = ? AND kind = ? AND pid = ?`),
		putEntry: database.prepare(
			`INSERT INTO ${table} (account, kind, pid, ${ENTRY_COLUMNS})
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (account, kind, pid) DO UPDATE SET digest = excluded.digest, fetched_at = excluded.fetched_at,
			used_at = excluded.used_at, state = excluded.state, validators = excluded.validators,
			summary = excluded.summary, proof = excluded.proof
			WHERE excluded.fetched_at >= fetched_at OR fetched_at > excluded.fetched_at + ${CLOCK_TOLERANCE}`,
		),
		change: database.prepare(
			`UPDATE ${table} SET fetched_at = ?, state = ?, used_at = ?, proof = ?
			WHERE account = ? AND kind = ? AND pid = ?`,
		),
	};
}
