import type { DatabaseSync } from 'node:sqlite';

/**
 * Opens a file of SQLite. Modules cannot import `node:sqlite`: a Node without it would refuse to load them with an error of
 * its own, before ours names the Node that is needed.
 * @param file `''` for one that is temporary: what does not fit into memory is on the disk, and gone when it is closed
 * @param timeout longest wait for another process that writes, in milliseconds
 */
export function openSqlite(file: string, timeout = 0): DatabaseSync {
	const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
	return new DatabaseSync(file, { timeout });
}
