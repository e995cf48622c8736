import type { ResponseErrorReason } from '../errors/index.js';

/** Why one try failed, before anything is decided about the next one. */
export type TryFailure =
	| {
			readonly kind: 'http';
			readonly detail: string;
			readonly status: number;
			/** Pause that the service asked for, in milliseconds. */
			readonly retryAfter?: number | undefined;
	  }
	| { readonly kind: 'response'; readonly detail: string; readonly reason: ResponseErrorReason }
	| { readonly kind: 'network'; readonly detail: string; readonly cause: unknown }
	| { readonly kind: 'timeout'; readonly detail: string; readonly limit: number };

/** Carries a {@link TryFailure} up to where the try began. It never leaves the package. */
export class TryProblem extends Error {
	readonly failure: TryFailure;

	constructor(failure: TryFailure) {
		super(failure.detail);
		this.failure = failure;
	}
}

/** A try problem of the kind `response`. `detail` is a clause: it ends without a full stop. */
export function responseProblem(reason: ResponseErrorReason, detail: string): TryProblem {
	return new TryProblem({ kind: 'response', reason, detail });
}
