import type { Validators } from 'product-reviews-client';
import { VERSION } from '../version.js';

/**
 * Writes an answer's validators as the text that the store keeps next to its record. It includes this package's version,
 * because another version may read more from the same answer. So a record is current only for the version that made it.
 *
 * @returns `undefined` if the service sent none.
 */
export function writeKnown(validators: Validators | undefined): string | undefined {
	return validators && JSON.stringify({ version: VERSION, ...validators });
}

/**
 * Reads what {@link writeKnown} wrote. The client checks the validators before it sends them.
 *
 * @param text from the store. It may be damaged, empty or from another version.
 * @returns `undefined` if the whole answer must be requested.
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
