import type { Settings } from '../options/resolve-options.js';
import type { Validators } from '../records/validators.js';
import { checkValidators } from './check-validators.js';
import { discardBody } from './discard-body.js';
import { networkProblem } from './network-problem.js';
import { parseJson } from './parse-json.js';
import { parseRetryAfter } from './parse-retry-after.js';
import { readBody } from './read-body.js';
import { readNotFound } from './read-not-found.js';
import { redirectTarget } from './redirect-target.js';
import type { ReadAnswer } from './reviews-request.js';
import { type TryFailure, TryProblem } from './try-failure.js';
import { withTimeLimit } from './with-time-limit.js';

/** A request as sent over the wire. */
export interface WireRequest {
	readonly method: string;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | undefined;
	/** Whether its headers allow the service to answer 304. */
	readonly isConditional: boolean;
}

/**
 * How one try ended. `answer` is `undefined` for a 404 of the service, which does not know the product, and
 * `'unchanged'` for a 304 to a conditional request.
 */
export type TryResult<Answer> = { status: number | undefined; bytes: number } & (
	| { answer: Answer | 'unchanged' | undefined; failure?: never }
	| { failure: TryFailure }
);

/**
 * Sends a request once and reads its answer, both headers and body, within `timeout`.
 *
 * @throws the signal's reason when it aborts; every other failure is in the result.
 */
export async function sendOnce<Answer>(
	settings: Settings,
	request: WireRequest,
	read: ReadAnswer<Answer>,
	signal: AbortSignal,
): Promise<TryResult<Answer>> {
	const progress: { status: number | undefined; bytes: number } = { status: undefined, bytes: 0 };
	const limit = settings.timeout;
	const detail = `no complete answer within ${limit} ms`;
	const tooSlow = () => new TryProblem({ kind: 'timeout', detail, limit });
	try {
		const answer = await withTimeLimit({ signal, milliseconds: limit, reason: tooSlow }, (trySignal) =>
			exchange(settings, request, read, { signal: trySignal, progress }),
		);
		return { ...progress, answer };
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof TryProblem) return { ...progress, failure: error.failure };
		throw error;
	}
}

interface Try {
	readonly signal: AbortSignal;
	readonly progress: { status: number | undefined; bytes: number };
}

async function exchange<Answer>(
	settings: Settings,
	request: WireRequest,
	read: ReadAnswer<Answer>,
	{ signal, progress }: Try,
): Promise<Answer | 'unchanged' | undefined> {
	const response = await follow(settings, request, { signal, progress });
	if (response.status === 200) {
		const text = await readBody(response, { maxBytes: settings.maxResponseBytes, signal, progress });
		return await read(await parseJson(text, response), validatorsOf(response.headers));
	}
	if (response.status === 404) return await readNotFound(response, { signal, progress });
	await discardBody(response, signal);
	if (response.status === 304 && request.isConditional) return 'unchanged';
	const said = `${response.status} ${response.statusText}`.trim();
	throw new TryProblem({
		kind: 'http',
		detail: (show) => show(said, 80),
		status: response.status,
		retryAfter: parseRetryAfter(response.headers.get('retry-after'), settings.now(), settings.maxPause),
	});
}

async function follow(
	settings: Settings,
	request: WireRequest,
	{ signal, progress }: Try,
): Promise<Response> {
	const { method, headers, body = null } = request;
	let { url } = request;
	for (let followed = 0; ; followed += 1) {
		const response = await fetchOrFail(settings, url, { method, headers, body, redirect: 'manual', signal });
		if (signal.aborted) {
			// A fetch that ignores its signal may answer after the abort.
			await response.body?.cancel();
			throw signal.reason;
		}
		progress.status = response.status;
		const target = redirectTarget(response, { method, url }, followed);
		if (target === undefined) return response;
		await discardBody(response, signal);
		if (target instanceof TryProblem) throw target;
		url = target;
	}
}

/** Async, because the caller's fetch may throw before it returns a promise. */
async function fetchOrFail({ fetch }: Settings, url: string, init: RequestInit): Promise<Response> {
	try {
		return await fetch(url, init);
	} catch (error) {
		return networkProblem(error);
	}
}

function validatorsOf(headers: Headers): Validators | undefined {
	return checkValidators({ etag: headers.get('etag'), lastModified: headers.get('last-modified') });
}
