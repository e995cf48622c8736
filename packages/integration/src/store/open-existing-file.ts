import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Identity, readIdentity, whyNotAStore } from './identity.js';
import { isUnusable, UnusableFileError } from './open-database.js';
import { readHeader } from './read-header.js';

/** How long it waits for a build that writes, in milliseconds. */
const TIMEOUT = 5_000;

/**
 * Opens the file of a store that is there. It never makes a file, and one that cannot be used stays as it is.
 * @throws Error where the file is missing (`ENOENT`), cannot be read, or is no store that this version can use.
 */
export function openExistingFile(file: string): DatabaseSync {
	const reason = whyUnusable(file);
	if (reason) throw new UnusableFileError(reason);
	const database = new DatabaseSync(file, { timeout: TIMEOUT });
	try {
		database.exec('PRAGMA synchronous = NORMAL');
		// The header was that of a moment ago, or of before what the log holds.
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
	// A build that is making the store has what it is in the log only.
	return whyNotAStore(readBesideLog(file));
}

function hasLog(file: string): boolean {
	return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A connection that only reads leaves the log as it is, should the database be of someone else. */
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
