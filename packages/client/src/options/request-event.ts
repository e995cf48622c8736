import type { Operation } from '../contract/index.js';

/** One completed request, successful or not. Contains no secrets. */
export interface RequestEvent {
	readonly operation: Operation;
	/** Of HTTP. */
	readonly method: string;
	/** Address without the query string. */
	readonly url: string;
	/** Ids of the requested products. */
	readonly pids: readonly string[];
	/** 1 for the first try of an operation. */
	readonly attempt: number;
	/** Status of the answer; omitted if there was none. */
	readonly status?: number;
	/** From the start of the request to the end of its body, in milliseconds. */
	readonly durationMs: number;
	/** Number of bytes of the body that were read, after decompression. */
	readonly bytes: number;
	/** Why the try failed; omitted if it succeeded. */
	readonly error?: Error;
}
