type Stop = (reason: unknown) => void;

/** What is to be called when a signal aborts, and the one listener that does it. */
interface Watch {
	readonly stops: Set<Stop>;
	readonly listener: () => void;
}

const watches = new WeakMap<AbortSignal, Watch>();

/**
 * Calls `stop` with the signal's reason when a signal that has not aborted yet aborts.
 *
 * A signal has one listener for all who wait for it. Node compares a listener with all others when it is added, and keeps
 * removed ones linked to those added later, with everything that they can reach: a signal may see a hundred thousand tasks.
 *
 * @param stop a function of its own for each call.
 * @returns a function that ends the wait; the last one removes the listener.
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
