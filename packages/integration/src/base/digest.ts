import { hash } from 'node:crypto';

/** A short, unique name of a text: 128 bits of SHA-256, in hexadecimal. */
export function digestOf(text: string | Uint8Array): string {
	return hash('sha256', text).slice(0, 32);
}
