import { whenAborted } from '../when-aborted.js';

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
