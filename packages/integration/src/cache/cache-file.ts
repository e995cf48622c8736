import { basename } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { reasonOf } from '../base/words.js';
import {
	connect,
	identify,
	inTransaction,
	isUnusable,
	openDatabase,
	openExistingFile,
	setAside,
} from './open-database.js';

const MEMORY = ':memory:';

/** Prepares a statement once. */
export type Prepare = (sql: string) => StatementSync;

type Action<Result> = (prepare: Prepare, database: DatabaseSync) => Result;

/**
 * The open file of a cache. In a build, a file that cannot be read or written makes the build slower and never fails it: one
 * that is unusable is set aside, even if that is found only later, and a new one begins. A command opens it strictly: it
 * must be there, and what cannot be done throws.
 */
export class CacheFile {
	readonly #path: string;
	readonly #warn: ((message: string) => void) | undefined;
	readonly #statements = new Map<string, StatementSync>();
	/** Actions that failed, as past participles. Each is warned of once. */
	readonly #failed = new Set<string>();
	#database: DatabaseSync | undefined;
	#identity: string | undefined;
	#isRenewed = false;

	/** @param warn takes what goes wrong. Without it, that throws, and the file is never made. */
	constructor(path: string, warn?: (message: string) => void) {
		this.#path = path;
		this.#warn = warn;
		this.#database = this.#open();
	}

	/** Opens the file of a build. If that fails, it warns, and keeps reviews in memory for this build. */
	static forBuild(path: string, warn: (message: string) => void): CacheFile {
		try {
			return new CacheFile(path, warn);
		} catch (error) {
			warn(
				`The cache cannot be opened: ${reasonOf(error)}. Reviews are kept in memory for this build only; ` +
					'the next one requests all of them. Check that the folder of the option "cacheDir" can be written. [PR_CACHE_UNUSABLE]',
			);
			return CacheFile.inMemory();
		}
	}

	static inMemory(): CacheFile {
		return new CacheFile(MEMORY, () => {});
	}

	/** @throws what SQLite and the system throw: the file must be there, whole and writable. */
	static strictly(path: string): CacheFile {
		const file = new CacheFile(path);
		try {
			file.attempt('written', (_prepare, database) => database.exec('BEGIN IMMEDIATE; COMMIT'));
			return file;
		} catch (error) {
			file.close();
			throw error;
		}
	}

	/**
	 * Runs an operation. In a build, a file that turns out to be unusable is set aside once, and the operation runs on a new one.
	 * @returns `undefined` if it failed.
	 */
	attempt<Result>(what: string, action: Action<Result>): Result | undefined {
		if (!this.#database) return undefined;
		const run = () => action((sql) => this.#prepare(sql), this.#database as DatabaseSync);
		if (!this.#warn) return run();
		try {
			try {
				return run();
			} catch (error) {
				if (this.#isRenewed || !isUnusable(error)) throw error;
				this.#renew(error);
				return run();
			}
		} catch (error) {
			if (!this.#failed.has(what))
				this.#warn(
					`The cache could not be ${what}: ${(error as Error).message}. The build goes on. [PR_CACHE_UNUSABLE]`,
				);
			this.#failed.add(what);
			return undefined;
		}
	}

	/** Runs an operation in a transaction, as {@link attempt} does. @returns whether it is written */
	write(action: Action<void>): boolean {
		const run: Action<true> = (prepare, database) => {
			inTransaction(database, () => action(prepare, database));
			return true;
		};
		return this.attempt('written', run) ?? false;
	}

	/** Reads rows; none if that failed. */
	rows(sql: string, ...values: string[]) {
		return this.attempt('read', (prepare) => prepare(sql).all(...values)) ?? [];
	}

	/** Reads the texts of a column; none if that failed. */
	texts(sql: string, ...values: string[]): readonly string[] {
		return this.rows(sql, ...values).map((row) => String(Object.values(row)[0]));
	}

	/** @param isTidied whether to fold the log in, so that the file is complete on its own. */
	close(isTidied = true): void {
		if (isTidied)
			this.attempt('tidied', (_prepare, database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
		this.#statements.clear();
		this.attempt('closed', (_prepare, database) => database.close());
		this.#database = undefined;
	}

	#open(): DatabaseSync {
		const path = this.#path;
		const warn = this.#warn;
		const database =
			path === MEMORY
				? connect(path)
				: warn
					? openDatabase(path, (reason) => warn(describeSetAside(path, reason)))
					: openExistingFile(path);
		this.#identity = identify(path);
		return database;
	}

	#prepare(sql: string): StatementSync {
		let statement = this.#statements.get(sql);
		if (!statement) {
			statement = (this.#database as DatabaseSync).prepare(sql);
			this.#statements.set(sql, statement);
		}
		return statement;
	}

	#renew({ message }: Error): void {
		this.#isRenewed = true;
		this.#statements.clear();
		this.#database?.close();
		setAside(this.#path, this.#identity);
		this.#warn?.(describeSetAside(this.#path, message));
		this.#database = this.#open();
	}
}

function describeSetAside(file: string, reason: string): string {
	const to = `${basename(file)}.set-aside`;
	return `The cache cannot be used (${reason}). It was renamed to "${to}"; a new one is built. [PR_CACHE_UNUSABLE]`;
}
