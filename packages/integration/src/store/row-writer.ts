import type { DatabaseSync } from 'node:sqlite';
import type { Packed } from './pack.js';
import { CLOCK_TOLERANCE, type Kind } from './review-store.js';

/** A value on its way into the file. */
export interface WaitingRow {
	readonly kind: Kind;
	readonly pid: string;
	readonly packed: Packed;
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
}

/**
 * Gives a function that writes rows in one transaction: all of them, or none where it throws. A row never replaces a
 * newer one that another build wrote meanwhile; one from the future was written by a clock that was wrong.
 */
export function createRowWriter(
	database: DatabaseSync,
	account: string,
): (rows: Iterable<WaitingRow>) => true {
	const upsert = database.prepare(
		`INSERT INTO reviews (account, resource, pid, digest, fetched_at, codec, value) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (account, resource, pid) DO UPDATE SET digest = excluded.digest,
		fetched_at = excluded.fetched_at, codec = excluded.codec, value = excluded.value
		WHERE excluded.fetched_at >= fetched_at OR fetched_at > excluded.fetched_at + ${CLOCK_TOLERANCE}`,
	);
	return (rows) => {
		database.exec('BEGIN IMMEDIATE');
		try {
			for (const { kind, pid, packed, fetchedAt } of rows) {
				upsert.run(account, kind, pid, packed.digest, fetchedAt, packed.codec, packed.bytes);
			}
			database.exec('COMMIT');
			return true;
		} catch (error) {
			rollBack(database);
			throw error;
		}
	};
}

/** SQLite ends a transaction by itself after some errors, such as a full disk; the first error is the one to tell. */
function rollBack(database: DatabaseSync): void {
	try {
		database.exec('ROLLBACK');
	} catch {
		// There is no transaction any more.
	}
}
