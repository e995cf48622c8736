import type { EventLog } from './create-event-log.js';
import type { Runner } from './create-runner.js';
import type { SharedClock } from './create-shared-clock.js';
import type { Changed, SharedStorage } from './shared-storage.js';
import type { StorageKeys } from './storage-keys.js';

/** What polls work with. */
export interface PollContext {
	readonly keys: Pick<StorageKeys, 'changes' | 'clock'>;
	readonly clock: SharedClock;
	readonly log: EventLog;
	/** Writes the events of this instance. */
	readonly share: () => Promise<boolean>;
	/** Monotonic clock, in milliseconds. */
	readonly monotonicNow: () => number;
}

/** Shortest interval between polls, in milliseconds. */
const INTERVAL = 1_000;
/** Age of a poll from which callers wait for the next one, in milliseconds: 2 seconds, less the time that it takes to write an event. */
const TOO_OLD = 1_500;
/** How far the stored time may be behind before it is written again, in milliseconds. */
const CLOCK_INTERVAL = 10_000;

/**
 * Polls for events when somebody asks, without a timer: some platforms stop an instance between requests. While requests
 * keep coming, nobody waits for a poll.
 */
export function createPolls(
	{ read, write }: Pick<Runner, 'read' | 'write'>,
	{ keys, clock, log, share, monotonicNow }: PollContext,
): SharedStorage['poll'] {
	let startedAt = Number.NEGATIVE_INFINITY;
	let endedAt = Number.NEGATIVE_INFINITY;
	let running: Promise<void> | undefined;
	let unseen: Changed = [];

	async function poll(): Promise<void> {
		const texts = await read((driver) => driver.get([keys.changes, keys.clock]));
		endedAt = monotonicNow();
		if (!texts) return;
		unseen = combine(unseen, log.see(texts.get(keys.changes)));
		const time = Number(/^t-(\d{1,16})$/.exec(texts.get(keys.clock) ?? '')?.[1] ?? 0);
		clock.see(time);
		if (clock.now() - time > CLOCK_INTERVAL) void write((driver) => driver.set([clockItem()]));
		if (log.isWaiting()) void share();
	}
	const clockItem = () => ({ key: keys.clock, value: `t-${Math.round(clock.now())}` });

	return async () => {
		if (monotonicNow() - startedAt >= INTERVAL && !running) {
			startedAt = monotonicNow();
			running = poll().finally(() => {
				running = undefined;
			});
		}
		if (running && monotonicNow() - endedAt >= TOO_OLD) await running;
		const changed = unseen;
		unseen = [];
		return changed;
	};
}

function combine(one: Changed, other: Changed): Changed {
	if (one === 'all' || other === 'all') return 'all';
	return one === 'unsure' || other === 'unsure' ? 'unsure' : [...one, ...other];
}
