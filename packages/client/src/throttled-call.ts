import type { ReviewsError, ReviewsErrorDetails } from './errors.js';
import { printable } from './secrets.js';

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
	 * `true` to send a request whose tries have all failed once more, after all that wait. For programs that request
	 * many products and can wait, because among many, one is likely to fail several times in a row. It has no effect if
	 * the client's `retries` is 0. `deadline` applies to each turn.
	 * @default false
	 */
	requeue?: boolean | undefined;
}

/** Operation to request, and its products. */
export interface ThrottledRequest extends RequestOptions {
	readonly operation: string;
	/** As the caller gave them. */
	readonly pids: readonly string[];
}

/** A request under way. Its errors say which request it is, and how often it was sent. */
export abstract class ThrottledCall<Answer> {
	readonly request: ThrottledRequest;
	/** Beginning of messages, such as `GET /api/llmRvwHTML`. */
	abstract readonly title: string;
	attempts = 0;
	/** Of the last answer. */
	status: number | undefined;
	/** Bytes of the last answer that were read. */
	bytes = 0;
	/** Error of the last try that failed; `undefined` if none did. */
	last: ReviewsError | undefined;

	constructor(request: ThrottledRequest) {
		this.request = request;
	}

	/** Sends the request once. @throws ReviewsError, or the reason of the signal. */
	abstract send(signal: AbortSignal): Promise<Answer>;

	/** Called when a try has ended. @param failure `undefined` if there was an answer. */
	abstract tried(durationMs: number, failure: unknown): void;

	/** Gets ready for a try, before its turn comes. */
	async authorize(): Promise<void> {}

	/** Called once if the service answers 401. @returns `true` to try again at once. */
	async renew(): Promise<boolean> {
		return false;
	}

	show(text: string, maxLength: number): string {
		return printable(text, maxLength);
	}

	/** Request and products, such as `[GET /api/llmRvwHTML] product "p-1"`. */
	get name(): string {
		const { pids } = this.request;
		const names = pids.slice(0, 3).map((pid) => `"${this.show(pid, 80)}"`);
		if (pids.length > names.length) names.push('...');
		// A provider may be asked for all at once.
		if (pids.length === 0) return `[${this.title}] all products`;
		const products = pids.length === 1 ? `product ${names}` : `${pids.length} products (${names.join(', ')})`;
		return `[${this.title}] ${products}`;
	}

	get tries(): string {
		return this.attempts === 1 ? '1 try' : `${this.attempts} tries`;
	}

	/** @param problem a clause, such as "the body is not JSON". @param hint a sentence that says what to do. */
	failed(problem: string, hint = ''): string {
		return `${this.name}: ${problem} after ${this.tries}.${hint && ` ${hint}`}`;
	}

	details(cause?: unknown): ReviewsErrorDetails {
		const { request, status, attempts } = this;
		return { pids: [...request.pids], status, attempts, cause };
	}
}
