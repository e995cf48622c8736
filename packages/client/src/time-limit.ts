/**
 * Runs `task` with a signal that aborts when `outer` does, or after `milliseconds`. The promise then rejects immediately,
 * even if the task ignores its signal.
 *
 * @throws the reason of `outer`, or the result of `reason` when the time is up.
 * @example await withTimeLimit(signal, 500, () => new Error('slow'), (limited) => fetch(url, { signal: limited }))
 */
export async function withTimeLimit<Result>(
	outer: AbortSignal | undefined,
	milliseconds: number,
	reason: () => unknown,
	task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	const timer = setTimeout(() => controller.abort(reason()), milliseconds);
	const onAbort = () => controller.abort(outer?.reason);
	if (outer?.aborted) onAbort();
	outer?.addEventListener('abort', onAbort);
	try {
		return await untilAborted(task(controller.signal), controller.signal);
	} finally {
		clearTimeout(timer);
		outer?.removeEventListener('abort', onAbort);
	}
}

/** Settles as the promise does, or rejects with the signal's reason as soon as that aborts. */
export async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
	const aborted = Promise.withResolvers<never>();
	const onAbort = () => aborted.reject(signal.reason);
	if (signal.aborted) onAbort();
	signal.addEventListener('abort', onAbort);
	try {
		return await Promise.race([aborted.promise, promise]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/**
 * Waits for a number of milliseconds. The timer is cleared when the signal aborts, so that it does not keep the process
 * alive.
 *
 * @throws the signal's reason when it aborts.
 */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
	const over = Promise.withResolvers<void>();
	const timer = setTimeout(over.resolve, milliseconds);
	await untilAborted(over.promise, signal).finally(() => clearTimeout(timer));
}
