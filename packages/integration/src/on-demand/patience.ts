import type { Flight } from '../cache/cached-resource.js';
import type { LiveMemoryContext } from './live-memory.js';

/** How long pages wait for requests. */
export interface Patience<Kind> {
	/** Waits for a request, until its time limit. */
	waitFor(kind: Kind, flight: Flight): Promise<void>;
	/** The service has answered a request of this kind. */
	restore(kind: Kind): void;
}

/** A page that shows many products, one after another, waits only once for a service that hangs. */
export function createPatience<Kind>({
	timeLimit,
	monotonicNow,
	schedule,
}: Pick<LiveMemoryContext<unknown, unknown>, 'timeLimit' | 'monotonicNow' | 'schedule'>): Patience<Kind> {
	const slowUntil = new Map<Kind, number>();
	return {
		async waitFor(kind, { startedAt, done }) {
			const left = Math.min(timeLimit, startedAt + timeLimit - monotonicNow());
			if (left <= 0 || monotonicNow() < (slowUntil.get(kind) ?? Number.NEGATIVE_INFINITY)) return;
			const { promise, resolve } = Promise.withResolvers<void>();
			const cancel = schedule(() => {
				slowUntil.set(kind, monotonicNow() + timeLimit);
				resolve();
			}, left);
			void done.then(() => {
				cancel();
				resolve();
			});
			await promise;
		},
		restore: (kind) => void slowUntil.delete(kind),
	};
}
