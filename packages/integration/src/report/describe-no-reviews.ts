import { nameWebsite } from '../failures/create-advice.js';
import type { Credentials } from '../options/connection.js';
import { count } from '../text/words.js';
import type { Totals } from './count-statuses.js';

/** For so few products, it is normal that none has reviews. */
const FEW = 4;

/**
 * The warning of a build if the service has no reviews of any product: the store is new, or the website id belongs to another
 * store. `undefined` if any product has reviews, or there are few products.
 */
export function describeNoReviews(
	{ products, missing }: Pick<Totals, 'products' | 'missing'>,
	credentials: Credentials,
): string | undefined {
	if (products <= FEW || missing < products) return undefined;
	return `The service has no reviews of any of the ${count(products, 'product')}. Unless the store is new, check ${nameWebsite(credentials)} and the product ids. [PR_NO_REVIEWS]`;
}
