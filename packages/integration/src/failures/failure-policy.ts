import type { FailureKind } from '../errors.js';
import type { ProductReviewsOptions } from '../options/schema.js';

/** What the store has for a product when the service fails. */
export const STORED_STATES = ['nothing', 'fresh', 'stale', 'too old'] as const;

/**
 * `'fresh'` is younger than `maxAge`, and fetched only because it is known to have changed; `'stale'` is at most `maxStale`
 * old.
 */
export type StoredState = (typeof STORED_STATES)[number];

/** One failure, as the policy sees it. */
export interface FailureCase {
	readonly kind: FailureKind;
	readonly stored: StoredState;
	readonly onError: ProductReviewsOptions['onError'];
	/** Whether so few products are affected that the service itself is probably fine; see `limits.ts`. */
	readonly isFew: boolean;
}

/** Consequences of a failure. */
export interface FailureConsequence {
	readonly shows: 'the stored reviews' | 'no reviews' | 'an error';
	/** The product's status in the report. */
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

/** The failure policy. The page `builds/failures` of the documentation has it as a table; a test compares the two. */
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
