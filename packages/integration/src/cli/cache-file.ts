import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { reasonOf } from '../base/words.js';
import { isUnusable, openExistingFile, SQLITE_BUSY, sqliteCode } from '../cache/open-database.js';
import { CommandError } from '../errors.js';
import { findCache } from '../project/manifest.js';
import { commandError } from './catalog.js';
import { namePath, type Options, say } from './terminal.js';

export function rootOf({ root = '.' }: Options): string {
	return resolve(root);
}

/** Returns the absolute path of the file of the project's cache, or of the one that the command line names. */
export function locateCache(options: Options): string {
	const { 'cache-file': given } = options;
	if (given !== undefined) return resolve(given);
	const { file, notice } = findCache(rootOf(options));
	if (notice !== undefined) say(notice);
	return file;
}

/**
 * Opens the existing file of a cache for an action, and closes it when everything is printed or the reader stops.
 * @throws CommandError that says what is wrong with the file, and what to do.
 */
export function* useCache(
	options: Options,
	action: (database: DatabaseSync) => Iterable<string>,
): Iterable<string> {
	const file = locateCache(options);
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		yield* action(database);
	} catch (cause) {
		throw explainFailure(cause, file);
	} finally {
		database?.close();
	}
}

/** Says what is wrong with the file of a cache. @returns other errors as they are */
export function explainFailure(thrown: unknown, file: string): Error {
	const cause = thrown as NodeJS.ErrnoException;
	const name = namePath(file);
	if (cause instanceof CommandError) return cause;
	if (cause.code === 'ENOENT')
		return commandError('PR_CACHE_MISSING', `There is no cache at ${name}.`, cause);
	const sqlite = sqliteCode(cause);
	if (sqlite === SQLITE_BUSY)
		return commandError('PR_CACHE_BUSY', `The cache at ${name} is in use: ${cause.message}.`, cause);
	if (cause.syscall === undefined && sqlite === undefined && !isUnusable(cause)) return cause;
	const message = `The file at ${name} cannot be used as a cache: ${reasonOf(cause)}. It was left unchanged.`;
	return commandError('PR_CACHE_UNUSABLE', message, cause);
}
