import { adviseOnNumber, describeNoProductId, readProductId } from '../base/product-id.js';
import { ProductReviewsConfigurationError } from '../errors.js';

/** Names the origin of the product list in messages. */
export const LIST_HINT = 'The list is the option "products" of productReviews() in the Astro configuration.';

/**
 * Checks one element of a product list.
 * @param index position in the list, from 0.
 * @returns the id as the service knows it.
 * @throws ProductReviewsConfigurationError for anything that is not a product ID.
 */
export function checkProductId(id: unknown, index: number): string {
	const pid = readProductId(id);
	if (pid !== undefined && pid.trim() !== '') return pid;
	const isObject = typeof id === 'object' && id !== null;
	const remedy = isObject
		? 'give the id of each product, such as products.map(({ id }) => id).'
		: (adviseOnNumber(id) ?? 'leave it out.');
	throw new ProductReviewsConfigurationError(
		'PR_INVALID_PRODUCT_ID',
		`The product list contains ${describeNoProductId(id)} at position ${index + 1}, which is not a product ID.`,
		`${LIST_HINT} A product ID is a non-empty string or a whole number, as the review service knows it: ${remedy}`,
	);
}

export function emptyList(): ProductReviewsConfigurationError {
	return new ProductReviewsConfigurationError(
		'PR_PRODUCT_LIST_EMPTY',
		'The product list is empty.',
		`${LIST_HINT} Check that the catalog behind it answered. Leave the option out to fetch only what pages ask for.`,
	);
}
