import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { SCHEMA } from './storage-keys.js';

/** Longest text that is stored or read, in UTF-16 code units. */
const MAX_STORED_LENGTH = 4_194_304;

// It starts with a letter, so that no driver takes it for JSON and parses it.
const PREFIX = `reviews${SCHEMA}`;

/**
 * Writes a value as text with a checksum, which finds texts that were cut or damaged. The checksum does not prove who wrote
 * it: what is read must still be checked.
 * @returns `undefined` if the text is longer than the limit.
 */
export function seal(value: unknown): string | undefined {
	const json = JSON.stringify(value);
	const text = `${PREFIX} ${checksumOf(json)} ${json}`;
	return text.length > MAX_STORED_LENGTH ? undefined : text;
}

/** Reads what {@link seal} wrote; `undefined` for anything else. */
export function unseal(text: unknown): unknown {
	if (typeof text !== 'string' || text.length > MAX_STORED_LENGTH) return undefined;
	const [prefix, checksum] = text.slice(0, PREFIX.length + CHECKSUM_LENGTH + 1).split(' ');
	if (prefix !== PREFIX) return undefined;
	const json = text.slice(PREFIX.length + CHECKSUM_LENGTH + 2);
	if (checksum !== checksumOf(json)) return undefined;
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

/** In hexadecimal digits. */
const CHECKSUM_LENGTH = 16;

function checksumOf(text: string): string {
	return bytesToHex(sha256(utf8ToBytes(text))).slice(0, CHECKSUM_LENGTH);
}
