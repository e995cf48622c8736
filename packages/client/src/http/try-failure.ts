import type { ResponseErrorReason } from '../errors/index.js';
import type { Show } from '../printable.js';

/** What happened, as a clause without a full stop. A function if it quotes what the service sent. */
export type Detail = string | ((show: Show) => string);

/** Why one try failed, before any decision about a retry. */
export type TryFailure =
	| {
			readonly kind: 'http';
			readonly detail: Detail;
			readonly status: number;
			/** Pause requested by the service, in milliseconds. */
			readonly retryAfter?: number | undefined;
	  }
	| { readonly kind: 'response'; readonly detail: Detail; readonly reason: ResponseErrorReason }
	| { readonly kind: 'network'; readonly detail: Detail; readonly cause: unknown }
	| { readonly kind: 'timeout'; readonly detail: Detail; readonly limit: number };

/** Carries a {@link TryFailure} up to the start of the try. It never leaves the package. */
export class TryProblem extends Error {
	readonly failure: TryFailure;

	constructor(failure: TryFailure) {
		super(failure.kind);
		this.failure = failure;
	}
}

/** A try problem of the kind `response`. */
export function responseProblem(reason: ResponseErrorReason, detail: Detail): TryProblem {
	return new TryProblem({ kind: 'response', reason, detail });
}
