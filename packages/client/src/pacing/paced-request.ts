import type { Operation } from '../contract/index.js';

/**
 * `'low'` requests are sent when no others wait, and what happens to them never keeps others from being sent.
 * Everything else is `'normal'`.
 */
export type Priority = 'normal' | 'low';

/** How one request to the service is to be paced. */
export interface PacedRequest {
	readonly operation: Operation;
	/** Ids of the products that the request is about, as the caller gave them. */
	readonly pids: readonly string[];
	/** @default 'normal' */
	readonly priority?: Priority | undefined;
	/** Whether it is sent once more, behind all that wait, when the service fails. @default false */
	readonly requeue?: boolean | undefined;
	/** Ends it when it aborts, also while it waits for its turn. */
	readonly signal: AbortSignal | undefined;
}
