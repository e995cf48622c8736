/** Where every request of a client passes before it starts. */
export interface Gate {
	/**
	 * Waits until a request may start.
	 *
	 * @param notBefore earliest start, in milliseconds since 1970.
	 * @returns `undefined` when it may start; the end of the pause where the client has stopped asking.
	 * @throws the signal's reason when it aborts.
	 */
	enter(signal: AbortSignal, notBefore: number): Promise<number | undefined>;
	/** Holds back every request for a time, in milliseconds; over `maxRetryAfter` the client stops asking. */
	pause(milliseconds: number): void;
}

/**
 * Spaces the starts of requests, and holds all of them back while the service asks for a pause: a service that is
 * too busy for one product is too busy for the next one.
 */
export function createGate(settings: {
	requestsPerSecond: number | undefined;
	maxRetryAfter: number;
	now: () => number;
	sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}): Gate {
	const { now, sleep } = settings;
	const interval = settings.requestsPerSecond === undefined ? 0 : 1_000 / settings.requestsPerSecond;
	let nextStart = 0;
	let pausedUntil = 0;
	let stoppedUntil = 0;
	let stop = new AbortController();

	return {
		async enter(signal, notBefore) {
			for (;;) {
				signal.throwIfAborted();
				const time = now();
				if (stoppedUntil > time) return stoppedUntil;
				const wait = Math.max(nextStart, pausedUntil, notBefore) - time;
				if (wait <= 0) {
					nextStart = time + interval;
					return undefined;
				}
				await sleepUnlessStopped(wait, signal);
			}
		},
		pause(milliseconds) {
			const until = now() + milliseconds;
			pausedUntil = Math.max(pausedUntil, until);
			if (milliseconds <= settings.maxRetryAfter) return;
			stoppedUntil = Math.max(stoppedUntil, until);
			stop.abort();
			stop = new AbortController();
		},
	};

	/** Those who wait when the client stops asking are to hear of it at once. */
	async function sleepUnlessStopped(wait: number, signal: AbortSignal): Promise<void> {
		const stopped = stop.signal;
		try {
			await sleep(wait, AbortSignal.any([signal, stopped]));
		} catch (error) {
			if (signal.aborted || !stopped.aborted) throw error;
		}
	}
}
