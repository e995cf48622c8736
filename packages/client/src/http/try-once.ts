import { ReviewsTimeoutError } from '../errors/index.js';
import type { RequestEvent } from '../options/request-event.js';
import type { ClientContext } from './client-context.js';
import { createError } from './create-error.js';
import { factsOf, type Progress } from './facts-of.js';
import { retryRule } from './retry-rule.js';
import type { ReadAnswer, ReviewsRequest } from './reviews-request.js';
import { sendOnce, type TryResult } from './send-once.js';
import { toWireRequest } from './to-wire-request.js';

/**
 * One try, counted and reported to the pacer and to `onRequest`. A pause requested by the service starts here.
 *
 * @throws the signal's reason when it aborts, and what `onRequest` throws.
 */
export async function tryOnce<Answer>(
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
