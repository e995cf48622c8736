import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Identity, readHeader, readIdentity, whyNotAStore } from './identity.js';
import { isUnusable, UnusableFileError } from './open-database.js';

/** How long to wait for a build that writes, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Opens the existing file of a store. It never makes a file, and leaves an unusable one as it is.
 * @throws Error if the file is missing (`ENOENT`), cannot be read, or is not a store that this version can use.
 */
export function openExistingFile(file: string): DatabaseSync {
	const reason = whyUnusable(file);
	if (reason) throw new UnusableFileError(reason);
	const database = new DatabaseSync(file, { timeout: TIMEOUT });
	try {
		database.exec('PRAGMA synchronous = NORMAL');
		// The header may have changed since, and does not include what is in the log.
		const now = whyNotAStore(readIdentity(database));
		if (now) throw new UnusableFileError(now);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function whyUnusable(file: string): string | undefined {
	const header = readHeader(file);
	if (!header) return 'it is not a database';
	const reason = whyNotAStore(header);
	if (!reason || header.application !== 0 || !hasLog(file)) return reason;
	// While a build is making the store, its identity is only in the log.
	return whyNotAStore(readBesideLog(file));
}

function hasLog(file: string): boolean {
	return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A read-only connection leaves the log as it is, in case the database is somebody else's. */
function readBesideLog(file: string): Identity {
	const database = new DatabaseSync(file, { readOnly: true, timeout: TIMEOUT });
	try {
		return readIdentity(database);
	} catch (error) {
		if (isUnusable(error)) return { application: 0, version: 0 };
		throw error;
	} finally {
		database.close();
	}
}
