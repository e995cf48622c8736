import { InvalidPropError } from '../errors.js';
import { adviseOnNumber, describeNoProductId, readProductId } from '../text/product-id.js';

/**
 * Validates a product id from a page, and returns it as the service knows it.
 * @param asker the component or function to name in the message.
 * @throws TypeError if it is not a product id.
 */
export function checkProductId(given: unknown, asker: string): string {
	const pid = readProductId(given);
	if (pid !== undefined) return pid;
	const advice = adviseOnNumber(given);
	throw new InvalidPropError(
		`${asker} needs a product id, but received ${describeNoProductId(given)}. Give the id by which the review service knows the product${advice ? `: ${advice}` : ', such as pid={product.id}.'}`,
		'PR_INVALID_PRODUCT_ID',
	);
}
