import type { ChangeLog } from './change-log.js';
import type { Rebuild } from './rebuild.js';

/** Options of {@link createCollector}. Lengths of time are milliseconds. */
export interface CollectorOptions {
	/** Where changes are written down. */
	readonly log: ChangeLog;
	readonly rebuild: Rebuild;
	/** How long nothing more must have come before a rebuild starts. @default 30_000 */
	readonly quiet?: number | undefined;
	/** How long the first change waits at the most while others keep coming. @default 300_000 */
	readonly atMost?: number | undefined;
	/** Pause after a first failed rebuild; it doubles with each. @default 10_000 */
	readonly retryAfter?: number | undefined;
	/** Longest pause after a failed rebuild. @default 600_000 */
	readonly retryAtMost?: number | undefined;
	/** A line for the log. It holds no secret. @default nobody hears it */
	readonly onLog?: ((line: string) => void) | undefined;
	/** @default the machine's */
	readonly clock?: Clock | undefined;
}

/** The time, and a way to wait. */
export interface Clock {
	/** Milliseconds since 1970. */
	now(): number;
	/** @returns what takes it back. */
	after(milliseconds: number, action: () => void): () => void;
}

/** What a collector knows of itself. Times are milliseconds since 1970. */
export interface CollectorStatus {
	/** Products that wait for a rebuild, as far as this receiver counts them. */
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
