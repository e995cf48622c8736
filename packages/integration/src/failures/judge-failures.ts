import type { ProductReviewsOptions } from '../options/schema.js';
import type { Failure, Tally } from '../outcomes/tally.js';
import { kindOf } from './failure-kind.js';
import { consequenceOf, UNUSABLE } from './failure-policy.js';
import { areFewUnusable } from './limits.js';

/** The failures of a build, by consequence. */
export interface JudgedFailures {
	/** Stored reviews are shown. */
	readonly stale: readonly Failure[];
	/** No reviews are shown; the build goes on. */
	readonly leftOut: readonly Failure[];
	/** They fail the build. */
	readonly ending: readonly Failure[];
}

/** Applies the policy at the end of a build, when it is known how many products each kind of failure affects. */
export function judgeFailures(
	tally: Pick<Tally, 'failures' | 'fetched' | 'outcomes'>,
	onError: ProductReviewsOptions['onError'],
): JudgedFailures {
	const stale = tally.failures.filter((failure) => failure.stale);
	const missing = tally.failures.filter((failure) => !failure.stale);
	const isFew = fewOf(missing, tally);
	const ends = (failure: Failure) =>
		consequenceOf({ kind: kindOf(failure.error), stored: 'too old', onError, isFew: isFew(failure) })
			.endsBuild;
	return {
		stale,
		leftOut: missing.filter((failure) => !ends(failure)),
		ending: missing.filter(ends),
	};
}

/** Returns whether a failure affects so few products that the service itself is probably fine. */
function fewOf(
	missing: readonly Failure[],
	{ fetched, outcomes }: Pick<Tally, 'fetched' | 'outcomes'>,
): (failure: Failure) => boolean {
	const products = Math.max(outcomes.reviews.size, outcomes['review-data'].size);
	const unusable = missing.filter(({ error }) => UNUSABLE.has(kindOf(error)));
	const areFew = areFewUnusable(new Set(unusable.map(({ pid }) => pid)).size, products);
	return ({ error }) => {
		const kind = kindOf(error);
		// If every answer is foreign, however few products there are, something other than the service answers.
		return UNUSABLE.has(kind) && areFew && (kind !== 'foreign-answer' || fetched > 0);
	};
}
