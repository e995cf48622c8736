import { kindOf } from '../base/failures.js';
import { type FailureKind, ReviewServiceError } from '../errors.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { answersIn, type Failure, failuresIn, type ProductResults, productsIn } from './results.js';

/**
 * Products with unusable answers, and nothing stored, that a build tolerates: 10, or 5 % of all products, whichever is
 * more. A malicious review can break the answers of a few products. A new version of the service breaks all of them, and
 * then a site without reviews must not be published.
 */
export const FEW_UNUSABLE = { products: 10, share: 0.05 } as const;

/**
 * Products that may lose all their reviews in one build: fewer than 5, or at most 20 % of the products that had
 * reviews. A merchant may delete the reviews of a few products. If a fifth of a store loses all of them between two builds,
 * a database or gateway of the service is probably broken.
 */
export const FEW_VANISHED = { products: 5, share: 0.2 } as const;

/**
 * Time for which a loss counts in a server, which has no builds to compare, in milliseconds: a day. Losses that were not
 * believed count until the product has reviews again.
 */
export const VANISHED_WITHIN = 86_400_000;

export function areFewVanished(vanished: number, products: number): boolean {
	return vanished < FEW_VANISHED.products || vanished <= FEW_VANISHED.share * products;
}

/** The failure of a product whose loss is not believed. */
export function vanished(): ReviewServiceError {
	return new ReviewServiceError(
		'the service reports that all its reviews are gone, along with those of many other products. If this is correct, run "npx astro-product-reviews cache invalidate --all".',
		'Run that command only if the reviews are really gone, and build again.',
		{ kind: 'vanished' },
	);
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
	readonly onError: ProductReviewsOptions['onError'];
	/** `true` if so few products are affected that the service itself is probably fine: see {@link areFewVanished}. */
	readonly isFew: boolean;
}

export interface FailureConsequence {
	readonly shows: 'the stored reviews' | 'no reviews' | 'an error';
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
		return { shows: 'the stored reviews', status: 'stale', log: 'a warning', endsBuild: false };
	}
	if (onError === 'omit' || (isFew && UNUSABLE.has(kind))) {
		return { shows: 'no reviews', status, log: 'a warning', endsBuild: false };
	}
	return { shows: 'no reviews', status, log: 'an error', endsBuild: true };
}

/** Sorts the failures of a build by what comes of them. */
export function judgeFailures(outcomes: ProductResults, onError: ProductReviewsOptions['onError']) {
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
