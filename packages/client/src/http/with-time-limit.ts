/**
 * Runs `task` with a signal that aborts when `signal` does, or after `milliseconds`. The promise then rejects
 * immediately, even if the task ignores its signal. No timer or listener is left behind, because the caller's signal
 * may live as long as the process and see a hundred thousand tasks.
 *
 * @throws the reason of `signal`, or the result of `reason` when the time is up.
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

type Stop = (reason: unknown) => void;

/** The functions to call when a signal aborts, and the one listener that calls them. */
interface Watch {
	readonly stops: Set<Stop>;
	readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls `stop` with the signal's reason when the signal aborts. It must not have aborted yet.
 *
 * All callers share one listener per signal, because a signal may see a hundred thousand tasks. Node compares each added
 * listener with all others, and keeps removed ones linked to those added later, with everything that they can reach.
 *
 * @param stop a different function for each call.
 * @returns a function that ends the wait. The last one removes the listener.
 */
export function whenAborted(signal: AbortSignal, stop: Stop): () => void {
	const watch = watches.get(signal) ?? startWatch(signal);
	watch.stops.add(stop);
	return () => {
		watch.stops.delete(stop);
		if (watch.stops.size > 0 || watches.get(signal) !== watch) return;
		watches.delete(signal);
		signal.removeEventListener('abort', watch.listener);
	};
}

function startWatch(signal: AbortSignal): Watch {
	const stops = new Set<Stop>();
	const listener = () => {
		for (const stop of stops) stop(signal.reason);
	};
	const watch = { stops, listener };
	watches.set(signal, watch);
	signal.addEventListener('abort', listener, { once: true });
	return watch;
}
