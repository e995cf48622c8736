import type { Priority } from '../pacing/paced-request.js';

/** Options of every operation. */
export interface RequestOptions {
	/** Ends the operation, even while it waits for its turn. It then throws the signal's reason. */
	signal?: AbortSignal | undefined;
	/**
	 * `'low'` for unknown products, such as ids from URLs that anyone may have made up. Such requests are sent when no
	 * others wait, and their failures never stop others from being sent.
	 * @default 'normal'
	 */
	priority?: Priority | undefined;
	/**
	 * Whether a request whose tries have all failed is sent once more, after all that wait. For programs that request
	 * many products and can wait, because among many, one is likely to fail several times in a row. It has no effect if
	 * the client's `retries` is 0. `deadline` applies to each turn.
	 * @default false
	 */
	requeue?: boolean | undefined;
}
