import { DatabaseSync } from 'node:sqlite';

/** Bump this with every change to the tables below; a file of another version is rejected, not migrated. */
const SCHEMA_VERSION = 1;

const TABLES = `
CREATE TABLE products (
	pid TEXT PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, url TEXT, image_url TEXT NOT NULL,
	changed_at TEXT NOT NULL
);
CREATE TABLE reviews (
	id TEXT PRIMARY KEY, pid TEXT NOT NULL REFERENCES products (pid), status TEXT NOT NULL, rating REAL NOT NULL,
	title TEXT NOT NULL, body TEXT NOT NULL, author TEXT NOT NULL, published_at TEXT, updated_at TEXT NOT NULL,
	details TEXT NOT NULL
);
CREATE INDEX reviews_of_product ON reviews (pid, status);
CREATE TABLE questions (
	id TEXT PRIMARY KEY, question TEXT NOT NULL, answer TEXT NOT NULL, author TEXT NOT NULL,
	asked_at TEXT NOT NULL, answered_at TEXT
);
CREATE TABLE question_products (
	pid TEXT NOT NULL REFERENCES products (pid), question_id TEXT NOT NULL REFERENCES questions (id),
	PRIMARY KEY (pid, question_id)
);
CREATE TABLE tokens (token TEXT PRIMARY KEY, created_at TEXT NOT NULL);
PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** An open database, and whether its tables were just created. */
export interface OpenDatabase {
	readonly database: DatabaseSync;
	readonly isNew: boolean;
}

/**
 * Opens the sandbox's database, and creates its tables in a new file.
 *
 * @param path Path of the SQLite file, or `:memory:`.
 * @throws {Error} If the file is not a database, or was written by another version of the sandbox.
 */
export function openDatabase(path: string): OpenDatabase {
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(path);
		const version = database.prepare('PRAGMA user_version').get()?.user_version;
		const tables = database.prepare('SELECT COUNT(*) AS count FROM sqlite_schema').get()?.count;
		const isNew = version === 0 && tables === 0;
		if (!isNew && version !== SCHEMA_VERSION) {
			throw new Error(`its tables have version ${version}, this sandbox reads version ${SCHEMA_VERSION}`);
		}
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
		if (isNew) database.exec(`BEGIN; ${TABLES} COMMIT`);
		return { database, isNew };
	} catch (cause) {
		database?.close();
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new Error(
			`The sandbox cannot use the data file "${path}": ${reason}. Choose another file or delete it.`,
			{ cause },
		);
	}
}
