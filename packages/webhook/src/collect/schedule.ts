import type { WaitingChanges } from './change-log.js';
import type { Clock } from './collector-options.js';
import type { Timing } from './timing.js';

/** When the first and the last of some changes arrived. */
type Span = Pick<WaitingChanges, 'firstAt' | 'lastAt'>;

/** What a schedule starts, and when. */
export interface ScheduleOptions {
	readonly timing: Pick<Timing, 'quiet' | 'atMost'>;
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
export interface Schedule {
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

export function createSchedule({ timing, clock, look, run, onFailure }: ScheduleOptions): Schedule {
	const { quiet, atMost } = timing;
	let span: Span | undefined;
	let timer: { readonly at: number; readonly cancel: () => void } | undefined;
	let nextAt: number | undefined;
	let notBefore = 0;
	let running: Promise<void> | undefined;
	let isClosed = false;

	const plan = () => {
		if (!span || running || isClosed) return;
		nextAt = Math.max(Math.min(span.lastAt + quiet, span.firstAt + atMost), notBefore);
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
			if (quiet === 0) notBefore = 0;
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
