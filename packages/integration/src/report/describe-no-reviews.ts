import { nameWebsite } from '../failures/create-advice.js';
import type { Credentials } from '../options/connection.js';
import { count } from '../text/words.js';
import type { Totals } from './count-statuses.js';

/** Products that a service may well have no reviews of, all of them. */
const FEW = 4;

/**
 * What a build warns of where the service knows nothing of any product: it answers so for a store that is new, and for a
 * website id of another store. `undefined` where it has reviews of one, or where there are few products.
 */
export function describeNoReviews(
	{ products, missing }: Pick<Totals, 'products' | 'missing'>,
	credentials: Credentials,
): string | undefined {
	if (products <= FEW || missing < products) return undefined;
	return `The service has no reviews of any of the ${count(products, 'product')}. Unless the store is new, check ${nameWebsite(credentials)} and the product ids.`;
}
