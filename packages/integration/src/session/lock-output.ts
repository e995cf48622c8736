import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { makeFolder, SQLITE_BUSY, sqliteCode } from '../cache/open-database.js';

/** How often to ask for a lock that another process holds, in milliseconds. */
const PAUSE = 50;

/**
 * Makes sure that one process at a time changes an output folder: a build, or an update. SQLite locks a file for us,
 * and the system releases it when its process ends, however it ends.
 */
export async function lockOutput({
	cacheFile,
	outDir,
	patience,
	onWait,
}: {
	readonly cacheFile: string;
	readonly outDir: string;
	readonly patience: number;
	readonly onWait: () => void;
}): Promise<(() => void) | undefined> {
	const name = createHash('sha256').update(outDir).digest('hex').slice(0, 12);
	makeFolder(dirname(cacheFile));
	const database = new DatabaseSync(join(dirname(cacheFile), `output-${name}.lock`), { timeout: 0 });
	const end = performance.now() + patience;
	let isWaiting = false;
	while (!tryToLock(database)) {
		if (!isWaiting) onWait();
		isWaiting = true;
		if (performance.now() >= end) {
			database.close();
			return undefined;
		}
		await setTimeout(PAUSE);
	}
	return () => database.close();
}

function tryToLock(database: DatabaseSync): boolean {
	try {
		database.exec('BEGIN EXCLUSIVE');
		return true;
	} catch (error) {
		if (sqliteCode(error) === SQLITE_BUSY) return false;
		database.close();
		throw error;
	}
}
