/**
 * Runs `task` with a signal that aborts when `signal` does, or after `milliseconds`. The promise then rejects at
 * once, also where the task takes no notice. Neither a timer nor a listener is left behind: a signal of the
 * caller's may live as long as the process and see a hundred thousand tasks.
 *
 * @throws the reason of `signal`, or what `reason` gives when the time is up.
 * @example await withTimeLimit({ signal, milliseconds: 500, reason: () => new Error('slow') }, (s) => fetch(url, { signal: s }))
 */
export function withTimeLimit<Result>(
	limit: { signal: AbortSignal | undefined; milliseconds: number; reason: () => unknown },
	task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const controller = new AbortController();
	return new Promise<Result>((resolve, reject) => {
		const { signal: outer } = limit;
		const stop = (reason: unknown) => {
			settle();
			// Rejecting comes first, so that the task's own view of the abort cannot overtake it.
			reject(reason);
			controller.abort(reason);
		};
		const timer = setTimeout(() => stop(limit.reason()), limit.milliseconds);
		let stopListening = () => {};
		const settle = () => {
			clearTimeout(timer);
			stopListening();
		};
		if (outer?.aborted) {
			stop(outer.reason);
			return;
		}
		if (outer) stopListening = whenAborted(outer, stop);
		task(controller.signal).then(resolve, reject).finally(settle);
	});
}

/**
 * Calls `stop` when a signal aborts.
 *
 * Node links the listeners of a signal, and those that were removed keep their link: one that reached the answer would
 * keep it, and those of all later requests, until the next full collection. So a removed one reaches nothing.
 * @returns what removes it.
 */
function whenAborted(signal: AbortSignal, stop: (reason: unknown) => void): () => void {
	let wanted: typeof stop | undefined = stop;
	const onAbort = () => wanted?.(signal.reason);
	signal.addEventListener('abort', onAbort, { once: true });
	return () => {
		wanted = undefined;
		signal.removeEventListener('abort', onAbort);
	};
}
