import type { PacedRequest } from '../pacing/paced-request.js';
import type { Validators } from '../records/validators.js';

/** One request to the service, as an operation describes it. */
export interface ReviewsRequest extends PacedRequest {
	/** Query string without its question mark; empty for none. */
	readonly query?: string;
	/** Body, to be sent as JSON. */
	readonly body?: unknown;
	/** Checked validators of an earlier answer, so that the service need not send it again. */
	readonly known?: Validators | undefined;
	/** Whether to send the token. */
	readonly authorize: boolean;
}

/**
 * Turns an answer's JSON into the result of the operation.
 *
 * @param validators of the answer, checked.
 * @throws TryProblem for an invalid answer.
 */
export type ReadAnswer<Answer> = (
	json: unknown,
	validators: Validators | undefined,
) => Answer | Promise<Answer>;
