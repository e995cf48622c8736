import type { Attachment } from './attachments.js';
import type { Packed } from './pack.js';

/** What the service is asked for of a product: its crawler-readable reviews, or its full review data. */
export type Resource = 'reviews' | 'review-data';

/**
 * What the store keeps about a product: what the service sent, the rating that it sent in a list, and a mark if its
 * reviews changed. About a page, by its address: what it showed.
 */
export type Kind = Resource | 'rating' | 'mark' | 'page';

/** How far the clocks of two machines that share a store may be apart, in milliseconds: a day. */
export const CLOCK_TOLERANCE = 86_400_000;

/** Why a value is there: the service sent it, or it is older and the service failed to send another. */
export type State = 'fetched' | 'stale';

/** What is known of a value without reading it. */
export interface Entry {
	/** Changes exactly when the value does. */
	readonly digest: string;
	/** When the service sent it, or said that it is still current: in milliseconds since 1970. */
	readonly fetchedAt: number;
	readonly state: State;
	/** With what the service can be asked whether it is still current. */
	readonly validators: string | undefined;
	/** What {@link Packed} says of the value. */
	readonly summary: string | undefined;
}

/** The last good value of a product. */
interface Stored<Value> extends Entry {
	readonly pid: string;
	readonly value: Value;
}

/** The values of one kind by product id. */
export interface Table<Value> {
	get(pid: string): Stored<Value> | undefined;
	/** `undefined` where there is no value. */
	entry(pid: string): Entry | undefined;
	/** As {@link Table.entry}, for many at once and by id: a fifth of the time for each. */
	entries(pids: readonly string[]): ReadonlyMap<string, Entry>;
	/** Whether there is no value at all. What another process adds meanwhile does not count. */
	isEmpty(): boolean;
	/** Readable at once; durable with the next {@link ReviewStore.flush}. */
	put(pid: string, packed: Packed, fetchedAt: number, validators?: string): void;
	/** What was made of a value that is there, and with this set. */
	attachment(pid: string, set: string, key: string): Attachment | undefined;
	/**
	 * Keeps what was made of a value that is there, until the value or the set is another one.
	 * @param digest of the value that it was made of.
	 */
	attach(pid: string, digest: string, set: string, key: string, attachment: Attachment): void;
	/** Changes what is known of a value that is there. */
	change(pid: string, change: Partial<Pick<Entry, 'fetchedAt' | 'state'>>): void;
}

/**
 * Keeps the last good values of every product, longer than a build. All operations are synchronous and never throw: a
 * store that cannot be read or written costs speed, never a build.
 */
export interface ReviewStore {
	table<Value>(kind: Kind): Table<Value>;
	/** Writes what is waiting in one transaction. */
	flush(): void;
	/**
	 * Forgets everything that nobody asked for since then, whatever account it is of.
	 * @param since milliseconds since 1970.
	 * @returns how many products' reviews were forgotten.
	 */
	prune(since: number): number;
	/** Flushes and closes. The file is complete in itself then. */
	close(): void;
}
