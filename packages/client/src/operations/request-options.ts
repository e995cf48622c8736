import type { Priority } from '../pacing/paced-request.js';

/** Options of every operation. */
export interface RequestOptions {
	/** Ends the operation, also while it waits for its turn. It then throws the signal's reason. */
	signal?: AbortSignal | undefined;
	/**
	 * `'low'` for products of which nothing is known, such as ids from addresses that anybody may have made up. Such
	 * requests are sent when no others wait, and however often they fail, others are still sent.
	 * @default 'normal'
	 */
	priority?: Priority | undefined;
	/**
	 * Whether a request for which the service failed, all tries included, is sent once more behind all that wait. For
	 * programs that ask for many products and can wait: one of many has bad luck several times in a row. It has no effect
	 * where the client's `retries` is 0. `deadline` holds for each turn.
	 * @default false
	 */
	requeue?: boolean | undefined;
}
