import { ProductReviewsError } from '../errors.js';
import type { Advise } from '../failures/describe-failures.js';
import { consequenceOf, type FailureConsequence, kindOf, type StoredState } from '../failures/policy.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Failure } from '../outcomes/outcomes.js';
import { CLOCK_TOLERANCE, type StoredEntry } from '../store/review-store.js';
import { nameProduct } from '../text/words.js';

export interface RulesContext {
	/** A `'dev'` server keeps running: it requests failed products again, and no failure ends it. */
	readonly command: 'build' | 'dev';
	readonly options: Pick<ProductReviewsOptions, 'staleIfError' | 'onError'>;
	/** Maximum age of a value, in milliseconds. It may change while products are checked. */
	readonly maxAge: () => number;
	readonly isOutdated: (pid: string, fetchedAt: number) => boolean;
	readonly now: () => number;
	/** Monotonic clock, in milliseconds. @default `now` */
	readonly monotonicNow?: (() => number) | undefined;
	readonly onFailure?: ((failure: Failure) => void) | undefined;
	/** What to check if the service refuses products. @default no advice */
	readonly advise?: Advise | undefined;
}

export interface ResourceRules {
	readonly isBuild: boolean;
	readonly endsOnFailure: boolean;
	/** How long a failed product is not requested again, in milliseconds. */
	readonly failureMemory: number;
	readonly now: () => number;
	readonly monotonicNow: () => number;
	readonly onFailure: (failure: Failure) => void;
	isFresh(pid: string, stored: StoredEntry | undefined): boolean;
	/** What a page shows for a failed product. The number of failures is not known before the end of the build. */
	consequence(stored: StoredEntry | undefined, pid: string, error: unknown): FailureConsequence;
	ending(failure: Failure): ProductReviewsError;
}

/** How long a dev server does not request a failed product again, in milliseconds. */
const DEV_FAILURE_MEMORY = 10_000;

export function createResourceRules(context: RulesContext): ResourceRules {
	const {
		command,
		options,
		maxAge,
		isOutdated,
		now,
		monotonicNow = now,
		onFailure = () => {},
		advise,
	} = context;
	const isBuild = command === 'build';
	// What a build has fetched stays fresh until its end, regardless of `maxAge`.
	const startedAt = isBuild ? now() : Number.POSITIVE_INFINITY;
	// `'fail'` ends builds only. A dev server continues with stored values.
	const onError = isBuild ? options.onError : 'stale';

	const isFresh = (pid: string, stored: StoredEntry | undefined) => {
		if (!stored || isOutdated(pid, stored.fetchedAt)) return false;
		const age = now() - stored.fetchedAt;
		// A value from the future was written by a wrong clock, and could be fresh for years.
		return age > -CLOCK_TOLERANCE && (stored.fetchedAt >= startedAt || age < maxAge());
	};
	const stateOf = (pid: string, stored: StoredEntry | undefined): StoredState => {
		if (!stored) return 'nothing';
		if (now() - stored.fetchedAt > options.staleIfError) return 'too old';
		return isFresh(pid, stored) ? 'fresh' : 'stale';
	};
	return {
		isBuild,
		endsOnFailure: onError === 'fail',
		failureMemory: isBuild ? Number.POSITIVE_INFINITY : DEV_FAILURE_MEMORY,
		now,
		monotonicNow,
		onFailure,
		isFresh,
		consequence: (stored, pid, error) =>
			consequenceOf({ kind: kindOf(error), stored: stateOf(pid, stored), onError, isFew: false }),
		ending: ({ pid, reason, error }) =>
			new ProductReviewsError(
				'PR_REVIEWS_UNAVAILABLE',
				`The service failed for the product ${nameProduct(pid)}: ${reason}`,
				[
					advise?.([{ pid, error }]),
					'The option "onError" is "fail", so that any failure ends the build. With "stale" stored reviews are used.',
				]
					.filter(Boolean)
					.join(' '),
				{ cause: error },
			),
	};
}
