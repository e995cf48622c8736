import type { Validators } from 'product-reviews-client';
import { VERSION } from '../version.js';

/**
 * Writes an answer's validators as the one text that the store keeps beside its record. The text names this package's
 * version: another version may read more of the same answer, so that a record is current only for the one that made it.
 *
 * @returns `undefined` where the service sent none.
 */
export function writeKnown(validators: Validators | undefined): string | undefined {
	return validators && JSON.stringify({ version: VERSION, ...validators });
}

/**
 * Reads what {@link writeKnown} wrote. The client checks the validators themselves before it sends them.
 *
 * @param text from the store, which may be damaged, empty or of another version.
 * @returns `undefined` where the whole answer is to be asked for.
 */
export function readKnown(text: string | undefined): Validators | undefined {
	if (!text) return undefined;
	try {
		const { version, ...validators } = JSON.parse(text);
		return version === VERSION ? validators : undefined;
	} catch {
		return undefined;
	}
}
