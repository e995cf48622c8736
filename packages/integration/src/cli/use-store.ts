import type { DatabaseSync } from 'node:sqlite';
import { isUnusable } from '../store/open-database.js';
import { openExistingFile } from '../store/open-existing-file.js';
import { reasonOf } from '../text/words.js';

/**
 * Opens the existing file of a store for an action, and closes it when everything is printed or the reader stops.
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
		return `There is no store at ${name}. A build makes it. Use --root, --cache-dir or --store if it is elsewhere.`;
	}
	if (syscall !== undefined) return `The store at ${name} cannot be read: ${reasonOf(error)}.`;
	if (isUnusable(error)) {
		return `The file at ${name} cannot be used as a store: ${message}. It was left unchanged; a build makes a new store.`;
	}
	if (errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY) {
		return `The store at ${name} is in use: ${message}. Try again when the build that writes it has ended.`;
	}
	if (errcode !== undefined) return `The store at ${name} cannot be used: ${message}.`;
	return message;
}
