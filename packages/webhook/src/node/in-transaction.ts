import type { DatabaseSync } from 'node:sqlite';

/** Runs an action that is written as a whole, or not at all if it throws. */
export function inTransaction<Result>(database: DatabaseSync, action: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = action();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		if (database.isTransaction) database.exec('ROLLBACK');
		throw error;
	}
}
