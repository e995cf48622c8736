import { messageOf } from '../errors.js';
import type { ChangeLog, Hold, WaitingChanges } from './change-log.js';
import type { CollectorStatus } from './collector.js';

/** What to rebuild. */
export interface RebuildRequest {
	/** Products that changed; empty if `all` is set. */
	readonly pids: readonly string[];
	/** Anything may have changed: check everything. */
	readonly all: boolean;
	/** Ends the rebuild. */
	readonly signal: AbortSignal;
	/** Writes a log line. */
	readonly log: (line: string) => void;
	/** Call this with the id of a process group leader started for the rebuild: it outlives a receiver that is killed. */
	readonly started?: ((pid: number) => void) | undefined;
}

/**
 * Rebuilds the site, or triggers a rebuild elsewhere. Resolves when the rebuild is done, or was reliably handed over.
 * @throws Error that states what went wrong. The products stay marked and the rebuild is retried.
 */
export type Rebuild = (request: RebuildRequest) => Promise<void>;

/** The message of an error, as a sentence, with its code. */
export function sentenceOf(error: unknown): string {
	const message = messageOf(error);
	return /[.!?\]]$/.test(message) ? message : `${message}.`;
}

/** `1 product`, `1,200 products` */
export function count(value: number, noun: string): string {
	return `${value.toLocaleString('en')} ${noun}${value === 1 ? '' : 's'}`;
}

/** `12.3 s` */
export function seconds(milliseconds: number): string {
	return `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Options of {@link runRebuild}. */
export interface RunRebuildOptions {
	readonly rebuild: Rebuild;
	readonly log: Pick<ChangeLog, 'settle'>;
	/** The changes to rebuild. */
	readonly waiting: WaitingChanges;
	/** When they were read, by the clock of the log. @default now */
	readonly readAt?: number | undefined;
	/** Ends the rebuild. */
	readonly signal: AbortSignal;
	readonly onLog: (line: string) => void;
	readonly started?: Hold['started'] | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}

/** Outcome of a rebuild. */
export type RebuildOutcome = NonNullable<CollectorStatus['lastRebuild']>;

/**
 * Rebuilds for the waiting changes and then removes them.
 * @returns the outcome; if it has an error, the changes are still waiting.
 */
export async function runRebuild(options: RunRebuildOptions): Promise<RebuildOutcome> {
	const { rebuild, log, waiting, signal, onLog, started, now = Date.now } = options;
	const { pids, all, upTo } = waiting;
	const startedAt = now();
	const what = all ? 'all products' : count(pids.length, 'product');
	const told = { startedAt, products: pids.length, all };
	onLog(`Rebuild for ${what} started.`);
	try {
		await rebuild({ pids: all ? [] : pids, all, signal, log: onLog, started });
		await log.settle(upTo, options.readAt ?? startedAt);
		onLog(`Rebuild for ${what} finished in ${seconds(now() - startedAt)}.`);
		return { ...told, endedAt: now() };
	} catch (error) {
		// The reason for ending it is more useful than the error that this caused.
		return { ...told, endedAt: now(), error: sentenceOf(signal.aborted ? signal.reason : error) };
	}
}
