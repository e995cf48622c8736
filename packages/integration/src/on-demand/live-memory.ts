import type { Freshness } from '../runtime/source.js';
import type { LiveSharing } from './live-sharing.js';

/** The service's answer; `'unchanged'` if the remembered value is current. */
type LiveAnswer<Value, Known> = { readonly value: Value; readonly known?: Known } | 'unchanged';

/** Context of a memory. Durations are in milliseconds. */
export interface LiveMemoryContext<Value, Known> {
	/** Asks the service. @param known what came with the remembered value. */
	readonly ask: (pid: string, known: Known | undefined) => Promise<LiveAnswer<Value, Known>>;
	/** Whether a value contains nothing to show. */
	readonly isEmpty: (value: Value) => boolean;
	/** Whether the service is known to have something of a product. Anybody can make up an id. */
	readonly isKnown: (pid: string) => boolean;
	/** What all instances share. @default nothing */
	readonly sharing?: LiveSharing<Value> | undefined;
	/** How long a value is shown before it is fetched again. */
	readonly fresh: number;
	/** Up to which age a value is shown while it is fetched again. */
	readonly stale: number;
	/** Up to which age a value is shown if the service fails or takes too long. */
	readonly maxStale: number;
	/** How long a page waits, from the start of a request. */
	readonly timeLimit: number;
	/** Most products with something to show to remember, and most requests at once. */
	readonly most: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Monotonic clock, in milliseconds, for measuring ages. */
	readonly monotonicNow: () => number;
	/** Calls back after a delay. @returns a function that cancels it. */
	readonly schedule: (callback: () => void, milliseconds: number) => () => void;
	readonly onFailure: (pid: string, error: unknown) => void;
	/** Called with products that had something to show, and for which an empty answer is not believed: they are too many. */
	readonly onVanished: (lost: ReadonlySet<string>, products: number) => void;
}

/** The values of products at request time. Each has at most one request in flight, however many pages ask. */
export interface LiveMemory<Value> {
	/** `undefined` if there is none in time. */
	load(pid: string): Promise<Value | undefined>;
	/** What {@link LiveMemory.load} would return without a request. */
	peek(pid: string): Value | undefined;
	/** Freshness of the last value. */
	freshness(pid: string): Freshness;
	/** Whether a value with something to show is remembered. */
	has(pid: string): boolean;
	/** Whether a product is being looked up or requested. */
	isAsked(pid: string): boolean;
	/** Makes a product count as outdated until it is fetched again. */
	forget(pid: string): void;
	forgetAll(): void;
	/** Makes every product be looked up in what instances share. */
	doubtAll(): void;
}
