import { OPERATIONS } from '../contract/index.js';
import { type ReviewsError, ReviewsTimeoutError } from '../errors/index.js';
import type { RequestEvent, Settings } from '../options/options.js';
import { createPacer, type Pacer } from '../pacing/create-pacer.js';
import type { Validators } from '../records/records.js';
import {
	createDeadlineError,
	createError,
	createPausedError,
	createRestingError,
	type Facts,
	printable,
	type TryFailure,
} from './create-error.js';
import type { TokenSource } from './create-token-source.js';
import {
	type ReadAnswer,
	type ReviewsRequest,
	sendOnce,
	type TryResult,
	type WireRequest,
} from './send-once.js';
import { withTimeLimit } from './with-time-limit.js';

/**
 * Sends a request when its turn comes, as often as the rules allow.
 *
 * @returns the result of `read`; `undefined` for a 404 of the service itself; `'unchanged'` for a 304, which is an error
 * if the request has no `known`.
 * @throws one of the package's errors, or the reason of the caller's signal.
 */
export interface Send {
	<Answer>(
		request: ReviewsRequest & { known?: undefined },
		read: ReadAnswer<Answer>,
	): Promise<Answer | undefined>;
	<Answer>(request: ReviewsRequest, read: ReadAnswer<Answer>): Promise<Answer | 'unchanged' | undefined>;
}

/** Sends all requests of one client to the service. */
export interface Sender {
	readonly send: Send;
	readonly prioritize: Pacer['prioritize'];
}

/** Creates the sender of one client, with one pacer for all requests. */
export function createSender(settings: Settings, tokens: TokenSource): Sender {
	const pacer = createPacer(settings);
	const context: ClientContext = { settings, tokens, pacer };
	const send = <Answer>(request: ReviewsRequest, read: ReadAnswer<Answer>) =>
		pacer.run(
			request,
			() => runOperation(context, request, read),
			({ failures, milliseconds }) =>
				createRestingError(failures, settings.now() + milliseconds, factsOf(context, request)),
		);
	return { send: send as Send, prioritize: pacer.prioritize };
}

/** Runs one operation: tries, waits and retries until there is an answer, a final failure, or no time left. */
async function runOperation<Answer>(
	context: ClientContext,
	request: ReviewsRequest,
	read: ReadAnswer<Answer>,
): Promise<Answer | 'unchanged' | undefined> {
	const progress: Progress = { attempts: 0, status: undefined, last: undefined };
	const { deadline } = context.settings;
	const reason = () => createDeadlineError(deadline, factsOf(context, request, progress), progress.last);
	return await withTimeLimit({ signal: request.signal, milliseconds: deadline, reason }, (signal) =>
		tryUntilDone(context, request, read, progress, signal),
	);
}

async function tryUntilDone<Answer>(
	context: ClientContext,
	request: ReviewsRequest,
	read: ReadAnswer<Answer>,
	progress: Progress,
	signal: AbortSignal,
): Promise<Answer | 'unchanged' | undefined> {
	const { settings, tokens, pacer } = context;
	const { gate, budget } = pacer;
	const deadlineAt = settings.monotonicNow() + settings.deadline;
	let retries = 0;
	let spent = 0;
	let renewed = false;
	let notBefore = Number.NEGATIVE_INFINITY;
	for (;;) {
		const token = request.authorize ? await tokens.current() : undefined;
		const pass = await gate.enter(signal, notBefore);
		const paused = (milliseconds: number) => {
			const until = settings.now() + milliseconds;
			return createPausedError(until, factsOf(context, request, progress), progress.last);
		};
		if (pass.stoppedFor !== undefined) throw paused(pass.stoppedFor);

		const result = await tryOnce(context, request, token, read, progress, signal).finally(pass.leave);
		const { failure } = result;
		if (failure === undefined) {
			budget.giveBack(progress.attempts === 1 ? FIRST_TRY_REWARD : spent);
			return result.answer;
		}

		const rule = retryRule(failure);
		const pause = rule?.pause ?? 0;
		if (pause > settings.maxRetryAfter) throw paused(pause);
		if (token !== undefined && !renewed && result.status === UNAUTHORIZED) {
			renewed = true;
			if (await tokens.renew(token)) continue;
		}
		if (!rule || retries >= settings.retries) throw progress.last;
		const wait = Math.max(backoffDelay(retries, rule.base, settings.random), pause);
		notBefore = settings.monotonicNow() + wait;
		if (notBefore >= deadlineAt) {
			throw createDeadlineError(settings.deadline, factsOf(context, request, progress), progress.last);
		}
		if (!budget.take(rule.cost)) {
			throw createError(failure, factsOf(context, request, progress), BUDGET_NOTE);
		}
		retries += 1;
		spent = rule.cost;
	}
}

const UNAUTHORIZED = 401;

const FIRST_TRY_REWARD = 1;

const BUDGET_NOTE =
	'It was not tried again: too many requests of this client failed, and its budget of retries is empty.';

/**
 * How long to wait before a retry, in milliseconds: full jitter over an exponential window, so that clients that failed
 * together do not all retry together. The constants and the formula are those of the AWS SDKs.
 *
 * @param retry 0 for the first retry.
 * @param base the first window, in milliseconds.
 * @param random a number from 0 up to but not including 1.
 * @example backoffDelay(2, 200, () => 0.5) // 400
 */
function backoffDelay(retry: number, base: number, random: () => number): number {
	return random() * Math.min(LONGEST_WINDOW_IN_MS, base * 2 ** retry);
}

const LONGEST_WINDOW_IN_MS = 20_000;

/**
 * One try, counted and reported to the pacer and to `onRequest`. A pause requested by the service starts here.
 *
 * @throws the signal's reason when it aborts, and what `onRequest` throws.
 */
async function tryOnce<Answer>(
	context: ClientContext,
	request: ReviewsRequest,
	token: string | undefined,
	read: ReadAnswer<Answer>,
	progress: Progress,
	signal: AbortSignal,
): Promise<TryResult<Answer>> {
	const { settings, pacer } = context;
	const { operation, method, url, pids } = factsOf(context, request);
	progress.attempts += 1;
	const started = settings.monotonicNow();
	const report = (result: { status: number | undefined; bytes: number }, error: unknown) => {
		const durationMs = settings.monotonicNow() - started;
		pacer.observe({ status: result.status, durationMs, timedOut: error instanceof ReviewsTimeoutError });
		settings.onRequest?.({
			operation,
			method,
			url,
			pids,
			attempt: progress.attempts,
			...(result.status === undefined ? {} : { status: result.status }),
			durationMs,
			bytes: result.bytes,
			...(error instanceof Error ? { error } : {}),
		} satisfies RequestEvent);
	};
	let result: TryResult<Answer>;
	try {
		result = await sendOnce(settings, toWireRequest(settings, request, token), read, signal);
	} catch (error) {
		report({ status: undefined, bytes: 0 }, error);
		throw error;
	}
	progress.status = result.status;
	const { failure } = result;
	progress.last = failure && createError(failure, factsOf(context, request, progress));
	const pause = failure && retryRule(failure)?.pause;
	// Before the failure is reported, so that requests started in response are held back, too.
	if (pause !== undefined) pacer.gate.pause(pause);
	report(result, progress.last);
	return result;
}

/** The cost of a retry, and how long the first one waits. */
interface RetryRule {
	/** Tokens of the retry budget. */
	readonly cost: number;
	/** First window of the backoff, in milliseconds. */
	readonly base: number;
	/** Pause requested by the service, in milliseconds. */
	readonly pause?: number | undefined;
}

/**
 * Whether and how to retry after a failure; `undefined` if it is final. Temporary statuses, broken connections and
 * timeouts are retried. Anything else would fail the same way again.
 */
function retryRule(failure: TryFailure): RetryRule | undefined {
	switch (failure.kind) {
		case 'network':
			return { cost: RETRY_COST, base: BASE_IN_MS };
		case 'timeout':
			return { cost: TIMEOUT_RETRY_COST, base: BASE_IN_MS };
		case 'http':
			if (!isPassing(failure.status)) return undefined;
			return {
				cost: RETRY_COST,
				base: failure.status === TOO_MANY_REQUESTS ? THROTTLED_BASE_IN_MS : BASE_IN_MS,
				pause: failure.retryAfter,
			};
		case 'response':
			return undefined;
	}
}

const BASE_IN_MS = 200;

const THROTTLED_BASE_IN_MS = 1_000;

const RETRY_COST = 5;

/** A timeout costs more because it occupies a connection of the service for a long time. */
const TIMEOUT_RETRY_COST = 10;

const REQUEST_TIMEOUT = 408;

const TOO_EARLY = 425;

const TOO_MANY_REQUESTS = 429;

const PASSING_STATUSES: ReadonlySet<number> = new Set([REQUEST_TIMEOUT, TOO_EARLY, TOO_MANY_REQUESTS]);

/** Statuses above 599 do not exist. Whatever answers 999 will do so again. */
function isPassing(status: number): boolean {
	return PASSING_STATUSES.has(status) || (status >= 500 && status <= 599);
}

/**
 * Address, headers and body of a request. Runtimes that control `accept-encoding` or `user-agent` themselves silently
 * ignore ours.
 */
function toWireRequest(
	settings: Pick<Settings, 'origin'>,
	request: ReviewsRequest,
	token: string | undefined,
): WireRequest {
	const { method, path } = OPERATIONS[request.operation];
	return {
		method,
		url: `${settings.origin}${path}${request.query ? `?${request.query}` : ''}`,
		headers: {
			accept: 'application/json',
			'accept-encoding': 'gzip, br',
			'user-agent': `product-reviews-client/${VERSION}`,
			...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
			...toConditionalHeaders(request.known),
			...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
		},
		body: request.body === undefined ? undefined : JSON.stringify(request.body),
		isConditional: request.known !== undefined,
	};
}

/** Version of this package, for its `user-agent`. A test compares it with `package.json`. */
const VERSION = '0.1.0';

/**
 * Headers that request an answer only if it differs from the known one. The date is only sent without a tag, because
 * with one the service must ignore it (RFC 9110, 13.1.3).
 *
 * @param known checked by {@link checkValidators}.
 * @example toConditionalHeaders({ etag: '"a1"' }) // { 'if-none-match': '"a1"' }
 */
function toConditionalHeaders(known: Validators | undefined): Record<string, string> {
	if (known?.etag !== undefined) return { 'if-none-match': known.etag };
	if (known?.lastModified !== undefined) return { 'if-modified-since': known.lastModified };
	return {};
}

/** The progress of an operation. */
interface Progress {
	attempts: number;
	status: number | undefined;
	last: ReviewsError | undefined;
}

const NOT_SENT: Progress = { attempts: 0, status: undefined, last: undefined };

/** What an error of this operation says at this point. @param progress @default not sent yet */
function factsOf(
	{ settings, tokens }: Pick<ClientContext, 'settings' | 'tokens'>,
	request: ReviewsRequest,
	progress: Progress = NOT_SENT,
): Facts {
	const { method, path } = OPERATIONS[request.operation];
	return {
		operation: request.operation,
		method,
		path,
		url: `${settings.origin}${path}`,
		pids: request.pids,
		attempts: progress.attempts,
		status: progress.status,
		redact: tokens.redact,
		show: (text, maxLength) => printable(text, maxLength, tokens.redact),
	};
}

/** What all requests of one client share. */
interface ClientContext {
	readonly settings: Settings;
	readonly tokens: TokenSource;
	readonly pacer: Pacer;
}
