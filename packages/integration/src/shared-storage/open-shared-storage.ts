import { createEventLog, type EventLog } from './create-event-log.js';
import { createRunner, type Runner } from './create-runner.js';
import {
	type Changed,
	createKeys,
	LOCK_TIME,
	type SharedEntry,
	type SharedKind,
	type SharedRead,
	type SharedStorage,
	type SharedValues,
	type Stamp,
	type StorageContext,
	type StorageKeys,
} from './shared-storage.js';
import { readAnswer, type StoredAnswer, writeAnswer } from './stored-answer.js';

/** Opens the storage that instances and builders share. There is no connection before it is first used. */
export function openSharedStorage(context: StorageContext): SharedStorage {
	const { account } = context;
	const keys = createKeys(account);
	const clock = createSharedClock(context);
	const log = createEventLog(context, keys);
	const runner = createRunner(context);
	const share = () => runner.write(log.share);

	async function read<Kind extends SharedKind>(kind: Kind, pids: readonly string[]) {
		const wanted = pids.flatMap((pid) => [keys.mark(pid), keys.value(kind, pid)]);
		const texts = await runner.read((driver, onAnswer) => driver.get([keys.changes, ...wanted], onAnswer));
		const found = new Map<string, SharedRead<SharedValues[Kind]>>();
		if (!texts) return found;
		const stampOf = log.stamps(texts.get(keys.changes));
		for (const pid of pids) {
			const stamp = stampOf(pid, texts.get(keys.mark(pid)));
			const answer = readAnswer(texts.get(keys.value(kind, pid)), { account, kind, pid }, clock.latest());
			if (answer) clock.see(answer.fetchedAt);
			found.set(pid, { stamp, entry: answer && toEntry(answer, stamp) });
		}
		return found;
	}

	return {
		read,
		async write(entries) {
			const items = entries.flatMap((entry) => {
				const value = writeAnswer(account, entry);
				return value === undefined
					? []
					: [{ key: keys.value(entry.kind, entry.pid), value, isTransient: entry.isTransient }];
			});
			return items.length === 0 || runner.write((driver, onAnswer) => driver.set(items, onAnswer));
		},
		async outdate(pids) {
			log.add(pids);
			while (await runner.insist(log.share)) if (!log.isWaiting()) return true;
			return false;
		},
		poll: createPolls(runner, { keys, clock, log, share, monotonicNow: context.monotonicNow }),
		lock: createLock(runner, keys, context),
		now: clock.now,
		close: runner.close,
	};
}

function toEntry<Value>({ stamp, ...answer }: StoredAnswer<Value>, latest: Stamp): SharedEntry<Value> {
	const isBehind = (of: keyof Stamp) => latest[of] !== undefined && latest[of] !== stamp[of];
	return { ...answer, isOutdated: isBehind('product') || isBehind('all') };
}

/** Locks are released at the end of a request; those of an instance that died end by themselves. */
function createLock(
	{ read, write }: Pick<Runner, 'read' | 'write'>,
	keys: Pick<StorageKeys, 'lock'>,
	{ monotonicNow }: Pick<StorageContext, 'monotonicNow'>,
): SharedStorage['lock'] {
	return async (kind, pid, time = LOCK_TIME) => {
		const key = keys.lock(kind, pid);
		const lockedAt = monotonicNow();
		const isSet = await read(async ({ setIfAbsent }) => (await setIfAbsent(key, time)) ?? 'unsupported');
		if (isSet === false) return 'taken';
		return async () => {
			// After that time, the lock may be that of another instance.
			if (isSet === true && monotonicNow() - lockedAt < time) {
				await write((driver) => driver.remove(key));
			}
		};
	};
}

/** What polls work with. */
interface PollContext {
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
function createPolls(
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

/** A clock that all instances keep together: none of them is behind what it has read. Milliseconds since 1970. */
interface SharedClock {
	now(): number;
	/** Reads a time that another instance wrote. */
	see(time: number): void;
	/** The latest time of another instance that is believed. */
	latest(): number;
}

/** How far the clock of another instance may be ahead, in milliseconds: a day. */
const MOST_AHEAD = 86_400_000;

/**
 * Every instance follows the one whose clock is furthest ahead, as hybrid logical clocks do. Otherwise an instance whose
 * clock is behind would take an old answer for a fresh one.
 */
function createSharedClock({ now }: Pick<StorageContext, 'now'>): SharedClock {
	let lead = 0;
	const latest = () => now() + MOST_AHEAD;
	return {
		now: () => now() + lead,
		see(time) {
			if (time <= latest()) lead = Math.max(lead, time - now());
		},
		latest,
	};
}
