import { dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { REPORT_FILE, STORE_FILE } from '../constants.js';
import { CommandError } from '../errors.js';
import {
	isUnusable,
	openExistingFile,
	SQLITE_BUSY,
	sqliteCode,
	storeFolder,
} from '../store/open-database.js';
import { reasonOf } from '../text/words.js';
import type { Options } from './options.js';
import { namePath } from './terminal.js';

/** Absolute path of the project's folder. */
export function rootOf({ root = '.' }: Options): string {
	return resolve(root);
}

/** Absolute path of the cache's file that the command line names. */
export function locateCache(options: Options): string {
	const { 'cache-file': file, 'cache-dir': folder } = options;
	return file === undefined ? join(storeFolder(rootOf(options), folder), STORE_FILE) : resolve(file);
}

/** Absolute path of the last build's report, beside the cache. */
export function locateReport(options: Options): string {
	return join(dirname(locateCache(options)), REPORT_FILE);
}

/**
 * Opens the existing file of a cache for an action, and closes it when everything is printed or the reader stops.
 * @throws CommandError that says what is wrong with the file, and what to do.
 */
export function* useCache(
	options: Options,
	action: (database: DatabaseSync, file: string) => Iterable<string>,
): Iterable<string> {
	const file = locateCache(options);
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		yield* action(database, file);
	} catch (cause) {
		throw explainFailure(cause, file);
	} finally {
		database?.close();
	}
}

/** Says what is wrong with the file of a cache. @returns other errors as they are */
export function explainFailure(thrown: unknown, file: string): Error {
	const cause = thrown as NodeJS.ErrnoException;
	const { code, syscall, message } = cause;
	const name = namePath(file);
	if (cause instanceof CommandError) return cause;
	if (code === 'ENOENT') {
		return new CommandError(
			'PR_CACHE_MISSING',
			`There is no cache at ${name}.`,
			'A build makes it. Use --root, --cache-dir or --cache-file if it is elsewhere.',
			{ cause },
		);
	}
	if (syscall !== undefined)
		return unusable(`The cache at ${name} cannot be read: ${reasonOf(cause)}.`, cause);
	if (isUnusable(cause)) return unusable(`The file at ${name} cannot be used as a cache: ${message}.`, cause);
	if (sqliteCode(cause) === SQLITE_BUSY) {
		return new CommandError(
			'PR_CACHE_BUSY',
			`The cache at ${name} is in use: ${message}.`,
			'Try again when the build that writes it has ended.',
			{ cause },
		);
	}
	return sqliteCode(cause) === undefined
		? cause
		: unusable(`The cache at ${name} cannot be used: ${message}.`, cause);
}

function unusable(message: string, cause: Error): CommandError {
	const hint = 'It was left unchanged; a build makes a new cache if this one is damaged.';
	return new CommandError('PR_CACHE_UNUSABLE', message, hint, { cause });
}
