import { ProductListError } from '../errors.js';
import { adviseOnNumber, describeNoProductId, readProductId } from '../text/product-id.js';

/** Where the product list comes from, in messages. */
export const LIST_HINT = 'It is the option "products" of productReviews() in the Astro configuration.';

/**
 * Checks a product list that is at hand.
 * @throws ProductListError where it is empty or holds something other than product ids.
 */
export function checkProductIds(ids: readonly unknown[]): void {
	if (ids.length === 0) throw emptyList();
	ids.forEach(checkProductId);
}

/**
 * Checks one element of a product list.
 * @param index its position, counted from 0.
 * @returns the id as the service knows it.
 * @throws ProductListError where it is no product id.
 */
export function checkProductId(id: unknown, index: number): string {
	const pid = readProductId(id);
	if (pid !== undefined && pid.trim() !== '') return pid;
	throw new ProductListError(
		`The product list holds ${describeNoProductId(id)} at position ${index + 1}, which is not a product id.`,
		`${LIST_HINT} A product id is a string that is not empty, or a whole number, as the review service knows it: ${remedy(id)}`,
	);
}

/** What is thrown for a list without a single product. */
export function emptyList(): ProductListError {
	return new ProductListError(
		'The product list is empty.',
		`${LIST_HINT} Check that the catalogue it is made from answered. Leave the option out to fetch only what pages ask for.`,
	);
}

function remedy(id: unknown): string {
	if (typeof id === 'object' && id !== null)
		return 'give the id of each product, such as products.map(({ id }) => id).';
	return adviseOnNumber(id) ?? 'leave it out.';
}
