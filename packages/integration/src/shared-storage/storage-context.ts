import type { Driver } from 'unstorage';

/** What a shared storage works with. */
export interface StorageContext {
	/**
	 * Creates the driver. Called once, when something is first read or written.
	 * @throws Error if the driver's configuration lacks something.
	 */
	readonly open: () => Driver;
	/** Account at the service: see `accountOf`. */
	readonly account: string;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Monotonic clock, in milliseconds. */
	readonly monotonicNow: () => number;
	/** Calls back after a delay, in milliseconds. @returns a function that cancels it. */
	readonly schedule: (callback: () => void, milliseconds: number) => () => void;
	/** Called at most once a minute. The message contains no secret. */
	readonly warn: (message: string) => void;
	/** How long to wait for what is read, in milliseconds. @default 100 */
	readonly patience?: number | undefined;
	/**
	 * Whether to wait that long for each answer of a driver that needs a request for each key, and not for all of them.
	 * @default false
	 */
	readonly waitsForEach?: boolean | undefined;
}
