import type { Change } from '../changes/change.js';
import type { CollectorStatus } from './collector-options.js';

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
