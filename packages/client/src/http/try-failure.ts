import type { ResponseErrorReason } from '../errors/index.js';
import type { Show } from '../printable.js';

/** What happened, as a clause that ends without a full stop; a function where it repeats what the service sent. */
export type Detail = string | ((show: Show) => string);

/** Why one try failed, before anything is decided about the next one. */
export type TryFailure =
	| {
			readonly kind: 'http';
			readonly detail: Detail;
			readonly status: number;
			/** Pause that the service asked for, in milliseconds. */
			readonly retryAfter?: number | undefined;
	  }
	| { readonly kind: 'response'; readonly detail: Detail; readonly reason: ResponseErrorReason }
	| { readonly kind: 'network'; readonly detail: Detail; readonly cause: unknown }
	| { readonly kind: 'timeout'; readonly detail: Detail; readonly limit: number };

/** Carries a {@link TryFailure} up to where the try began. It never leaves the package. */
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
