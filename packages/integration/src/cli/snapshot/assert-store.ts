import { readHeader, whyNotAStore } from '../../store/identity.js';
import { assertTables } from '../../store/open-database.js';
import { openExistingFile } from '../../store/open-existing-file.js';
import { unusable } from './compression.js';

/**
 * Makes sure that an unpacked snapshot is a store: of this version, with the tables of a store and nothing else, and not
 * damaged. The checksum of a snapshot says only that it is what somebody compressed.
 * @throws CommandError if it is not.
 */
export function assertStore(file: string): void {
	const header = readHeader(file);
	const reason = header ? whyNotAStore(header) : 'it is not a database';
	if (reason) throw unusable(reason);
	const found = findProblem(file);
	if (found) throw unusable(found.reason, found.cause);
}

function findProblem(file: string): { readonly reason: string; readonly cause?: unknown } | undefined {
	try {
		const database = openExistingFile(file);
		try {
			// SQLite recommends both for files from elsewhere.
			database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
			assertTables(database);
			// A trigger would run in every later build.
			const { count } = database.prepare(COUNT_OTHERS).get() as { count: number };
			if (count > 0) return { reason: 'it has more than the tables of a store' };
			const check = database.prepare('PRAGMA quick_check(1)').get();
			return check?.['quick_check'] === 'ok' ? undefined : { reason: 'its database is damaged' };
		} finally {
			database.close();
		}
	} catch (cause) {
		return { reason: (cause as Error).message, cause };
	}
}

/** Indexes without a statement belong to their tables. */
const COUNT_OTHERS = `SELECT count(*) AS count FROM sqlite_schema
	WHERE sql IS NOT NULL AND NOT (type = 'table' AND name IN ('entries', 'marks', 'contents', 'blocks', 'shown'))`;
