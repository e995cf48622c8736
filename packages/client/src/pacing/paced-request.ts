import type { Operation } from '../contract/index.js';

/**
 * `'low'` requests are sent when no others wait, and their failures never stop others from being sent. Everything else
 * is `'normal'`.
 */
export type Priority = 'normal' | 'low';

/** How to pace one request to the service. */
export interface PacedRequest {
	readonly operation: Operation;
	/** Ids of the products that the request is about, as the caller gave them. */
	readonly pids: readonly string[];
	/** @default 'normal' */
	readonly priority?: Priority | undefined;
	/** Whether to send it once more, after all that wait, if the service fails. @default false */
	readonly requeue?: boolean | undefined;
	/** Ends the request when it aborts, even while the request waits for its turn. */
	readonly signal: AbortSignal | undefined;
}
