import { closeSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Marks the file as ours ("APRv" in ASCII). SQLite keeps it in the file's header. */
export const APPLICATION_ID = 0x41505276;
export const SCHEMA_VERSION = 7;

/** What a database says that it is. Both are 0 if nothing was ever set. */
export interface Identity {
	readonly application: number;
	readonly version: number;
}

/** Reads the identity of an open database. */
export function readIdentity(database: DatabaseSync): Identity {
	return {
		application: pragma(database, 'application_id'),
		version: pragma(database, 'user_version'),
	};
}

const HEADER_LENGTH = 100;
const MAGIC = 'SQLite format 3\0';

/**
 * Reads the identity from a file's header without SQLite, which would tidy up somebody else's database. Changes that are
 * still in the log beside the file are not in its header.
 * @returns `undefined` if the file is not a database.
 * @throws Error of the file system if the file cannot be read.
 */
export function readHeader(file: string): Identity | undefined {
	const header = Buffer.alloc(HEADER_LENGTH);
	const descriptor = openSync(file, 'r');
	try {
		if (readSync(descriptor, header, 0, HEADER_LENGTH, 0) < HEADER_LENGTH) return undefined;
	} finally {
		closeSync(descriptor);
	}
	if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
	return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}

/** Why a database is not a store that this version can use; `undefined` if it is one. */
export function whyNotAStore({ application, version }: Identity): string | undefined {
	if (application !== APPLICATION_ID) return 'it is not a file of this store';
	return version === SCHEMA_VERSION ? undefined : `it has schema version ${version}`;
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
	const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number> | undefined;
	return row?.[name] ?? 0;
}
