import { crc32 } from 'node:zlib';
import type { EntryRow } from './row-reader.js';

/** What a row is found by. */
export interface RowKey {
	readonly account: string;
	readonly kind: string;
	readonly pid: string;
}

/** What of a row is written once with its proof. */
type Proven = Omit<EntryRow, 'proof'>;

/**
 * The number that proves a row: whose it is, and everything that is known of its value. The digest is a part of it, and
 * proves the value itself, so that a row is proven without reading what it is about. A flipped bit always gives another
 * number.
 */
export function proofOf({ account, kind, pid }: RowKey, row: Proven): number {
	const { digest, fetched_at, used_at, state, validators, summary } = row;
	return crc32(JSON.stringify([account, kind, pid, digest, fetched_at, used_at, state, validators, summary]));
}

/** Whether a row says what was written, and is the one of its key. */
export function isWhole(key: RowKey, row: EntryRow): boolean {
	return row.proof === proofOf(key, row);
}
