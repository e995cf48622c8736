import type { Change } from '../changes/change.js';
import { checkNumber } from '../errors.js';
import { quietly } from '../quietly.js';
import type { Hold, WaitingChanges } from './change-log.js';
import type { Clock, CollectorOptions, CollectorStatus } from './collector-options.js';
import { count, seconds, sentenceOf } from './wording.js';

/** Collects changes, and has the site rebuilt for many of them at once. */
export interface Collector {
	/**
	 * Writes a change down.
	 * @returns whether it is new.
	 * @throws where it could not be written: the sender has to send it again.
	 */
	add(change: Change): Promise<boolean>;
	/** Looks for changes that an earlier process left, and for those of other receivers. */
	start(): Promise<void>;
	status(): Promise<CollectorStatus>;
	/**
	 * Starts no more rebuilds, and waits for the one that runs.
	 * @param patience how long, in milliseconds; then it is ended, and its products stay marked.
	 */
	close(patience: number): Promise<void>;
}

/**
 * Changes are merged until none came for a while, or the first has waited long enough; then one rebuild starts. What comes
 * while it runs causes one more. After a failure everything stays marked, and it is tried again with growing pauses.
 *
 * @throws WebhookConfigurationError for a length of time that is none.
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
	// What is known of the waiting changes without reading the log.
	let span: Span | undefined;

	const plan = () => {
		if (!span || running || isClosed) return;
		nextRebuildAt = Math.max(Math.min(span.lastAt + quiet, span.firstAt + atMost), notBefore);
		// A timer that is early looks again: not every change has to set a new one.
		if (timer && timer.at <= nextRebuildAt) return;
		timer?.cancel();
		const cancel = clock.after(Math.max(0, nextRebuildAt - clock.now()), () => {
			timer = undefined;
			if (clock.now() >= (nextRebuildAt ?? 0)) running = run();
			else plan();
		});
		timer = { at: nextRebuildAt, cancel };
	};
	const refresh = async () => {
		const waiting = await log.waiting();
		// What was written while the log was read is known from add().
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
			// Whether anything waits is not known: that is to be found out.
			span ??= { firstAt: clock.now(), lastAt: clock.now() };
			plan();
		});
	}

	async function rebuildAlone(): Promise<void> {
		const hold = await log.hold?.(onLog);
		if (log.hold && !hold) {
			notBefore = clock.now() + LOOK_AGAIN;
			if (!isWaitingForOther) onLog('Another receiver rebuilds for the same changes; this one waits for it.');
			isWaitingForOther = true;
			return;
		}
		isWaitingForOther = false;
		try {
			// What another receiver has rebuilt by now waits no more.
			const waiting = await log.waiting();
			if (waiting) await rebuildFor(waiting, hold);
		} finally {
			hold?.release();
		}
	}

	async function rebuildFor({ pids, all, upTo }: WaitingChanges, hold: Hold | undefined): Promise<void> {
		const startedAt = clock.now();
		const what = all ? 'all products' : count(pids.length, 'product');
		onLog(`Rebuild for ${what} starts.`);
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
			onLog(`Rebuild for ${what} is done after ${seconds(clock.now() - startedAt)}.`);
		} catch (error) {
			lastRebuild = { ...told, endedAt: clock.now(), error: sentenceOf(error) };
			failed(error);
		}
	}

	function failed(error: unknown): void {
		counts.failures += 1;
		const pause = Math.min(retryAfter * 2 ** failuresInARow++, retryAtMost);
		notBefore = clock.now() + pause;
		if (!isClosed) onLog(`The rebuild failed: ${sentenceOf(error)} It is tried again in ${seconds(pause)}.`);
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
			const cancelPatience = clock.after(patience, () => ending.abort(new Error('The receiver ends.')));
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

/** How often it is looked whether another receiver still rebuilds, in milliseconds. */
const LOOK_AGAIN = 1_000;

/** Timers take a signed number of 32 bits. */
const LONGEST_TIMER = 2_147_483_647;

/** When the first and the last of some changes came. */
type Span = Pick<WaitingChanges, 'firstAt' | 'lastAt'>;

/** Of both; nothing came after now, whatever a clock said when it was written. */
function merged(one: Span | undefined, other: Span, now: number): Span {
	return {
		firstAt: Math.min(one?.firstAt ?? now, other.firstAt, now),
		lastAt: Math.min(Math.max(one?.lastAt ?? 0, other.lastAt), now),
	};
}
