import type { DatabaseSync } from 'node:sqlite';

/** Does all of it, or nothing where it throws. Waits for another process that writes. */
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

/** SQLite ends a transaction by itself after some errors, such as a full disk; the first error is the one to tell. */
function rollBack(database: DatabaseSync): void {
	try {
		database.exec('ROLLBACK');
	} catch {
		// There is no transaction any more.
	}
}
