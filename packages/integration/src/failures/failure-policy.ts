import type { FailureKind } from '../errors.js';
import type { ProductReviewsOptions } from '../options/schema.js';

/** What the store has of a product for which the service failed. */
export const STORED_STATES = ['nothing', 'fresh', 'stale', 'too old'] as const;

/**
 * `'fresh'` is younger than `maxAge`, and asked for all the same since it is known to have changed; `'stale'` is not
 * older than `maxStale`.
 */
export type StoredState = (typeof STORED_STATES)[number];

/** One failure, as the policy looks at it. */
export interface FailureCase {
	readonly kind: FailureKind;
	readonly stored: StoredState;
	readonly onError: ProductReviewsOptions['onError'];
	/** Whether so few products have such answers that it says nothing of the service; see `limits.ts`. */
	readonly isFew: boolean;
}

/** What comes of a failure. */
export interface FailureConsequence {
	readonly shows: 'the stored reviews' | 'no reviews' | 'an error';
	/** The product's status in the report. */
	readonly status: 'stale' | 'failed' | 'unreadable' | 'missing';
	readonly log: 'nothing' | 'a warning' | 'an error';
	readonly endsBuild: boolean;
}

/**
 * Kinds of answers that came and are of no use. With nothing stored, few such products are left out with a warning: what
 * one product holds never ends a build. After all other kinds reviews can be had later, and a build without is not whole.
 */
export const UNUSABLE: ReadonlySet<FailureKind> = new Set(['unreadable', 'wrong-product', 'foreign-answer']);
/** Kinds whose products the report lists as unreadable: the service answered, and in vain. */
const UNREADABLE: ReadonlySet<FailureKind> = new Set(['unreadable', 'wrong-product']);

/** The policy of failures: `docs/failures.md` is this function as a table, which a test compares. */
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
