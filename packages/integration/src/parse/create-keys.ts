import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Characters of a key: among the reviews of one product no two have the same by chance. */
const LENGTH = 12;

/**
 * Gives short keys in place of the service's ids: the same id of the same product is the same key in every build, and
 * the id is not to be read from it. Whoever comes with an id that was there before gets a key with a number behind it.
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
