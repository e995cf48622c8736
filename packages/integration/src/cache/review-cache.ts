import type { Packed } from './values.js';

/** What can be requested for a product: its crawler-readable reviews, or its full review data. */
export const RESOURCES = ['reviews', 'review-data'] as const;
export type Resource = (typeof RESOURCES)[number];

/** What the service sends of a product: the resources, and the rating that it sends in lists. */
export const SENT_KINDS = [...RESOURCES, 'rating'] as const;

/** Everything kept of a product: also a mark made when its reviews changed. */
export const PRODUCT_KINDS = [...SENT_KINDS, 'mark'] as const;

/** Kinds of values in the cache: those of products, those of pages and their html by name, and the output of the last build. */
export type Kind = (typeof PRODUCT_KINDS)[number] | 'page' | 'html' | 'output';

/** How far apart the clocks of two machines that share a cache may be, in milliseconds: a day. */
export const CLOCK_TOLERANCE = 86_400_000;

/** Why a value is there: the service sent it, or it is older and the service failed to send another. */
export type State = 'fetched' | 'stale';

export interface StoredEntry {
	readonly digest: string;
	readonly fetchedAt: number;
	readonly state: State;
	readonly validators: string | undefined;
	readonly summary: string | undefined;
}

interface Stored<Value> extends StoredEntry {
	readonly pid: string;
	readonly value: Value;
}

export interface Table<Value> {
	get(pid: string): Stored<Value> | undefined;
	entry(pid: string): StoredEntry | undefined;
	entries(pids: readonly string[]): ReadonlyMap<string, StoredEntry>;
	/** Whether there is no value at all. Values that another process adds in the meantime do not count. */
	isEmpty(): boolean;
	put(pid: string, packed: Packed, fetchedAt: number, validators?: string): void;
	change(pid: string, change: Partial<Pick<StoredEntry, 'fetchedAt' | 'state'>>): void;
}

export interface PageTable<Value> {
	get(name: string): Value | undefined;
	put(name: string, packed: Packed, pids: readonly string[]): void;
	/** The html of a page's fragments, as text. */
	html(name: string): string | undefined;
	putHtml(name: string, text: string): void;
	/** Names of the pages that show one of these products. It may contain some that no longer do. */
	showing(pids: readonly string[]): readonly string[];
	products(): readonly string[];
	keepOnly(names: ReadonlySet<string>): void;
}
