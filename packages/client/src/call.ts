import { OPERATIONS, type Operation } from './contract.js';
import {
	type PauseReason,
	type ResponseErrorReason,
	type ReviewsError,
	type ReviewsErrorDetails,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from './errors.js';
import { HINTS, messages } from './messages.js';
import type { Validators } from './records.js';
import { codeOfCause, redactCause, type TokenSource } from './secrets.js';

export type Priority = 'normal' | 'low';

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

export interface ReviewsRequest extends RequestOptions {
	readonly operation: Operation;
	/** As the caller gave them. */
	readonly pids: readonly string[];
	/** Query string without its question mark; empty for none. */
	readonly query?: string;
	readonly body?: unknown;
	/** Checked validators of an earlier answer, so that the service need not send it again. */
	readonly known?: Validators | undefined;
	readonly authorize: boolean;
}

/** A request under way, with the errors that it may end with. They say which request it is, and how often it was sent. */
export class Call {
	readonly request: ReviewsRequest;
	readonly method: string;
	/** Address without its query string. */
	readonly url: string;
	attempts = 0;
	/** Of the last answer. */
	status: number | undefined;
	/** Bytes of the last answer's body that were read. */
	bytes = 0;
	/** Why the last try failed. */
	last: ReviewsError | undefined;
	readonly #tokens: TokenSource;

	constructor(request: ReviewsRequest, origin: string, tokens: TokenSource) {
		const { method, path } = OPERATIONS[request.operation];
		this.request = request;
		this.method = method;
		this.url = origin + path;
		this.#tokens = tokens;
	}

	show(text: string, maxLength: number): string {
		return this.#tokens.show(text, maxLength);
	}

	/** @param retryAfter pause requested by the service, in milliseconds. */
	httpError(response: Response, retryAfter: number | undefined): ReviewsHttpError {
		const { status, statusText } = response;
		const said = this.show(`${status} ${statusText}`.trim(), 80);
		const hint = status === 401 || status === 403 ? HINTS.credentials : '';
		return new ReviewsHttpError(this.#failed(said, hint), { ...this.#details(), retryAfter });
	}

	/** @param problem a clause, such as "the body is not JSON". */
	responseError(reason: ResponseErrorReason, problem: string): ReviewsResponseError {
		const hint = reason in HINTS ? HINTS[reason as keyof typeof HINTS] : '';
		return new ReviewsResponseError(this.#failed(problem, hint), { ...this.#details(), reason });
	}

	networkError(cause: unknown): ReviewsNetworkError {
		const code = codeOfCause(cause);
		const problem = messages.connectionFailed(code && this.show(code, 40));
		const safe = redactCause(cause, this.#tokens.redact);
		return new ReviewsNetworkError(this.#failed(problem, HINTS.network), this.#details(safe));
	}

	timeoutError(limit: number): ReviewsTimeoutError {
		const message = this.#failed(messages.noAnswerInTime(limit), HINTS.timeout);
		return new ReviewsTimeoutError(message, { ...this.#details(), scope: 'try', limit });
	}

	deadlineError(limit: number): ReviewsTimeoutError {
		const message = messages.deadlinePassed(this.#name(), limit, this.attempts);
		return new ReviewsTimeoutError(message, { ...this.#details(this.last), scope: 'deadline', limit });
	}

	/** @param until when the pause ends, in milliseconds since 1970. @param failures in a row. */
	pausedError(reason: PauseReason, until: number, failures: number): ReviewsPausedError {
		const message =
			reason === 'failures'
				? messages.failedTooOften(this.#name(), until, failures)
				: messages.pauseTooLong(this.#name(), until, this.attempts);
		return new ReviewsPausedError(message, { ...this.#details(this.last), until, reason });
	}

	#failed(problem: string, hint: string): string {
		return messages.requestFailed(this.#name(), problem, this.attempts, hint);
	}

	#name(): string {
		const { operation, pids } = this.request;
		const { method, path } = OPERATIONS[operation];
		const shown = pids.slice(0, MAX_PIDS_SHOWN).map((pid) => this.show(pid, MAX_PID_LENGTH));
		return messages.requestName(method, path, shown, pids.length);
	}

	#details(cause?: unknown): ReviewsErrorDetails {
		const { request, status, attempts, url } = this;
		return { operation: request.operation, pids: [...request.pids], status, attempts, url, cause };
	}
}

const MAX_PIDS_SHOWN = 3;

const MAX_PID_LENGTH = 80;
