import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.js';
import type { Packed } from './pack.js';
import { isWhole, proofOf } from './prove-row.js';
import { CLOCK_TOLERANCE, type Entry, type Kind } from './review-store.js';
import { ENTRY_COLUMNS, type EntryRow, prepareToRead, toRow } from './row-reader.js';

/** A value on its way into the file. */
export interface WaitingRow extends Omit<Entry, 'digest' | 'summary'> {
	readonly kind: Kind;
	readonly pid: string;
	readonly packed: Packed;
}

/** What is to be changed of a value that is in the file. */
export interface WaitingChange extends Partial<Pick<Entry, 'fetchedAt' | 'state'>> {
	readonly kind: Kind;
	readonly pid: string;
}

/**
 * Gives a function that writes values and changes in one transaction: all of them, or none where it throws. A value never
 * replaces a newer one that another build wrote meanwhile; one from the future was written by a clock that was wrong.
 * What is written counts as used. A damaged row is never in the way, and never changed into one that is whole.
 */
export function createRowWriter(
	database: DatabaseSync,
	account: string,
): (rows: Iterable<WaitingRow>, changes: Iterable<WaitingChange>, usedAt: number) => true {
	const find = prepareToRead(
		database,
		`SELECT ${ENTRY_COLUMNS} FROM entries WHERE account = ? AND kind = ? AND pid = ?`,
	);
	const remove = database.prepare('DELETE FROM entries WHERE account = ? AND kind = ? AND pid = ?');
	const putEntry = database.prepare(
		`INSERT INTO entries (account, kind, pid, ${ENTRY_COLUMNS})
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (account, kind, pid) DO UPDATE SET digest = excluded.digest, fetched_at = excluded.fetched_at,
		used_at = excluded.used_at, state = excluded.state, validators = excluded.validators,
		summary = excluded.summary, proof = excluded.proof
		WHERE excluded.fetched_at >= fetched_at OR fetched_at > excluded.fetched_at + ${CLOCK_TOLERANCE}`,
	);
	const putContent = database.prepare(
		`INSERT INTO contents (account, kind, pid, codec, value) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (account, kind, pid) DO UPDATE SET codec = excluded.codec, value = excluded.value`,
	);
	const change = database.prepare(
		`UPDATE entries SET fetched_at = ?, state = ?, used_at = ?, proof = ?
		WHERE account = ? AND kind = ? AND pid = ?`,
	);
	/** The row that is there; a damaged one is taken away. */
	const findWhole = (kind: Kind, pid: string): EntryRow | undefined => {
		const found = find.get(account, kind, pid);
		if (!found) return undefined;
		const row = toRow<EntryRow>(found);
		if (isWhole({ account, kind, pid }, row)) return row;
		remove.run(account, kind, pid);
		return undefined;
	};
	return (rows, changes, usedAt) =>
		inTransaction(database, () => {
			for (const { kind, pid, packed, fetchedAt, state, validators = null } of rows) {
				const { digest, codec, bytes, summary = null } = packed;
				const row = { digest, fetched_at: fetchedAt, used_at: usedAt, state, validators, summary };
				const proof = proofOf({ account, kind, pid }, row);
				findWhole(kind, pid);
				const { changes: isWritten } = putEntry.run(
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
			}
			for (const { kind, pid, ...changed } of changes) {
				const found = findWhole(kind, pid);
				if (!found) continue;
				const { fetchedAt = found.fetched_at, state = found.state } = changed;
				const row = { ...found, fetched_at: fetchedAt, state, used_at: usedAt };
				change.run(fetchedAt, state, usedAt, proofOf({ account, kind, pid }, row), account, kind, pid);
			}
			return true;
		});
}
