import type { DatabaseSync } from 'node:sqlite';

/** Runs an action in a transaction, which is rolled back if it throws. Waits while another process writes. */
export function inTransaction<Result>(database: DatabaseSync, action: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = action();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		rollBack(database);
		throw error;
	}
}

/** After some errors, such as a full disk, SQLite has ended the transaction itself. The first error is the one to report. */
function rollBack(database: DatabaseSync): void {
	try {
		database.exec('ROLLBACK');
	} catch {
		// The transaction has already ended.
	}
}
