import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '../../errors.js';
import { isUnusable } from '../../store/open-database.js';
import { openExistingFile } from '../../store/open-existing-file.js';
import { reasonOf } from '../../text/words.js';

/**
 * Opens the existing file of a store for an action, and closes it when everything is printed or the reader stops.
 * @param name the file, for messages.
 * @throws CommandError that says what is wrong with the file, and what to do.
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
		throw explain(cause as NodeJS.ErrnoException & { errcode?: number }, name);
	} finally {
		database?.close();
	}
}

const SQLITE_BUSY = 5;

/** Says what is wrong with a store. @param name of its file, for the message */
export function explain(cause: NodeJS.ErrnoException & { errcode?: number }, name: string): Error {
	const { code, syscall, message, errcode } = cause;
	if (cause instanceof CommandError) return cause;
	if (code === 'ENOENT') {
		return new CommandError(
			'PR_STORE_MISSING',
			`There is no store at ${name}.`,
			'A build makes it. Use --root, --cache-dir or --store if it is elsewhere.',
			{ cause },
		);
	}
	if (syscall !== undefined)
		return unusable(`The store at ${name} cannot be read: ${reasonOf(cause)}.`, cause);
	if (isUnusable(cause)) {
		return unusable(`The file at ${name} cannot be used as a store: ${message}.`, cause);
	}
	if (errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY) {
		return new CommandError(
			'PR_STORE_BUSY',
			`The store at ${name} is in use: ${message}.`,
			'Try again when the build that writes it has ended.',
			{ cause },
		);
	}
	return errcode === undefined ? cause : unusable(`The store at ${name} cannot be used: ${message}.`, cause);
}

function unusable(message: string, cause: Error): CommandError {
	const hint = 'It was left unchanged; a build makes a new store if this one is damaged.';
	return new CommandError('PR_STORE_UNUSABLE', message, hint, { cause });
}
