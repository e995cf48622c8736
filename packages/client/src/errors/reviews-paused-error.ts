import { ReviewsError, type ReviewsErrorDetails } from './reviews-error.js';

/**
 * Why a client sends no requests: the service requested a longer pause than `maxRetryAfter`, or it failed too often in a row.
 */
export type PauseReason = 'retry-after' | 'failures';

/**
 * The client leaves the service alone. Until `until`, it throws this error immediately, without a request: for `'retry-after'` in every
 * operation, for `'failures'` in those of the same `priority`.
 *
 * @example if (error instanceof ReviewsPausedError) console.warn('Ask again after', new Date(error.until));
 */
export class ReviewsPausedError extends ReviewsError {
	override name = 'ReviewsPausedError';
	/** When the pause ends, in milliseconds since 1970. */
	readonly until: number;
	/** Why the client does not ask. */
	readonly reason: PauseReason;

	constructor(message: string, details: ReviewsErrorDetails & { until: number; reason: PauseReason }) {
		super(details.reason === 'failures' ? 'PR_SERVICE_PAUSED' : 'PR_RATE_LIMITED', message, details);
		this.until = details.until;
		this.reason = details.reason;
	}
}
