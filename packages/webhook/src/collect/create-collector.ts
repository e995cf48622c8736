import type { Change } from '../changes/change.js';
import { checkNumber } from '../errors.js';
import { quietly } from '../quietly.js';
import type { Hold, WaitingChanges } from './change-log.js';
import type { Clock, CollectorOptions, CollectorStatus } from './collector-options.js';
import { count, seconds, sentenceOf } from './wording.js';

/** Collects changes and rebuilds the site once for many of them. */
export interface Collector {
	/**
	 * Records a change.
	 * @returns whether it is new.
	 * @throws if it could not be written: the sender must send it again.
	 */
	add(change: Change): Promise<boolean>;
	/** Picks up changes left by an earlier process or recorded by other receivers. */
	start(): Promise<void>;
	status(): Promise<CollectorStatus>;
	/**
	 * Starts no more rebuilds, and waits for a running one.
	 * @param patience how long to wait, in milliseconds. After that the rebuild is ended and its products stay marked.
	 */
	close(patience: number): Promise<void>;
}

/**
 * Merges changes until none has arrived for a while, or the first has waited long enough, and then starts one rebuild.
 * Changes that arrive during a rebuild cause one more. After a failure, all products stay marked and the rebuild is
 * retried with growing pauses.
 *
 * @throws WebhookConfigurationError for an invalid duration.
 */
export function createCollector(options: CollectorOptions): Collector {
	const {
		log,
		rebuild,
		quiet = 30_000,
		atMost = 300_000,
		retryAfter = 10_000,
		retryAtMost = 600_000,
	} = options;
	for (const [name, value] of Object.entries({ quiet, atMost, retryAfter, retryAtMost })) {
		checkNumber(name, value, 0);
	}
	const { clock = systemClock } = options;
	const onLog = quietly(options.onLog);
	const counts = { changes: 0, rebuilds: 0, failures: 0 };
	const ending = new AbortController();
	let timer: { readonly at: number; readonly cancel: () => void } | undefined;
	let nextRebuildAt: number | undefined;
	let failuresInARow = 0;
	let notBefore = 0;
	let running: Promise<void> | undefined;
	let lastRebuild: CollectorStatus['lastRebuild'];
	let isClosed = false;
	let isWaitingForOther = false;
	// Known without reading the log.
	let span: Span | undefined;

	const plan = () => {
		if (!span || running || isClosed) return;
		nextRebuildAt = Math.max(Math.min(span.lastAt + quiet, span.firstAt + atMost), notBefore);
		// A timer that fires early checks again, so a change rarely needs a new one.
		if (timer && timer.at <= nextRebuildAt) return;
		timer?.cancel();
		const cancel = clock.after(Math.max(0, nextRebuildAt - clock.now()), () => {
			timer = undefined;
			if (clock.now() >= (nextRebuildAt ?? 0)) running = run();
			else plan();
		});
		timer = { at: nextRebuildAt, cancel };
	};
	const readLog = async () => {
		const waiting = await log.waiting();
		const damage = log.damage?.();
		if (damage !== undefined) onLog(damage);
		return waiting;
	};
	const refresh = async () => {
		const waiting = await readLog();
		// Changes recorded during the read are already in `span`, thanks to add().
		if (waiting) span = merged(span, waiting, clock.now());
		plan();
	};

	async function run(): Promise<void> {
		nextRebuildAt = span = undefined;
		try {
			await rebuildAlone();
		} catch (error) {
			failed(error);
		}
		running = undefined;
		await refresh().catch((error) => {
			failed(error);
			// The log could not be read, so assume that something is waiting and look again.
			span ??= { firstAt: clock.now(), lastAt: clock.now() };
			plan();
		});
	}

	async function rebuildAlone(): Promise<void> {
		const hold = await log.hold?.(onLog);
		if (log.hold && !hold) {
			notBefore = clock.now() + LOOK_AGAIN;
			if (!isWaitingForOther) onLog('Another receiver is rebuilding for the same changes; waiting for it.');
			isWaitingForOther = true;
			return;
		}
		isWaitingForOther = false;
		try {
			// Another receiver may have rebuilt these changes by now.
			const waiting = await readLog();
			if (waiting) await rebuildFor(waiting, hold);
		} finally {
			hold?.release();
		}
	}

	async function rebuildFor({ pids, all, upTo }: WaitingChanges, hold: Hold | undefined): Promise<void> {
		const startedAt = clock.now();
		const what = all ? 'all products' : count(pids.length, 'product');
		onLog(`Rebuild for ${what} started.`);
		const told = { startedAt, products: pids.length, all };
		try {
			await rebuild({
				pids: all ? [] : pids,
				all,
				signal: ending.signal,
				log: onLog,
				started: hold?.started,
			});
			await log.settle(upTo, startedAt);
			counts.rebuilds += 1;
			failuresInARow = notBefore = 0;
			lastRebuild = { ...told, endedAt: clock.now() };
			onLog(`Rebuild for ${what} finished in ${seconds(clock.now() - startedAt)}.`);
		} catch (error) {
			lastRebuild = { ...told, endedAt: clock.now(), error: sentenceOf(error) };
			failed(error);
		}
	}

	function failed(error: unknown): void {
		counts.failures += 1;
		const pause = Math.min(retryAfter * 2 ** failuresInARow++, retryAtMost);
		notBefore = clock.now() + pause;
		if (!isClosed) onLog(`Rebuild failed: ${sentenceOf(error)} Retrying in ${seconds(pause)}.`);
	}

	return {
		async add(change) {
			const isNew = await log.record(change);
			if (!isNew) return false;
			counts.changes += 1;
			const { receivedAt } = change;
			span = merged(span, { firstAt: receivedAt, lastAt: receivedAt }, clock.now());
			plan();
			return true;
		},
		start: refresh,
		async status() {
			return {
				waiting: await log.count(),
				isRebuilding: running !== undefined,
				nextRebuildAt,
				lastRebuild,
				counts: { ...counts },
			};
		},
		async close(patience) {
			isClosed = true;
			timer?.cancel();
			const cancelPatience = clock.after(patience, () =>
				ending.abort(new Error('The receiver is shutting down.')),
			);
			await running;
			cancelPatience();
			await log.close();
		},
	};
}

const systemClock: Clock = {
	now: Date.now,
	after(milliseconds, action) {
		const timer = setTimeout(action, Math.min(milliseconds, LONGEST_TIMER));
		return () => clearTimeout(timer);
	},
};

/** How often to check whether another receiver is still rebuilding, in milliseconds. */
const LOOK_AGAIN = 1_000;

/** Timers take a signed 32-bit number. */
const LONGEST_TIMER = 2_147_483_647;

/** When the first and the last of some changes arrived. */
type Span = Pick<WaitingChanges, 'firstAt' | 'lastAt'>;

/** Merges two spans. No time is later than `now`, even if the clock was ahead when it was recorded. */
function merged(one: Span | undefined, other: Span, now: number): Span {
	return {
		firstAt: Math.min(one?.firstAt ?? now, other.firstAt, now),
		lastAt: Math.min(Math.max(one?.lastAt ?? 0, other.lastAt), now),
	};
}
