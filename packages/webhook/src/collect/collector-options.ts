import type { ChangeLog } from './change-log.js';
import type { Rebuild } from './rebuild.js';

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
	readonly quiet?: number | undefined;
	/** Longest time the first change waits while others keep arriving. @default 300_000 */
	readonly atMost?: number | undefined;
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
