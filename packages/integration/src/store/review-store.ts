import type { Packed } from './pack.js';

/** What the service is asked for of a product: its crawler-readable reviews, or its full review data. */
export type Resource = 'reviews' | 'review-data';

/**
 * What the store keeps of a product: what the service sent, what was last known of its ratings, and a mark where its
 * reviews changed. Of a page, by its address: what it showed.
 */
export type Kind = Resource | 'rating' | 'mark' | 'page';

/** How far the clocks of two machines that share a store may be apart, in milliseconds: a day. */
export const CLOCK_TOLERANCE = 86_400_000;

/** The last good value of a product. */
export interface Stored<Value> {
	readonly pid: string;
	readonly value: Value;
	/** Changes exactly when the value does. */
	readonly digest: string;
	/** When the service sent it, in milliseconds since 1970. */
	readonly fetchedAt: number;
}

/** The values of one kind by product id. */
export interface Table<Value> {
	get(pid: string): Stored<Value> | undefined;
	/** When the value of a product was fetched, without reading it; `undefined` where there is none. */
	fetchedAt(pid: string): number | undefined;
	/** The digest of the value of a product, without reading it. */
	digest(pid: string): string | undefined;
	/** Readable at once; durable with the next {@link ReviewStore.flush}. */
	put(pid: string, packed: Packed, fetchedAt: number): void;
}

/**
 * Keeps the last good values of every product, longer than a build. All operations are synchronous and never throw: a
 * store that cannot be read or written costs speed, never a build.
 */
export interface ReviewStore {
	table<Value>(kind: Kind): Table<Value>;
	/** Writes what is waiting in one transaction. */
	flush(): void;
	/** Flushes and closes. The file is complete in itself then. */
	close(): void;
}
