import type { Change } from '../changes/change.js';

/** What waits to be rebuilt. */
export interface WaitingChanges {
	readonly pids: readonly string[];
	/** Anything may have changed. */
	readonly all: boolean;
	/** When the first and the last of it came, in milliseconds since 1970. */
	readonly firstAt: number;
	readonly lastAt: number;
	/** How far this reads: {@link ChangeLog.settle} takes it. */
	readonly upTo: number;
}

/** How much waits to be rebuilt. */
export interface WaitingCount {
	readonly products: number;
	/** Anything may have changed. */
	readonly all: boolean;
}

/** The right to rebuild, until it is released. */
export interface Hold {
	/** A process runs for the rebuild: should this one be killed, the next to rebuild ends it first. */
	started(pid: number): void;
	release(): void;
}

/**
 * Holds what changed until it is rebuilt. Several changes of one product are one. What it says is written stays, whatever
 * becomes of the process.
 */
export interface ChangeLog {
	/**
	 * Writes a change down.
	 * @returns whether it is new: an event of the same id may have been written before.
	 * @throws where it could not be written.
	 */
	record(change: Change): Promise<boolean>;
	/** `undefined` where nothing waits. */
	waiting(): Promise<WaitingChanges | undefined>;
	/** How much waits, without reading which products: it is asked for often, and many may wait. */
	count(): Promise<WaitingCount>;
	/**
	 * Forgets what was rebuilt, but for what came in the meantime.
	 * @param upTo of the changes that were rebuilt.
	 * @param startedAt when their rebuild began, in milliseconds since 1970.
	 */
	settle(upTo: number, startedAt: number): Promise<void>;
	/**
	 * Keeps other receivers of the same changes from rebuilding meanwhile. Left out where nobody else has them.
	 * @returns `undefined` where another one rebuilds.
	 */
	hold?(log: (line: string) => void): Promise<Hold | undefined>;
	close(): Promise<void>;
}
