import type { DatabaseSync } from 'node:sqlite';

/** Marks the file as ours ("APRv" in ASCII): SQLite keeps it in the file's header. */
export const APPLICATION_ID = 0x41505276;
export const SCHEMA_VERSION = 5;

/** What a database says that it is. Both are 0 where nobody has said anything. */
export interface Identity {
	readonly application: number;
	readonly version: number;
}

/** Reads it from a database that is open. */
export function readIdentity(database: DatabaseSync): Identity {
	return {
		application: pragma(database, 'application_id'),
		version: pragma(database, 'user_version'),
	};
}

/** Why a database is not a store that this version can use; `undefined` where it is one. */
export function whyNotAStore({ application, version }: Identity): string | undefined {
	if (application !== APPLICATION_ID) return 'it is not a file of this store';
	return version === SCHEMA_VERSION ? undefined : `it has schema version ${version}`;
}

function pragma(database: DatabaseSync, name: 'user_version' | 'application_id'): number {
	const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, number> | undefined;
	return row?.[name] ?? 0;
}
