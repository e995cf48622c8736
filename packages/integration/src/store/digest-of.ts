import { createHash } from 'node:crypto';

/** A short name of a text that no other text has: 128 bits of SHA-256, in hexadecimal. */
export function digestOf(text: string): string {
	return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
