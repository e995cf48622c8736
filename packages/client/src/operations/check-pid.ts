import { ReviewsConfigurationError } from '../errors/index.js';

/**
 * Rejects invalid product ids before they are sent.
 *
 * @throws ReviewsConfigurationError for anything except a non-empty string.
 */
export function checkPid(pid: string): void {
	if (typeof pid === 'string' && pid !== '') return;
	const found = pid === '' ? 'an empty string' : `of the type ${pid === null ? 'null' : typeof pid}`;
	throw new ReviewsConfigurationError(
		`A product id must be a string with at least one character, but it is ${found}. Check the list of products.`,
		'PR_INVALID_PRODUCT_ID',
	);
}
