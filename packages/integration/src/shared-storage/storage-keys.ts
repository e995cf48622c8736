import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { SharedKind } from './shared-values.js';

/** Version of everything stored. Another version uses other keys, so that two of them can share a storage. */
export const SCHEMA = 1;

/** What all keys begin with. */
const ROOT = 'product-reviews:';

/** The keys of one account. Segments are separated by colons, as `unstorage` does. */
export interface StorageKeys {
	/** The last answer of a product. */
	value(kind: SharedKind, pid: string): string;
	/** Id of the last event of a product. */
	mark(pid: string): string;
	/** Held while one instance requests a product. */
	lock(kind: SharedKind, pid: string): string;
	/** The latest events. */
	readonly changes: string;
	/** The latest time of any instance. */
	readonly clock: string;
}

export function createKeys(account: string): StorageKeys {
	const base = `${ROOT}${SCHEMA}:${account}`;
	return {
		value: (kind, pid) => `${base}:${kind}:${segmentOf(pid)}`,
		mark: (pid) => `${base}:mark:${segmentOf(pid)}`,
		lock: (kind, pid) => `${base}:lock:${kind}:${segmentOf(pid)}`,
		changes: `${base}:changes`,
		clock: `${base}:clock`,
	};
}

/** A key as it was given. Drivers may return it with their own prefix. */
export function withoutPrefix(key: string): string {
	return key.slice(Math.max(0, key.lastIndexOf(ROOT)));
}

/** Safe as a file name on every system, in an address, and with every driver. Most product ids stay readable. */
function segmentOf(pid: string): string {
	// Upper case is hashed: on some systems "A" and "a" are the same file.
	if (/^[a-z\d][a-z\d_-]{0,99}$/.test(pid) && !RESERVED.test(pid)) return pid;
	return `_${bytesToHex(sha256(utf8ToBytes(pid.toWellFormed()))).slice(0, 32)}`;
}

/** Names of devices on Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;
