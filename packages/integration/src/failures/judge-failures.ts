import type { ProductReviewsOptions } from '../options/schema.js';
import type { Failure } from '../outcomes/create-outcomes.js';
import { answersIn, failuresIn, type ProductOutcomes, productsIn } from '../outcomes/product-outcomes.js';
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
	outcomes: ProductOutcomes,
	onError: ProductReviewsOptions['onError'],
): JudgedFailures {
	const failures = failuresIn(outcomes);
	const stale = failures.filter((failure) => failure.stale);
	const missing = failures.filter((failure) => !failure.stale);
	const isFew = fewOf(missing, outcomes);
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
function fewOf(missing: readonly Failure[], outcomes: ProductOutcomes): (failure: Failure) => boolean {
	const unusable = missing.filter(({ error }) => UNUSABLE.has(kindOf(error)));
	const areFew = areFewUnusable(new Set(unusable.map(({ pid }) => pid)).size, productsIn(outcomes));
	return ({ error }) => {
		const kind = kindOf(error);
		// If every answer is foreign, however few products there are, something other than the service answers.
		return UNUSABLE.has(kind) && areFew && (kind !== 'foreign-answer' || answersIn(outcomes) > 0);
	};
}
