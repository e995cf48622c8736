import { LOCK_TIME } from '../shared-storage/shared-storage.js';
import type { Looks } from './create-looks.js';
import type { Good } from './live-entries.js';
import type { LiveMemoryContext } from './live-memory.js';
import type { LiveSharing } from './live-sharing.js';

/** The time in which this instance requests a product. */
interface Turn<Value, Known> {
	/** Stores the answer for the other instances. */
	share(good: Good<Value, Known>): void;
	/** Ends it, when the answer is stored. Never throws. */
	end(): void;
}

/** Waits while another instance requests a product. Returns `undefined` if that brought a fresh answer. */
export type Turns<Value, Known> = (pid: string) => Promise<Turn<Value, Known> | undefined>;

/** How long to wait before looking again whether another instance has the answer, in milliseconds. */
const WAIT = 50;

export function createTurns<Value, Known>(
	sharing: LiveSharing<Value>,
	looks: Pick<Looks, 'look' | 'last'>,
	{
		isFresh,
		isEmpty,
		monotonicNow,
		schedule,
	}: Pick<LiveMemoryContext<Value, Known>, 'isEmpty' | 'monotonicNow' | 'schedule'> & {
		readonly isFresh: (pid: string) => boolean;
	},
): Turns<Value, Known> {
	const pause = () => new Promise<void>((resolve) => void schedule(resolve, WAIT));

	/** An event that comes during the request makes its answer outdated, so the stamp is that of the beginning. */
	const turnOf = (pid: string, release: () => Promise<void>): Turn<Value, Known> => {
		const { stamp, isStored = false } = looks.last(pid) ?? {};
		let stored: Promise<unknown> | undefined;
		return {
			share(good) {
				stored = sharing.write(pid, good, stamp, isEmpty(good.value) && !isStored);
			},
			end: () => void Promise.resolve(stored).then(release),
		};
	};

	return async (pid) => {
		const until = monotonicNow() + LOCK_TIME;
		for (let isFirst = true; ; isFirst = false) {
			const lock = await sharing.lock(pid);
			const { at = Number.NEGATIVE_INFINITY } = looks.last(pid) ?? {};
			// Another instance may have ended since.
			if (!isFirst || monotonicNow() - at > WAIT) await looks.look(pid);
			if (isFresh(pid)) {
				if (lock !== 'taken') void lock();
				return undefined;
			}
			if (lock !== 'taken') return turnOf(pid, lock);
			if (monotonicNow() >= until) return turnOf(pid, async () => {});
			await pause();
		}
	};
}
