import { quietly } from '../errors.js';
import type { ChangeLog, Hold, WaitingChanges } from './change-log.js';
import {
	type Clock,
	type Collector,
	type CollectorOptions,
	pauseAfter,
	readTiming,
	type Timing,
} from './collector.js';
import { type RebuildOutcome, runRebuild, seconds, sentenceOf } from './rebuild.js';

/**
 * Merges changes until none has arrived for a while, or the first has waited long enough, and then starts one rebuild.
 * Changes that arrive during a rebuild cause one more. After a failure, all products stay marked and the rebuild is
 * retried with growing pauses.
 *
 * @throws WebhookConfigurationError for an invalid duration.
 */
export function createCollector(options: CollectorOptions): Collector {
	const { log, clock = systemClock } = options;
	const timing = readTiming(options);
	const readLog = createLogReader(options);
	const rebuilder = createRebuilder({ ...options, readLog }, timing, () => clock.now());
	const schedule = createSchedule({
		timing,
		clock,
		look: readLog,
		run: rebuilder.run,
		onFailure: rebuilder.failed,
	});
	let changes = 0;
	return {
		async add(change) {
			const isNew = await log.record(change);
			if (!isNew) return false;
			changes += 1;
			schedule.add({ firstAt: change.receivedAt, lastAt: change.receivedAt });
			return true;
		},
		start: schedule.look,
		async status() {
			return {
				waiting: await log.count(),
				isRebuilding: schedule.running() !== undefined,
				nextRebuildAt: schedule.nextAt(),
				lastRebuild: rebuilder.last(),
				counts: { changes, ...rebuilder.counts },
			};
		},
		async close(patience) {
			schedule.close();
			rebuilder.close();
			const cancelPatience = clock.after(patience, rebuilder.abort);
			await schedule.running();
			cancelPatience();
			await log.close();
		},
	};
}

/** The clock of the system. */
const systemClock: Clock = {
	now: Date.now,
	after(milliseconds, action) {
		const timer = setTimeout(action, Math.min(milliseconds, LONGEST_TIMER));
		return () => clearTimeout(timer);
	},
};

/** Timers take a signed 32-bit number. */
const LONGEST_TIMER = 2_147_483_647;

/** Returns a function that reads what is waiting, and says if anything of it was damaged. */
function createLogReader({
	log,
	onLog: given,
}: Pick<CollectorOptions, 'log' | 'onLog'>): ChangeLog['waiting'] {
	const onLog = quietly(given);
	return async () => {
		const waiting = await log.waiting();
		const damage = log.damage?.();
		if (damage !== undefined) onLog(damage);
		return waiting;
	};
}

/** How often to check whether another receiver is still rebuilding, in milliseconds. */
const LOOK_AGAIN = 1_000;

/** Rebuilds for what is waiting, and keeps count. */
interface Rebuilder {
	/** Rebuilds, unless another receiver does. @returns the pause before the next attempt, in milliseconds. */
	run(): Promise<number>;
	/** Counts and logs a failure. @returns the pause before the next attempt, in milliseconds. */
	failed(error: unknown): number;
	last(): RebuildOutcome | undefined;
	/** From now on, nothing is retried. */
	close(): void;
	/** Ends a running rebuild. */
	abort(): void;
	readonly counts: { readonly rebuilds: number; readonly failures: number };
}

/** @param now milliseconds since 1970. */
function createRebuilder(
	options: Pick<CollectorOptions, 'log' | 'rebuild' | 'onLog'> & { readonly readLog: ChangeLog['waiting'] },
	timing: Timing,
	now: () => number,
): Rebuilder {
	const { log, rebuild, readLog } = options;
	const onLog = quietly(options.onLog);
	const ending = new AbortController();
	const counts = { rebuilds: 0, failures: 0 };
	let last: RebuildOutcome | undefined;
	let failuresInARow = 0;
	let isWaitingForOther = false;
	let isClosed = false;

	const failed = (error: unknown) => {
		counts.failures += 1;
		const pause = pauseAfter(timing, ++failuresInARow);
		if (!isClosed) onLog(`Rebuild failed: ${sentenceOf(error)} Retrying in ${seconds(pause)}.`);
		return pause;
	};
	const rebuildWaiting = async (hold: Hold | undefined) => {
		// Another receiver may have rebuilt these changes by now.
		const waiting = await readLog();
		if (!waiting) return 0;
		const { signal } = ending;
		last = await runRebuild({ rebuild, log, waiting, signal, onLog, started: hold?.started, now });
		if (last.error !== undefined) return failed(last.error);
		counts.rebuilds += 1;
		failuresInARow = 0;
		return 0;
	};
	return {
		async run() {
			try {
				const pause = await takeTurn(log, onLog, rebuildWaiting);
				if (pause === undefined && !isWaitingForOther) {
					onLog('Another receiver is rebuilding for the same changes; waiting for it.');
				}
				isWaitingForOther = pause === undefined;
				return pause ?? LOOK_AGAIN;
			} catch (error) {
				return failed(error);
			}
		},
		failed,
		last: () => last,
		close() {
			isClosed = true;
		},
		abort: () => ending.abort(new Error('The receiver is shutting down.')),
		counts,
	};
}

/**
 * Runs an action while no other receiver that shares the log rebuilds.
 * @returns what the action returned; `undefined` if another receiver rebuilds, and the action was not run.
 */
async function takeTurn<Result>(
	log: Pick<ChangeLog, 'hold'>,
	onLog: (line: string) => void,
	action: (hold: Hold | undefined) => Promise<Result>,
): Promise<Result | undefined> {
	const hold = await log.hold?.(onLog);
	if (log.hold && !hold) return undefined;
	try {
		return await action(hold);
	} finally {
		hold?.release();
	}
}

/** When the first and the last of some changes arrived. */
type Span = Pick<WaitingChanges, 'firstAt' | 'lastAt'>;

/** What a schedule starts, and when. */
interface ScheduleOptions {
	readonly timing: Pick<Timing, 'debounce' | 'maxWait'>;
	readonly clock: Clock;
	/** Finds out what is waiting. */
	readonly look: () => Promise<Span | undefined>;
	/**
	 * Called when the waiting changes are due, never twice at a time. Must not reject.
	 * @returns the pause before the next run, in milliseconds.
	 */
	readonly run: () => Promise<number>;
	/** Called if `look` fails after a run. @returns the pause before the next run, in milliseconds. */
	readonly onFailure: (error: unknown) => number;
}

/** Decides when to rebuild. */
interface Schedule {
	/** Looks for changes that were recorded by others. */
	look(): Promise<void>;
	/** Takes changes into account, without reading the log. */
	add(span: Span): void;
	/** When the next run is due; `undefined` if nothing is waiting, or during a run. */
	nextAt(): number | undefined;
	/** The current run. */
	running(): Promise<void> | undefined;
	/** Starts no more runs. */
	close(): void;
}

function createSchedule({ timing, clock, look, run, onFailure }: ScheduleOptions): Schedule {
	const { debounce, maxWait } = timing;
	let span: Span | undefined;
	let timer: { readonly at: number; readonly cancel: () => void } | undefined;
	let nextAt: number | undefined;
	let notBefore = 0;
	let running: Promise<void> | undefined;
	let isClosed = false;

	const plan = () => {
		if (!span || running || isClosed) return;
		nextAt = Math.max(Math.min(span.lastAt + debounce, span.firstAt + maxWait), notBefore);
		// A timer that fires early checks again, so a change rarely needs a new one.
		if (timer && timer.at <= nextAt) return;
		timer?.cancel();
		const cancel = clock.after(Math.max(0, nextAt - clock.now()), () => {
			timer = undefined;
			if (clock.now() >= (nextAt ?? 0)) running = start();
			else plan();
		});
		timer = { at: nextAt, cancel };
	};
	const start = async () => {
		nextAt = span = undefined;
		const pause = await run();
		notBefore = clock.now() + pause;
		running = undefined;
		refresh().catch((error) => {
			notBefore = clock.now() + onFailure(error);
			// The log could not be read, so assume that something is waiting and look again.
			span ??= { firstAt: clock.now(), lastAt: clock.now() };
			plan();
		});
	};
	const refresh = async () => {
		const waiting = await look();
		// Changes recorded during the read are already in `span`, thanks to add().
		if (waiting) span = merged(span, waiting, clock.now());
		plan();
	};

	return {
		look: refresh,
		add(more) {
			// What is new need not wait for what failed, unless it waits anyway.
			if (debounce === 0) notBefore = 0;
			span = merged(span, more, clock.now());
			plan();
		},
		nextAt: () => nextAt,
		running: () => running,
		close() {
			isClosed = true;
			timer?.cancel();
		},
	};
}

/** Merges two spans. No time is later than `now`, even if the clock was ahead when it was recorded. */
function merged(one: Span | undefined, other: Span, now: number): Span {
	return {
		firstAt: Math.min(one?.firstAt ?? now, other.firstAt, now),
		lastAt: Math.min(Math.max(one?.lastAt ?? 0, other.lastAt), now),
	};
}
