import type { DatabaseSync } from 'node:sqlite';
import { encode } from './codec.js';
import type { Resource, Stored } from './review-store.js';

/** A value on its way into the file, with its JSON text. */
interface WaitingRow {
	readonly resource: Resource;
	readonly text: string;
	readonly stored: Stored<unknown>;
}

/**
 * Gives a function that writes rows in one transaction: all of them, or none where it throws. A row never replaces a
 * newer one that another build wrote meanwhile.
 */
export function createRowWriter(
	database: DatabaseSync,
	account: string,
): (rows: Iterable<WaitingRow>) => true {
	const upsert = database.prepare(
		`INSERT INTO reviews (account, resource, pid, digest, fetched_at, codec, value) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (account, resource, pid) DO UPDATE SET digest = excluded.digest,
		fetched_at = excluded.fetched_at, codec = excluded.codec, value = excluded.value
		WHERE excluded.fetched_at >= fetched_at`,
	);
	return (rows) => {
		database.exec('BEGIN IMMEDIATE');
		try {
			for (const { resource, text, stored } of rows) {
				const { codec, value } = encode(text);
				upsert.run(account, resource, stored.pid, stored.digest, stored.fetchedAt, codec, value);
			}
			database.exec('COMMIT');
			return true;
		} catch (error) {
			database.exec('ROLLBACK');
			throw error;
		}
	};
}
