import type { DatabaseSync } from 'node:sqlite';
import { isUnusable } from '../store/open-database.js';
import { openExistingFile } from '../store/open-existing-file.js';

/**
 * Does something with the file of a store that is there, and closes it when all was printed or nobody reads on.
 * @param name the file, for messages.
 * @throws Error that says what is wrong with the file, and what to do.
 */
export function* useStore(
	file: string,
	name: string,
	action: (database: DatabaseSync) => Iterable<string>,
): Iterable<string> {
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		yield* action(database);
	} catch (cause) {
		throw new Error(explain(cause as NodeJS.ErrnoException & { errcode?: number }, name), { cause });
	} finally {
		database?.close();
	}
}

const SQLITE_BUSY = 5;

function explain(error: NodeJS.ErrnoException & { errcode?: number }, name: string): string {
	const { code, syscall, message, errcode } = error;
	if (code === 'ENOENT') {
		return `There is no store at ${name}. A build makes it; --root, --cache-dir or --store say where else it is.`;
	}
	if (syscall !== undefined) return `The store at ${name} cannot be read: ${syscall} failed with ${code}.`;
	if (isUnusable(error)) {
		return `The file at ${name} cannot be used as a store: ${message}. It was left as it is; a build makes a new store.`;
	}
	if (errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY) {
		return `The store at ${name} is in use: ${message}. Try again when the build that writes it has ended.`;
	}
	if (errcode !== undefined) return `The store at ${name} cannot be used: ${message}.`;
	return message;
}
