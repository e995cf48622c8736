import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Length of a key, enough to avoid collisions among the reviews of one product. */
const LENGTH = 12;

/**
 * Returns a function that replaces the service's ids with short keys. The same id of the same product has the same key in
 * every build, and the id cannot be read from the key. If an id occurs again, its key gets a number.
 */
export function createKeys(pid: string): (id: unknown) => string {
	const seen = new Map<string, number>();
	return (id) => {
		const text = JSON.stringify([pid, typeof id === 'string' ? id : '']);
		const key = bytesToHex(sha256(utf8ToBytes(text))).slice(0, LENGTH);
		const count = (seen.get(key) ?? 0) + 1;
		seen.set(key, count);
		return count === 1 ? key : `${key}-${count}`;
	};
}
