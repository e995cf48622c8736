import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` in a transaction, which is rolled back if it throws. Cannot be nested. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
	database.exec('BEGIN');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		database.exec('ROLLBACK');
		throw error;
	}
}
