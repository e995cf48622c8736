import { dirname, join, relative, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { REPORT_FILE, STORE_FILE } from '../../constants.js';
import { CommandError } from '../../errors.js';
import { isUnusable, openExistingFile, storeFolder } from '../../store/open-database.js';
import { plainLine, reasonOf } from '../../text/words.js';
import type { SitePlace } from '../site/load-site.js';

/** Where the command line says that the store is. */
export interface Place {
	/** The file itself. */
	readonly store: string | undefined;
	/** Folder of the Astro project. @default the working directory */
	readonly root: string | undefined;
	/** The option `cacheDir` of the integration, relative to the root. */
	readonly cacheDir: string | undefined;
	/** The file with the Astro configuration, relative to the root. */
	readonly config: string | undefined;
	/** Vite's mode. */
	readonly mode: string | undefined;
}

/** Absolute paths of the store's file and the report beside it. */
export function locateStore(
	{ store, root, cacheDir }: Place,
	cwd: string,
): { store: string; report: string } {
	const file =
		store === undefined
			? join(storeFolder(resolve(cwd, root ?? '.'), cacheDir), STORE_FILE)
			: resolve(cwd, store);
	return { store: file, report: join(dirname(file), REPORT_FILE) };
}

/** Where the configuration of the project is. */
export function sitePlace({ root, config, mode }: Place, cwd: string): SitePlace {
	return { root: resolve(cwd, root ?? '.'), config, mode };
}

/** A path for a message: quoted, and relative to the working directory. */
export function namePath(file: string, cwd: string): string {
	return `"${plainLine(relative(cwd, file), MOST_LETTERS)}"`;
}

const MOST_LETTERS = 500;

/** Runs something with the console's output on standard error: standard output is for the result of a command. */
export async function onStandardError<Result>(run: () => Promise<Result>): Promise<Result> {
	const { log, info } = console;
	console.log = console.error;
	console.info = console.error;
	try {
		return await run();
	} finally {
		Object.assign(console, { log, info });
	}
}

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
