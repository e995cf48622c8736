import type { Change } from '../changes/change.js';
import { checkNumber } from '../errors.js';
import type { ChangeLog } from './change-log.js';
import type { Rebuild } from './rebuild.js';

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

/** When to rebuild, in milliseconds; see the options of the collector. */
export interface Timing {
	readonly debounce: number;
	readonly maxWait: number;
	readonly retryAfter: number;
	readonly retryAtMost: number;
}

/**
 * Fills in the defaults.
 * @throws WebhookConfigurationError for an invalid duration.
 */
export function readTiming(options: Pick<CollectorOptions, keyof Timing>): Timing {
	const { debounce = 30_000, maxWait = 300_000, retryAfter = 10_000, retryAtMost = 600_000 } = options;
	const timing = { debounce, maxWait, retryAfter, retryAtMost };
	for (const [name, value] of Object.entries(timing)) checkNumber(name, value, 0);
	return timing;
}

/** Pause after a failed attempt, in milliseconds. @param attempt counts from 1 until one succeeds. */
export function pauseAfter({ retryAfter, retryAtMost }: Timing, attempt: number): number {
	return Math.min(retryAfter * 2 ** (attempt - 1), retryAtMost);
}

/** Options of {@link createCollector}. Durations are in milliseconds. */
export interface CollectorOptions {
	/** Where changes are recorded. */
	readonly log: ChangeLog;
	readonly rebuild: Rebuild;
	/**
	 * How long to wait for further changes before a rebuild starts. With 0, the first change starts it at once, even
	 * during the pause after a failure. What arrives during a rebuild still causes only one more.
	 * @default 30_000
	 */
	readonly debounce?: number | undefined;
	/** Longest time the first change waits while others keep arriving. @default 300_000 */
	readonly maxWait?: number | undefined;
	/** Pause after the first failed rebuild; it doubles with each further failure. @default 10_000 */
	readonly retryAfter?: number | undefined;
	/** Longest pause after a failed rebuild. @default 600_000 */
	readonly retryAtMost?: number | undefined;
	/** Called with each log line. Lines never contain a secret. @default nothing is logged */
	readonly onLog?: ((line: string) => void) | undefined;
	/** @default the system clock */
	readonly clock?: Clock | undefined;
}

/** A clock with timers. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** @returns a function that cancels the timer. */
	after(milliseconds: number, action: () => void): () => void;
}

/** Status of a collector. Times are in milliseconds since 1970. */
export interface CollectorStatus {
	/** Products waiting for a rebuild, as counted by this receiver. */
	readonly waiting: { readonly products: number; readonly all: boolean };
	readonly isRebuilding: boolean;
	readonly nextRebuildAt: number | undefined;
	readonly lastRebuild:
		| {
				readonly startedAt: number;
				readonly endedAt: number;
				readonly products: number;
				readonly all: boolean;
				readonly error?: string;
		  }
		| undefined;
	readonly counts: { readonly changes: number; readonly rebuilds: number; readonly failures: number };
}
