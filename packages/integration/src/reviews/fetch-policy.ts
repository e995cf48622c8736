import { kindOf } from '../base/failures.js';
import { nameProduct } from '../base/words.js';
import { ProductReviewsError } from '../errors.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Advise } from './describe-failures.js';
import { consequenceOf, type FailureConsequence, type StoredState } from './failure-policy.js';
import { CLOCK_TOLERANCE, isOutdated, type ReviewStore, type StoredPart } from './parts.js';
import type { Failure } from './results.js';

/** Context that the repositories of one build, dev server or server have in common. */
export interface PolicyContext {
	/** All but a `'build'` keep running: they request failed products again, and no failure ends them. */
	readonly command: 'build' | 'dev' | 'server';
	readonly options: Pick<ProductReviewsOptions, 'staleIfError' | 'onError'>;
	readonly store: ReviewStore;
	/** Returns whether others told of a change since a part was requested. @default only its mark says so */
	readonly isChanged?: (pid: string, stored: StoredPart) => boolean;
	readonly onFailure: (failure: Failure) => void;
	/** Says what to check if the service refuses products. */
	readonly advise?: Advise | undefined;
}

/** Time for which whatever keeps running does not request a failed product again, in milliseconds. */
const FAILURE_MEMORY = 10_000;

/** Freshness, and what follows from a failure. */
export class FetchPolicy {
	readonly context: PolicyContext;
	readonly isBuild: boolean;
	/** Time for which a failed product is not requested again, in milliseconds. */
	readonly failureMemory: number;
	readonly #maxAge: () => number;
	readonly #onError: ProductReviewsOptions['onError'];
	readonly #startedAt: number;

	/** @param maxAge maximum age of a record, in milliseconds. It may change while products are checked. */
	constructor(context: PolicyContext, maxAge: () => number) {
		this.context = context;
		this.#maxAge = maxAge;
		this.isBuild = context.command === 'build';
		this.failureMemory = this.isBuild ? Number.POSITIVE_INFINITY : FAILURE_MEMORY;
		// `'fail'` ends builds only. A server continues with stored records.
		this.#onError = this.isBuild ? context.options.onError : 'stale';
		// What a build has fetched stays fresh until its end, regardless of `maxAge`.
		this.#startedAt = this.isBuild ? context.store.now() : Number.POSITIVE_INFINITY;
	}

	/** Returns whether a product changed since a part of it was requested. */
	isOutdated(pid: string, stored: StoredPart): boolean {
		const { store, isChanged } = this.context;
		return isOutdated(stored, store.markOf(pid)) || isChanged?.(pid, stored) === true;
	}

	isFresh(pid: string, stored: StoredPart | undefined): boolean {
		if (!stored || this.isOutdated(pid, stored)) return false;
		const age = this.#ageOf(stored);
		// A record from the future was written by a wrong clock, and could be fresh for years.
		return age > -CLOCK_TOLERANCE && (stored.fetchedAt >= this.#startedAt || age < this.#maxAge());
	}

	/** Returns whether a record is too old to be shown if the service fails. */
	isTooOld(stored: StoredPart): boolean {
		return this.#ageOf(stored) > this.context.options.staleIfError;
	}

	/** Returns what a page shows of a failed product. The number of failures is not known before the end of the build. */
	consequence(pid: string, stored: StoredPart | undefined, error: unknown): FailureConsequence {
		const state = this.#stateOf(pid, stored);
		return consequenceOf({ kind: kindOf(error), stored: state, onError: this.#onError, isFew: false });
	}

	#stateOf(pid: string, stored: StoredPart | undefined): StoredState {
		if (!stored) return 'nothing';
		if (this.isTooOld(stored)) return 'too old';
		return this.isFresh(pid, stored) ? 'fresh' : 'stale';
	}

	#ageOf({ fetchedAt }: StoredPart): number {
		return this.context.store.now() - fetchedAt;
	}

	/** @throws ProductReviewsError if any failure ends the build. */
	assertGoing(failure: Failure | undefined): void {
		if (!failure || this.#onError !== 'fail') return;
		const { pid, reason, error } = failure;
		const advice = this.context.advise?.([{ pid, error }]);
		const hint =
			'The option "onError" is "fail", so that any failure ends the build. With "stale" stored reviews are used.';
		throw new ProductReviewsError(
			'PR_REVIEWS_UNAVAILABLE',
			`The service failed for the product ${nameProduct(pid)}: ${reason}`,
			advice ? `${advice} ${hint}` : hint,
			{ cause: error },
		);
	}
}
