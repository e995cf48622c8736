import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` so that all of its changes are kept, or none of them where it throws. May not be nested. */
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
