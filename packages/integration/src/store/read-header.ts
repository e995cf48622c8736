import { closeSync, openSync, readSync } from 'node:fs';
import type { Identity } from './identity.js';

const LENGTH = 100;
const MAGIC = 'SQLite format 3\0';

/**
 * What the header of a file says that the file is, read without SQLite: that would tidy up a database of someone else.
 * What lies in the log beside the file is not in its header yet.
 * @returns `undefined` where it is no database.
 * @throws Error of the file system, where it cannot be read.
 */
export function readHeader(file: string): Identity | undefined {
	const header = Buffer.alloc(LENGTH);
	const descriptor = openSync(file, 'r');
	try {
		if (readSync(descriptor, header, 0, LENGTH, 0) < LENGTH) return undefined;
	} finally {
		closeSync(descriptor);
	}
	if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
	return { version: header.readUInt32BE(60), application: header.readUInt32BE(68) };
}
