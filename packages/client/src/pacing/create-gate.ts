/** Every request of a client passes the gate before it starts. */
export interface Gate {
	/**
	 * Waits until a request may start.
	 *
	 * @param notBefore the earliest start, on the monotonic clock.
	 * @throws the signal's reason when it aborts.
	 */
	enter(signal: AbortSignal, notBefore: number): Promise<Pass>;
	/**
	 * Holds back every request for a time, in milliseconds. Above `maxRetryAfter`, the client stops sending requests.
	 */
	pause(milliseconds: number): void;
}

/** Whether a request may start. */
type Pass =
	| { readonly stoppedFor?: never /** Call when it has ended. */; readonly leave: () => void }
	/** The rest of the pause, in milliseconds, if the client has stopped sending requests. */
	| { readonly stoppedFor: number };

/**
 * Spaces the starts of requests, and holds all of them back during a pause requested by the service: if it is too busy
 * for one product, it is too busy for the next. After a stop, one request probes whether the service answers again, and
 * the others wait for it.
 */
export function createGate(settings: {
	requestsPerSecond: number | undefined;
	maxRetryAfter: number;
	monotonicNow: () => number;
	sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}): Gate {
	const { monotonicNow, sleep } = settings;
	const interval = settings.requestsPerSecond === undefined ? 0 : 1_000 / settings.requestsPerSecond;
	const waiting = new Set<() => void>();
	let nextStart = Number.NEGATIVE_INFINITY;
	let pausedUntil = Number.NEGATIVE_INFINITY;
	let stoppedUntil = Number.NEGATIVE_INFINITY;
	let probe: 'none' | 'wanted' | 'under way' = 'none';

	return {
		async enter(signal, notBefore) {
			for (;;) {
				signal.throwIfAborted();
				const time = monotonicNow();
				if (stoppedUntil > time) return { stoppedFor: stoppedUntil - time };
				// If the only available clock was set back by a day, the next start must not be a day away.
				const spaced = Math.min(nextStart, time + interval);
				const wait = Math.max(spaced, pausedUntil, notBefore) - time;
				if (probe !== 'under way' && wait <= 0) {
					nextStart = time + interval;
					return { leave: begin() };
				}
				await waitFor(probe === 'under way' ? undefined : wait, signal, waiting, sleep);
			}
		},
		pause(milliseconds) {
			const until = monotonicNow() + milliseconds;
			pausedUntil = Math.max(pausedUntil, until);
			if (milliseconds <= settings.maxRetryAfter) return;
			stoppedUntil = Math.max(stoppedUntil, until);
			probe = 'wanted';
			wakeAll();
		},
	};

	function begin(): () => void {
		if (probe !== 'wanted') return () => {};
		probe = 'under way';
		return () => {
			// Another long pause requires another probe.
			if (probe !== 'under way') return;
			probe = 'none';
			wakeAll();
		};
	}

	function wakeAll(): void {
		for (const wake of waiting) wake();
	}
}

/**
 * Waits until the time is up, the function added to `waiting` is called, or the signal aborts. Leaves no listener
 * behind.
 *
 * @param milliseconds `undefined` to wait without a time limit.
 */
async function waitFor(
	milliseconds: number | undefined,
	signal: AbortSignal,
	waiting: Set<() => void>,
	sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
	const sleeper = new AbortController();
	const woken = Promise.withResolvers<void>();
	const wake = () => {
		woken.resolve();
		sleeper.abort();
	};
	waiting.add(wake);
	signal.addEventListener('abort', wake, { once: true });
	try {
		const slept = milliseconds === undefined ? woken.promise : sleep(milliseconds, sleeper.signal);
		await Promise.race([slept, woken.promise]).catch((error) => {
			if (!sleeper.signal.aborted) throw error;
		});
	} finally {
		waiting.delete(wake);
		signal.removeEventListener('abort', wake);
	}
}
