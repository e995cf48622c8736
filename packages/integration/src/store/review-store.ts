import type { Packed } from './values.js';

/** What can be requested for a product: its crawler-readable reviews, or its full review data. */
export const RESOURCES = ['reviews', 'review-data'] as const;
export type Resource = (typeof RESOURCES)[number];

/** What the service sends of a product: the resources, and the rating that it sends in lists. */
export const SENT_KINDS = [...RESOURCES, 'rating'] as const;

/** Everything kept of a product: also a mark made when its reviews changed. */
export const PRODUCT_KINDS = [...SENT_KINDS, 'mark'] as const;

/** Kinds of values in the store: those of products, those of pages by name, and the output of the last build. */
export type Kind = (typeof PRODUCT_KINDS)[number] | 'page' | 'output';

/** How far apart the clocks of two machines that share a store may be, in milliseconds: a day. */
export const CLOCK_TOLERANCE = 86_400_000;

/** Why a value is there: the service sent it, or it is older and the service failed to send another. */
export type State = 'fetched' | 'stale';

/** What is known of a stored value without reading it. */
export interface StoredEntry {
	/** Changes exactly when the value does. */
	readonly digest: string;
	/** When the service sent it, or said that it is still current, in milliseconds since 1970. */
	readonly fetchedAt: number;
	readonly state: State;
	/** What to send to the service to ask whether the value is still current. */
	readonly validators: string | undefined;
	/** What {@link Packed} says of the value. */
	readonly summary: string | undefined;
}

/** The last good value of a product. */
interface Stored<Value> extends StoredEntry {
	readonly pid: string;
	readonly value: Value;
}

/** The values of one kind, by product id. */
export interface Table<Value> {
	get(pid: string): Stored<Value> | undefined;
	/** `undefined` if there is no value. */
	entry(pid: string): StoredEntry | undefined;
	/** {@link Table.entry} for many ids at once, in a fifth of the time for each. */
	entries(pids: readonly string[]): ReadonlyMap<string, StoredEntry>;
	/** Whether there is no value at all. Values that another process adds in the meantime do not count. */
	isEmpty(): boolean;
	/** Readable at once; durable after the next {@link ReviewStore.flush}. */
	put(pid: string, packed: Packed, fetchedAt: number, validators?: string): void;
	/** Changes what is known of an existing value. */
	change(pid: string, change: Partial<Pick<StoredEntry, 'fetchedAt' | 'state'>>): void;
}

/** What is known of each page, by the page's name, and which products it shows. */
export interface PageTable<Value> {
	get(name: string): Value | undefined;
	/** @param pids the products that the page shows something of. */
	put(name: string, packed: Packed, pids: readonly string[]): void;
	/**
	 * Names of the pages that show one of these products. It may contain some that no longer do.
	 * @throws Error if this cannot be read.
	 */
	showing(pids: readonly string[]): readonly string[];
	/** All products that some page shows. @throws Error if this cannot be read */
	products(): readonly string[];
	/** Deletes all pages but these. */
	keepOnly(names: ReadonlySet<string>): void;
}

/**
 * Keeps the last good values of every product from build to build. All operations are synchronous and never throw: a store
 * that cannot be read or written makes a build slower, but never fails it.
 */
export interface ReviewStore {
	table<Value>(kind: Exclude<Kind, 'page'>): Table<Value>;
	pages<Value>(): PageTable<Value>;
	/** Product ids of all values of a kind. */
	pids(kind: Kind): readonly string[];
	/** Writes everything that is waiting, in one transaction. */
	flush(): void;
	/**
	 * Deletes everything that was not used since then, of all accounts.
	 * @param since milliseconds since 1970.
	 * @returns how many products' reviews were deleted.
	 */
	prune(since: number): number;
	/** Flushes and closes. Afterwards the file is complete on its own, without a log. */
	close(): void;
}
