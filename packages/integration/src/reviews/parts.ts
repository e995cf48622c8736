import type { Content, Part, Records } from '../records/parts.js';

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
	/** In milliseconds, on the clock of the store. */
	readonly fetchedAt: number;
	/** The product's mark when the record was requested. */
	readonly revision: number;
	/** Tokens of the shared storage when the record was requested. Kept by a memory alone: see `SharedStorage`. */
	readonly seen?: string | undefined;
	/** Left out, those of the same record stay. */
	readonly validators?: string | undefined;
	/** Time when the record was first seen, in milliseconds since 1970. Kept by a memory alone. */
	readonly changedAt?: number | undefined;
}

export interface StoredPart extends Stamp {
	readonly digest: string;
	readonly state: State;
	readonly validators: string | undefined;
	/** The rating and the number of questions, as JSON. */
	readonly summary: string | undefined;
}

export interface StoredRecord<Of extends Part> extends Pick<StoredPart, 'digest'> {
	readonly record: Records[Of];
}

/** Changes of what is known of a stored record. */
export type Change = Partial<Pick<StoredPart, 'fetchedAt' | 'revision' | 'seen' | 'state'>>;

/** Keeps the parts of products. Synchronous, and does not throw where a file or record is damaged. */
export interface ReviewStore {
	/** Returns the time in milliseconds. A file that other processes read has that of day; a memory one that nobody sets. */
	now(): number;
	entry(pid: string, part: Part): StoredPart | undefined;
	entries(pids: readonly string[], part: Part): ReadonlyMap<string, StoredPart>;
	/** Reads a record and its digest. `undefined` if there is none, or if it is damaged. */
	read<Of extends Part>(pid: string, part: Of): StoredRecord<Of> | undefined;
	put<Of extends Part>(pid: string, part: Of, content: Content<Of>, stamp: Stamp): void;
	/** Changes what is known of a record that is there. */
	touch(pid: string, part: Part, change: Change): void;
	/** Marks products as changed. @param pids `'all'` for all of which something is stored. */
	mark(pids: readonly string[] | 'all', by: MarkedBy): void;
	markOf(pid: string): Mark;
}

export function isOutdated(stored: StoredPart, mark: Mark): boolean {
	return mark.revision > stored.revision;
}

/** Returns whether a stored record has reviews or questions, according to its summary. */
export function holdsReviews({ summary }: Pick<StoredPart, 'summary'>): boolean {
	try {
		const { count, questionCount } = JSON.parse(summary ?? '{}') ?? {};
		return count > 0 || questionCount > 0;
	} catch {
		return false;
	}
}
