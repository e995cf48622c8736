import { createDropCounter, type Drop, type DroppedParts } from './field-reader.js';
import { type KnownRating, usableAggregate } from './rating.js';
import type { ProductReviews, ReviewData } from './record.js';

/** The resources that pages can request of a product: its crawler-readable reviews, or its full review data. */
export const RESOURCES = ['reviews', 'review-data'] as const;
export type Resource = (typeof RESOURCES)[number];

/** The parts of a product, each with its own response: the resources, and the rating that comes in lists. */
export const PARTS = [...RESOURCES, 'rating'] as const;
export type Part = (typeof PARTS)[number];

/** The record of each part. */
export interface Records {
	readonly reviews: ProductReviews;
	readonly 'review-data': ReviewData;
	readonly rating: KnownRating;
}

/** A record as the cache keeps it: its JSON text, usually compressed. It can be passed between threads. */
export interface Packed {
	readonly digest: string;
	readonly codec: number;
	readonly value: Uint8Array;
	/** Facts that must be known of the record without reading it, as JSON. */
	readonly summary: string | undefined;
}

export interface Checked<Of extends Part = Part> {
	readonly record: Records[Of];
}

/** A record for a store, or one that another thread has packed for the cache. */
export type Content<Of extends Part = Part> = Checked<Of> | Packed;

/** An answer about a part. Its content is `undefined` if the stored record is current. */
export interface Answer<Kept extends Content | undefined> {
	readonly content: Kept;
	readonly isEmpty: boolean;
	/** Parts that could not be read. */
	readonly dropped: DroppedParts;
	/** With these, the next request can be answered by saying that the record is current. */
	readonly validators?: string | undefined;
	/** The other part of the product, if the same answer has it. */
	readonly also?: AlsoAnswered;
}

export interface AlsoAnswered extends Pick<Answer<Packed>, 'content' | 'isEmpty'> {
	readonly part: Resource;
}

/** Makes an answer of what `read` returns, and counts what could not be read. */
export function createAnswer<Of extends Part>(
	part: Of,
	read: (drop: Drop) => Records[Of],
	validators?: string,
): Answer<Checked<Of>> {
	const { drop, dropped } = createDropCounter();
	const record = read(drop);
	return { content: { record }, isEmpty: hasNothing(part, record), dropped, validators };
}

/**
 * Returns what must be known of a record without reading it, as JSON: its rating, newest review and number of questions.
 * `undefined` for reviews of a product that has none.
 */
export function summaryOf<Of extends Part>(part: Of, record: Records[Of]): string | undefined {
	if (part === 'reviews') {
		const { aggregate, reviews } = record as ProductReviews;
		const newest = reviews.reduce((latest, { date = '' }) => (date > latest ? date : latest), '');
		return hasNothing(part, record) ? undefined : JSON.stringify({ ...aggregate, newest });
	}
	if (part === 'rating') {
		const { average, count, questionCount } = record as KnownRating;
		return JSON.stringify({ average, count, questionCount });
	}
	const { aggregate, questionCount } = record as ReviewData;
	return JSON.stringify({ ...aggregate, questionCount });
}

/** Returns whether a record has nothing that a page could show. */
export function hasNothing<Of extends Part>(part: Of, record: Records[Of]): boolean {
	if (part === 'rating') {
		const { count, average } = record as KnownRating;
		return usableAggregate(count, average) === undefined;
	}
	const { aggregate, reviews, questions = [] } = record as ProductReviews & Partial<ReviewData>;
	return aggregate === undefined && reviews.length + questions.length === 0;
}
