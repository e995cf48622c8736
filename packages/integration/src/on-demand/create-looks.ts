import type { SharedRead, Stamp } from '../shared-storage/shared-storage.js';
import {
	createRecentMap,
	type Entries,
	type Entry,
	type Good,
	type LiveMemoryContext,
	type LiveSharing,
} from './live-memory.js';

/** What this instance found in the storage when it last looked for a product. */
interface Look {
	/** On the monotonic clock. */
	readonly at: number;
	readonly stamp: Stamp | undefined;
	/** Whether there was an answer. */
	readonly isStored: boolean;
}

/** Looks products up in the storage, and adopts the answers of other instances. */
export interface Looks {
	/** Looks at most once a second, unless the product changed. */
	adopt(pid: string): Promise<void>;
	/** Looks now. */
	look(pid: string): Promise<void>;
	/** The last look; `undefined` if there was none since the product changed. */
	last(pid: string): Look | undefined;
	isLooking(pid: string): boolean;
	/** The product changed. */
	forget(pid: string): void;
	forgetAll(): void;
}

/** Memory of this instance that looks change. */
export interface LooksContext<Value, Known>
	extends Pick<LiveMemoryContext<Value, Known>, 'isEmpty' | 'most' | 'monotonicNow' | 'schedule'> {
	readonly isFresh: (entry: Entry<Value, Known> | undefined) => boolean;
}

/** Shortest interval between two looks, in milliseconds. */
const INTERVAL = 1_000;

export function createLooks<Value, Known>(
	sharing: LiveSharing<Value>,
	entries: Entries<Value, Known>,
	context: LooksContext<Value, Known>,
): Looks {
	const { most, monotonicNow } = context;
	const looks = createRecentMap<Look>(2 * most);
	const running = new Map<string, RunningLook>();

	async function run(pid: string, self: RunningLook): Promise<void> {
		const read = await sharing.read(pid);
		if (self.isOutdated) return look(pid);
		const { stamp, isStored } = looks.peek(pid) ?? { stamp: undefined, isStored: false };
		const found = read ? { stamp: read.stamp, isStored: read.entry !== undefined } : { stamp, isStored };
		looks.set(pid, { at: monotonicNow(), ...found });
		if (read) adoptAnswer(pid, read, { sharing, entries, ...context });
	}

	function look(pid: string): Promise<void> {
		const current = running.get(pid);
		if (current) return current.done;
		const self: RunningLook = { isOutdated: false, done: Promise.resolve() };
		running.set(pid, self);
		self.done = run(pid, self).finally(() => running.get(pid) === self && running.delete(pid));
		return self.done;
	}

	const forget = (pid: string) => {
		looks.delete(pid);
		const look = running.get(pid);
		// What it reads may be older than the event.
		if (look) look.isOutdated = true;
		running.delete(pid);
	};
	return {
		async adopt(pid) {
			const { at = Number.NEGATIVE_INFINITY } = looks.peek(pid) ?? {};
			if (monotonicNow() - at >= INTERVAL) await look(pid);
		},
		look,
		last: looks.peek,
		isLooking: (pid) => running.has(pid),
		forget,
		forgetAll() {
			for (const pid of [...looks.keys(), ...running.keys()]) forget(pid);
		},
	};
}

/** A product that is being looked up. */
interface RunningLook {
	/** Whether an event came since. */
	isOutdated: boolean;
	done: Promise<void>;
}

function adoptAnswer<Value, Known>(
	pid: string,
	{ entry, stamp }: SharedRead<Value>,
	{
		sharing,
		entries,
		isEmpty,
		isFresh,
	}: LooksContext<Value, Known> & { sharing: LiveSharing<Value>; entries: Entries<Value, Known> },
): void {
	const own = entries.get(pid);
	const good = entry && sharing.toGood<Known>(entry);
	if (entry && good && isBetter(good, entry.isOutdated, own, isEmpty)) {
		entries.setGood(pid, { good, isOutdated: entry.isOutdated }, isEmpty(good.value));
	} else if (own?.isUnsure) {
		delete own.isUnsure;
		const hasEvent = stamp.product !== undefined || stamp.all !== undefined;
		const isNewer = own.good && good && good.fetchedAt > own.good.fetchedAt;
		if (entry ? entry.isOutdated || isNewer : hasEvent) own.isOutdated = true;
		// The storage lost it.
		else if (!entry && own.good && isFresh(own))
			void sharing.write(pid, own.good, stamp, isEmpty(own.good.value));
	}
}

function isBetter<Value, Known>(
	good: Good<Value, Known>,
	isOutdated: boolean,
	own: Entry<Value, Known> | undefined,
	isEmpty: (value: Value) => boolean,
): boolean {
	if (!own?.good) return true;
	// Whether a product lost all its reviews is decided here, from what the service sends.
	if (isEmpty(good.value) && !isEmpty(own.good.value)) return false;
	return !isOutdated && (own.isOutdated === true || good.fetchedAt > own.good.fetchedAt);
}
