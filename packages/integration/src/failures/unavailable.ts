import { ReviewsUnavailableError } from '../errors.js';
import type { Failure } from '../outcomes/create-outcomes.js';
import { type ProductOutcomes, productsIn } from '../outcomes/product-outcomes.js';
import { amount, count, nameProducts } from '../text/words.js';
import { codeOf, kindOf } from './failure-kind.js';
import { UNUSABLE } from './failure-policy.js';
import { FEW_UNUSABLE } from './limits.js';

/** Ids listed when a build fails: all of them, unless it is a whole catalogue. */
const MOST_LISTED = 1_000;

const ANSWERS = 'Build again when the service works.';
const FOREIGN =
	'The answers are not from the review service. Check the option "baseUrl" (or REVIEWS_BASE_URL), and build again when the service works.';
const CHANGED = `Up to ${FEW_UNUSABLE.products} such products, or ${FEW_UNUSABLE.share * 100} % of all, would be left out. So many mean that this is a different service, or a new version of it: look for a new version of astro-product-reviews.`;

/** The error that fails a build because products have no reviews. It lists all of these products. */
export function unavailable(
	ending: readonly Failure[],
	outcomes: ProductOutcomes,
	advice: string | undefined,
): ReviewsUnavailableError {
	const pids = [...new Set(ending.map(({ pid }) => pid))];
	const kinds = new Set(ending.map(({ error }) => kindOf(error)));
	const areUnusable = [...kinds].every((kind) => UNUSABLE.has(kind));
	const known = kinds.has('foreign-answer') ? FOREIGN : CHANGED;
	const fact = areUnusable
		? `The answers for ${amount(pids.length)} of ${count(productsIn(outcomes), 'product')} cannot be used`
		: `The service failed for ${count(pids.length, 'product')}`;
	return new ReviewsUnavailableError(
		pids,
		`${fact}, and the store has no reviews to use instead: ${nameProducts(pids, MOST_LISTED)}.\nFirst reason: ${ending[0]?.reason} [${codeOf(ending[0]?.error)}]`,
		`${areUnusable ? known : (advice ?? ANSWERS)} To build without these reviews, set the option "onError" of productReviews() to "omit".`,
		{ cause: ending[0]?.error },
	);
}
