import type { Operation } from '../contract/index.js';
import {
	type ResponseErrorReason,
	type ReviewsError,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsPausedError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from '../errors/index.js';

/** What an error says about its operation. */
export interface Facts {
	readonly operation: Operation;
	readonly method: string;
	/** Documented path of the operation. */
	readonly path: string;
	/** Address without its query string. */
	readonly url: string;
	readonly pids: readonly string[];
	readonly attempts: number;
	readonly status: number | undefined;
	readonly redact: (text: string) => string;
	/** Redacts a text and makes it safe for a message. */
	readonly show: Show;
}

/**
 * The public error for a failed try: `[GET /api/llmRvwHTML] product "p-1": 503 Service Unavailable after 5 tries.`
 *
 * @param note another sentence, if the caller's next step depends on it.
 */
export function createError(failure: TryFailure, facts: Facts, note = ''): ReviewsError {
	const { detail } = failure;
	const told = typeof detail === 'function' ? detail(facts.show) : detail;
	const said = `${told} after ${tries(facts.attempts)}.`;
	const message = [`${prefix(facts)}: ${said}`, note, hint(failure)].filter(Boolean).join(' ');
	const details = { ...facts, pids: [...facts.pids] };
	switch (failure.kind) {
		case 'http':
			return new ReviewsHttpError(message, details);
		case 'network':
			return new ReviewsNetworkError(message, {
				...details,
				cause: redactCause(failure.cause, facts.redact),
			});
		case 'timeout':
			return new ReviewsTimeoutError(message, { ...details, scope: 'try', limit: failure.limit });
		case 'response':
			return new ReviewsResponseError(message, { ...details, reason: failure.reason });
	}
}

/** The error for an operation whose deadline passed, or would pass before its next try. */
export function createDeadlineError(
	limit: number,
	facts: Facts,
	last: ReviewsError | undefined,
): ReviewsError {
	const message =
		`${prefix(facts)}: the deadline of ${limit} ms is used up after ${tries(facts.attempts)}. ` +
		'Raise the option deadline if the service is known to be slow.';
	return new ReviewsTimeoutError(message, {
		...facts,
		pids: [...facts.pids],
		cause: last,
		scope: 'deadline',
		limit,
	});
}

/** The error for an operation that is not sent because of a pause of the service. */
export function createPausedError(until: number, facts: Facts, last: ReviewsError | undefined): ReviewsError {
	const message =
		`${prefix(facts)}: not sent${facts.attempts > 0 ? ' again' : ''}, because the service requested a pause until ` +
		`${new Date(until).toISOString()}, longer than the option maxRetryAfter allows. Try again after that.`;
	const details = { ...facts, pids: [...facts.pids], cause: last };
	return new ReviewsPausedError(message, { ...details, until, reason: 'retry-after' });
}

/** The error for an operation that is not sent because the service failed too often in a row. */
export function createRestingError(failures: number, until: number, facts: Facts): ReviewsError {
	const message =
		`${prefix(facts)}: not sent, because the service failed ${failures} times in a row and is left alone until ` +
		`${new Date(until).toISOString()}. Try again after that.`;
	return new ReviewsPausedError(message, { ...facts, pids: [...facts.pids], until, reason: 'failures' });
}

function prefix({ method, path, pids, show }: Facts): string {
	return `[${method} ${path}] ${describeProducts(pids, show)}`;
}

function tries(count: number): string {
	return count === 1 ? '1 try' : `${count} tries`;
}

function hint(failure: TryFailure): string {
	switch (failure.kind) {
		case 'http':
			return failure.status === 401 || failure.status === 403 ? 'Check the access token and the wsid.' : '';
		case 'network':
			return 'Check the option baseUrl and the network.';
		case 'timeout':
			return 'Raise the option timeout if the service is known to be slow.';
		case 'response':
			return RESPONSE_HINTS[failure.reason] ?? '';
	}
}

const RESPONSE_HINTS: Readonly<Record<string, string>> = {
	redirect: 'Check the option baseUrl: it must be the address that the service answers at.',
	foreign: 'Check the option baseUrl, and whether a gateway in front of the service routes requests to it.',
	'not-json': 'Check the option baseUrl: something other than the service may have answered.',
	'too-complex': 'Look at what the service sends: no documented answer looks like this.',
	'too-large': 'Raise the option maxResponseBytes if such an answer is expected.',
};

/**
 * Describes the products of a request for an error message.
 *
 * @example describeProducts(['p-1']) // 'product "p-1"'
 * @example describeProducts(['a', 'b', 'c', 'd', 'e']) // '5 products ("a", "b", "c", ...)'
 */
function describeProducts(pids: readonly string[], show: Show = printable): string {
	const names = pids.slice(0, MAX_PIDS_SHOWN).map((pid) => `"${show(pid, MAX_PID_LENGTH)}"`);
	if (pids.length === 1) return `product ${names[0]}`;
	return `${pids.length} products (${names.join(', ')}${pids.length > names.length ? ', ...' : ''})`;
}

const MAX_PIDS_SHOWN = 3;

const MAX_PID_LENGTH = 80;

/**
 * A copy of an error without secrets: its redacted name, message, stack and code, and its causes. The runtime, or the
 * caller's `fetch`, may have attached the request with its headers to the original.
 *
 * @param redact removes the secrets from a text.
 */
function redactCause(cause: unknown, redact: (text: string) => string, depth = 0): Error {
	if (!(cause instanceof Error)) {
		const said = typeof cause === 'string' ? redact(cause) : `a value of the type ${typeof cause}`;
		return new Error(`Something that is not an error was thrown: ${said}.`);
	}
	const beneath = cause.cause === undefined || depth >= MAX_DEPTH ? undefined : cause.cause;
	const options = beneath === undefined ? undefined : { cause: redactCause(beneath, redact, depth + 1) };
	const copy = new Error(redact(cause.message), options);
	const fields: Record<string, string> = { name: redact(cause.name), stack: redact(cause.stack ?? '') };
	if ('code' in cause && typeof cause.code === 'string') fields.code = redact(cause.code);
	for (const [name, value] of Object.entries(fields)) {
		Object.defineProperty(copy, name, {
			value,
			configurable: true,
			writable: true,
			enumerable: name === 'code',
		});
	}
	return copy;
}

const MAX_DEPTH = 5;

/**
 * Throws a connection failure as a try problem. The runtime's own message says little ("fetch failed"), but the code of
 * its cause says what happened.
 */
export function networkProblem(cause: unknown): never {
	const code = codeOf(cause);
	throw new TryProblem({
		kind: 'network',
		detail: (show) => `the connection failed${code ? ` (${show(code, 40)})` : ''}`,
		cause,
	});
}

function codeOf(error: unknown): string | undefined {
	let current = error;
	for (let depth = 0; depth < MAX_DEPTH && current instanceof Error; depth += 1) {
		if ('code' in current && typeof current.code === 'string') return current.code;
		current = current.cause;
	}
	return undefined;
}

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

/**
 * Makes a text safe for a log line: removes secrets and control, format and surrogate characters, and cuts it to
 * `maxLength` characters.
 *
 * @param redact removes the secrets. It runs before the cut, because it would not recognize half a secret, and once more
 * after the other characters are removed, because those may split a secret.
 * @example printable('p-1\u001b[31m', 80) // 'p-1[31m'
 */
export function printable(
	text: string,
	maxLength: number,
	redact: (text: string) => string = (same) => same,
): string {
	const clean = redact(redact(text).replace(UNPRINTABLE, ''));
	// A character is one or two code units.
	const characters = [...clean.slice(0, (maxLength + 1) * 2)];
	if (characters.length <= maxLength) return characters.join('');
	return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** {@link printable} without the secrets of one client. */
export type Show = (text: string, maxLength: number) => string;

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
