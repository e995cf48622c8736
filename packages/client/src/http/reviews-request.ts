import type { PacedRequest } from '../pacing/paced-request.js';
import type { Validators } from '../records/validators.js';

/** One request to the service, as an operation describes it. */
export interface ReviewsRequest extends PacedRequest {
	/** Query string without its question mark; empty for none. */
	readonly query?: string;
	/** Body, to be sent as JSON. */
	readonly body?: unknown;
	/** Validators of an answer that the caller has, checked: the service need not send it again. */
	readonly known?: Validators | undefined;
	/** Whether the token goes along. */
	readonly authorize: boolean;
}

/**
 * Turns an answer's JSON into what the operation returns.
 *
 * @param validators that came with it, checked.
 * @throws TryProblem for an answer that cannot be used.
 */
export type ReadAnswer<Answer> = (
	json: unknown,
	validators: Validators | undefined,
) => Answer | Promise<Answer>;
