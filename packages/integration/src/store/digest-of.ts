import { hash } from 'node:crypto';

/** A short name of a text that no other text has: 128 bits of SHA-256, in hexadecimal. */
export function digestOf(text: string | Uint8Array): string {
	return hash('sha256', text).slice(0, 32);
}
