import type { Operation } from '../contract/index.js';

/** One request that has ended, well or badly. Holds no secret. */
export interface RequestEvent {
	readonly operation: Operation;
	/** Ids of the products that were asked for. */
	readonly pids: readonly string[];
	/** 1 for the first try of an operation. */
	readonly attempt: number;
	/** Status of the answer; left out where none came. */
	readonly status?: number;
	/** From the start of the request to the end of its body, in milliseconds. */
	readonly durationMs: number;
	/** Length of the body as far as it was read, after decompression. */
	readonly bytes: number;
	/** Why the try failed; left out where it did not. */
	readonly error?: Error;
}
