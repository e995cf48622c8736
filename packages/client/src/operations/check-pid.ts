import { ReviewsConfigurationError } from '../errors/index.js';

/**
 * Refuses what cannot be a product id, before it is sent.
 *
 * @throws ReviewsConfigurationError for anything but a string with a character in it.
 */
export function checkPid(pid: string): void {
	if (typeof pid === 'string' && pid !== '') return;
	const found = pid === '' ? 'an empty string' : `of the type ${pid === null ? 'null' : typeof pid}`;
	throw new ReviewsConfigurationError(
		`A product id must be a string with at least one character, and it is ${found}. Check the list of products.`,
	);
}
