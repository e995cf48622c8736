import { ReviewsUnavailableError } from '../errors.js';
import type { Failure, Tally } from '../outcomes/tally.js';
import { nameProducts } from '../text/name-products.js';
import { kindOf } from './failure-kind.js';
import { UNUSABLE } from './failure-policy.js';
import { FEW_UNUSABLE } from './limits.js';

/** Ids in the message of a build that fails: all of them, but for a catalogue. */
const MOST_LISTED = 1_000;

const ANSWERS = 'Build again when the service answers.';
const FOREIGN =
	'Something else than the service answers: check the option "baseUrl" (or REVIEWS_BASE_URL), and build again when the service answers.';
const CHANGED = `Up to ${FEW_UNUSABLE.products} such products, or ${FEW_UNUSABLE.share * 100} % of all, would be left out. That many answers of no use mean that the service is another one, or a new version of it: look for a new version of astro-product-reviews.`;

/** The error that ends a build for which products have no reviews, with all of these products. */
export function unavailable(
	ending: readonly Failure[],
	tally: Pick<Tally, 'outcomes'>,
	advice: string | undefined,
): ReviewsUnavailableError {
	const pids = [...new Set(ending.map(({ pid }) => pid))];
	const number = pids.length === 1 ? 'one product' : `${pids.length.toLocaleString('en')} products`;
	const kinds = new Set(ending.map(({ error }) => kindOf(error)));
	const areUnusable = [...kinds].every((kind) => UNUSABLE.has(kind));
	const known = kinds.has('foreign-answer') ? FOREIGN : CHANGED;
	const { reviews, 'review-data': data } = tally.outcomes;
	const total = Math.max(reviews.size, data.size);
	const fact = areUnusable
		? `The answers for ${pids.length.toLocaleString('en')} of ${total.toLocaleString('en')} products cannot be used`
		: `The service failed for ${number}`;
	return new ReviewsUnavailableError(
		pids,
		`${fact}, and the store has no reviews of ${pids.length === 1 ? 'it' : 'them'}: ${nameProducts(pids, MOST_LISTED)}.\nFirst reason: ${ending[0]?.reason}`,
		`${areUnusable ? known : (advice ?? ANSWERS)} To build without the reviews of such products, set the option "onError" of productReviews() to "omit".`,
		{ cause: ending[0]?.error },
	);
}
