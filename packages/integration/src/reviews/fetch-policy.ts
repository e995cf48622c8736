import { kindOf } from '../base/failures.js';
import { nameProduct } from '../base/words.js';
import { type FailureKind, ProductReviewsError } from '../errors.js';
import type { FetchOptions } from '../options/schema.js';
import { CLOCK_TOLERANCE, isOutdated, type ReviewStore, type StoredPart } from './parts.js';
import {
	type Advise,
	answersIn,
	type Failure,
	failuresIn,
	type ProductResults,
	productsIn,
} from './results.js';

/** Context that the repositories of one build, dev server or server have in common. */
export interface PolicyContext {
	/** All but a `'build'` keep running: they request failed products again, and no failure ends them. */
	readonly command: 'build' | 'dev' | 'server';
	readonly options: Pick<FetchOptions, 'staleIfError' | 'onError'>;
	readonly store: ReviewStore;
	/** Returns whether others told of a change since a part was requested. @default only its mark says so */
	readonly isChanged?: (pid: string, stored: StoredPart) => boolean;
	readonly onFailure: (failure: Failure) => void;
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
	readonly #maxAge: (pid: string) => number;
	readonly #onError: FetchOptions['onError'];
	readonly #startedAt: number;

	/** @param maxAge maximum age of a record, in milliseconds. It may change while products are checked. */
	constructor(context: PolicyContext, maxAge: (pid: string) => number) {
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
		return age > -CLOCK_TOLERANCE && (stored.fetchedAt >= this.#startedAt || age < this.#maxAge(pid));
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
			'The option "onError" is "fail", so that any failure ends the build. With "stale", cached reviews are used.';
		throw new ProductReviewsError(
			'PR_REVIEWS_UNAVAILABLE',
			`The service failed for the product ${nameProduct(pid)}: ${reason}`,
			advice ? `${advice} ${hint}` : hint,
			{ cause: error },
		);
	}
}

/** States of a product in the cache when the service fails. */
export const STORED_STATES = ['nothing', 'fresh', 'stale', 'too old'] as const;

/**
 * `'fresh'` is younger than `maxAge`, and fetched only because it is known to have changed; `'stale'` is at most
 * `staleIfError` old.
 */
export type StoredState = (typeof STORED_STATES)[number];

export interface FailureCase {
	readonly kind: FailureKind;
	readonly stored: StoredState;
	readonly onError: FetchOptions['onError'];
	/** `true` if so few products are affected that the service itself is probably fine. */
	readonly isFew: boolean;
}

export interface FailureConsequence {
	readonly shows: 'the cached reviews' | 'no reviews' | 'an error';
	readonly status: 'stale' | 'failed' | 'unreadable' | 'missing';
	readonly log: 'nothing' | 'a warning' | 'an error';
	readonly endsBuild: boolean;
}

/**
 * Kinds of answers that arrived but cannot be used. If nothing is stored and few products are affected, they are left out
 * with a warning: the content of one product never fails a build. After any other kind, reviews may be available later, so
 * a build without them would be incomplete.
 */
export const UNUSABLE: ReadonlySet<FailureKind> = new Set(['unreadable', 'wrong-product', 'foreign-answer']);

/** Kinds whose products the report lists as unreadable: the service answered, but not usefully. */
const UNREADABLE: ReadonlySet<FailureKind> = new Set(['unreadable', 'wrong-product']);

/** The failure policy. The page `reference/failures` of the documentation has it as a table; a test compares the two. */
export function consequenceOf({ kind, stored, onError, isFew }: FailureCase): FailureConsequence {
	if (kind === 'vanished' && (isFew || stored === 'nothing')) {
		return { shows: 'no reviews', status: 'missing', log: 'nothing', endsBuild: false };
	}
	const status = UNREADABLE.has(kind) ? 'unreadable' : 'failed';
	if (onError === 'fail') return { shows: 'an error', status, log: 'an error', endsBuild: true };
	if (stored === 'fresh' || stored === 'stale') {
		return { shows: 'the cached reviews', status: 'stale', log: 'a warning', endsBuild: false };
	}
	if (onError === 'omit' || (isFew && UNUSABLE.has(kind))) {
		return { shows: 'no reviews', status, log: 'a warning', endsBuild: false };
	}
	return { shows: 'no reviews', status, log: 'an error', endsBuild: true };
}

/**
 * Products with unusable answers, and nothing stored, that a build tolerates: 10, or 5 % of all products, whichever is
 * more. A malicious review can break the answers of a few products. A new version of the service breaks all of them, and
 * then a site without reviews must not be published.
 */
export const FEW_UNUSABLE = { products: 10, share: 0.05 } as const;

/** Sorts the failures of a build by what comes of them. */
export function judgeFailures(outcomes: ProductResults, onError: FetchOptions['onError']) {
	const failures = failuresIn(outcomes);
	const missing = failures.filter(({ stale }) => !stale);
	const unusable = missing.filter(({ error }) => UNUSABLE.has(kindOf(error)));
	const affected = new Set(unusable.map(({ pid }) => pid)).size;
	const areFew = affected <= Math.max(FEW_UNUSABLE.products, FEW_UNUSABLE.share * productsIn(outcomes));
	const endsBuild = ({ error }: Failure) => {
		const kind = kindOf(error);
		// If every answer is foreign, however few products there are, something other than the service answers.
		const isFew = UNUSABLE.has(kind) && areFew && (kind !== 'foreign-answer' || answersIn(outcomes) > 0);
		return consequenceOf({ kind, stored: 'too old', onError, isFew }).endsBuild;
	};
	return {
		stale: failures.filter(({ stale }) => stale),
		leftOut: missing.filter((failure) => !endsBuild(failure)),
		ending: missing.filter(endsBuild),
	};
}
