import type { Packed } from '../cache/values.js';

/** The resources that pages can request of a product: its crawler-readable reviews, or its full review data. */
export const RESOURCES = ['reviews', 'review-data'] as const;
export type Resource = (typeof RESOURCES)[number];

/** The parts of a product, each with its own response: the resources, and the rating that comes in lists. */
export const PARTS = [...RESOURCES, 'rating'] as const;
export type Part = (typeof PARTS)[number];

/** Maximum difference of the clocks of two machines that share a cache, in milliseconds: a day. */
export const CLOCK_TOLERANCE = 86_400_000;

/** Origin of a record: the service just sent it, or it is older and the service failed to send another. */
export type State = 'fetched' | 'stale';

/** Origin of a mark: an event or a comparison, or a person, who also confirms that the product's reviews may be gone. */
export type MarkedBy = 'event' | 'person';

/** Latest known changes of a product, as revisions, which only rise: no clock decides. */
export interface Mark {
	/** Above that of a part: the part is outdated. */
	readonly revision: number;
	/** Above that of a part: a person says that its reviews may be gone. */
	readonly confirmed: number;
}

export const NO_MARK: Mark = { revision: 0, confirmed: 0 };

/** Data that is written with a record, and again when a response says that the record is unchanged. */
export interface Stamp {
	/** In milliseconds since 1970. */
	readonly fetchedAt: number;
	/** The product's mark when the record was requested. */
	readonly revision: number;
	readonly validators?: string | undefined;
}

export interface StoredPart extends Stamp {
	readonly digest: string;
	readonly state: State;
	readonly validators: string | undefined;
	/** The rating and the number of questions, as JSON. */
	readonly summary: string | undefined;
}

/** Keeps the parts of products. Synchronous, and never throws. */
export interface ReviewStore {
	entry(pid: string, part: Part): StoredPart | undefined;
	entries(pids: readonly string[], part: Part): ReadonlyMap<string, StoredPart>;
	/** Reads a record. `undefined` if there is none, or if it is damaged. */
	read(pid: string, part: Part): unknown;
	put(pid: string, part: Part, packed: Packed, stamp: Stamp): void;
	/** Changes what is known of a record that is there. */
	touch(pid: string, part: Part, change: Partial<Pick<StoredPart, 'fetchedAt' | 'revision' | 'state'>>): void;
	/** Marks products as changed. */
	mark(pids: readonly string[], by: MarkedBy): void;
	markOf(pid: string): Mark;
}

export function isOutdated(stored: StoredPart, mark: Mark): boolean {
	return mark.revision > stored.revision;
}
