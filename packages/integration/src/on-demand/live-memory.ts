import type { Freshness } from '../runtime/source.js';

/** What the service answered; `'unchanged'` where it says that what is remembered is current. */
type LiveAnswer<Value, Known> = { readonly value: Value; readonly known?: Known } | 'unchanged';

/** What a memory works with. Lengths of time are milliseconds. */
export interface LiveMemoryContext<Value, Known> {
	/** Asks the service. @param known what came with the value that is remembered. */
	readonly ask: (pid: string, known: Known | undefined) => Promise<LiveAnswer<Value, Known>>;
	/** Whether there is nothing to show in a value. */
	readonly isEmpty: (value: Value) => boolean;
	/** Whether the service is known to have something of a product: anybody can make up an id. */
	readonly isKnown: (pid: string) => boolean;
	/** How long a value is shown before it is asked for again. */
	readonly fresh: number;
	/** How old a value may be that is shown while it is asked for again. */
	readonly stale: number;
	/** How old a value may be that is shown because the service fails or takes too long. */
	readonly maxStale: number;
	/** How long a page waits, from the start of a request. */
	readonly timeLimit: number;
	/** Products with something to show that are remembered; as many may be asked for at once. */
	readonly most: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Milliseconds of a clock that is never set: ages are measured with it. */
	readonly monotonicNow: () => number;
	/** Calls back after a time. @returns what calls it off. */
	readonly schedule: (callback: () => void, milliseconds: number) => () => void;
	readonly onFailure: (pid: string, error: unknown) => void;
}

/** The values of products at request time: one request at once for each, however many pages ask. */
export interface LiveMemory<Value> {
	/** `undefined` where there is none in time. */
	load(pid: string): Promise<Value | undefined>;
	/** What {@link LiveMemory.load} would give without a request. */
	peek(pid: string): Value | undefined;
	/** Freshness of the last value. */
	freshness(pid: string): Freshness;
	/** Whether a value with something to show is remembered. */
	has(pid: string): boolean;
	/** Whether the service is being asked for a product. */
	isAsked(pid: string): boolean;
	/** Has a product asked for again before it counts as fresh. */
	forget(pid: string): void;
	forgetAll(): void;
}
