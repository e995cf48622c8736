import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './in-transaction.js';
import type { Packed } from './pack.js';
import { CLOCK_TOLERANCE, type Entry, type Kind } from './review-store.js';

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
 * What is written counts as used.
 */
export function createRowWriter(
	database: DatabaseSync,
	account: string,
): (rows: Iterable<WaitingRow>, changes: Iterable<WaitingChange>, usedAt: number) => true {
	const putEntry = database.prepare(
		`INSERT INTO entries (account, kind, pid, digest, fetched_at, used_at, state, validators, summary)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (account, kind, pid) DO UPDATE SET digest = excluded.digest, fetched_at = excluded.fetched_at,
		used_at = excluded.used_at, state = excluded.state, validators = excluded.validators,
		summary = excluded.summary
		WHERE excluded.fetched_at >= fetched_at OR fetched_at > excluded.fetched_at + ${CLOCK_TOLERANCE}`,
	);
	const putContent = database.prepare(
		`INSERT INTO contents (account, kind, pid, codec, value) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (account, kind, pid) DO UPDATE SET codec = excluded.codec, value = excluded.value`,
	);
	const change = database.prepare(
		`UPDATE entries SET fetched_at = coalesce(?, fetched_at), state = coalesce(?, state), used_at = ?
		WHERE account = ? AND kind = ? AND pid = ?`,
	);
	return (rows, changes, usedAt) =>
		inTransaction(database, () => {
			for (const { kind, pid, packed, fetchedAt, state, validators = null } of rows) {
				const { digest, codec, bytes, summary = null } = packed;
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
				);
				if (isWritten) putContent.run(account, kind, pid, codec, bytes);
			}
			for (const { kind, pid, fetchedAt = null, state = null } of changes) {
				change.run(fetchedAt, state, usedAt, account, kind, pid);
			}
			return true;
		});
}
