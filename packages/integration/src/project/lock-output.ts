import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { digestOf } from '../base/digest.js';
import { openSqlite } from '../base/sqlite.js';
import { makeFolder, SQLITE_BUSY, sqliteCode } from '../cache/open-database.js';
import { POINTER_FOLDER } from '../constants.js';
import { realPath } from './manifest.js';

/** In milliseconds. */
const PAUSE = 50;

/**
 * Makes sure that one process at a time changes an output folder: a build, or an update. SQLite locks a file for us,
 * and the system releases it when its process ends, however it ends. The file is beside the pointer to the cache: builds with
 * other caches may write to the same folder.
 */
export async function lockOutput({
	root,
	outDir,
	patience,
	onWait,
}: {
	/** The project's folder. */
	readonly root: string;
	readonly outDir: string;
	readonly patience: number;
	readonly onWait: () => void;
}): Promise<(() => void) | undefined> {
	const name = digestOf(realPath(outDir)).slice(0, 12);
	const folder = join(realPath(root), POINTER_FOLDER);
	makeFolder(folder);
	const database = openSqlite(join(folder, `output-${name}.lock`));
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
