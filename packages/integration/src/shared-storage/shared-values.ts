import type { Validators } from 'product-reviews-client';
import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';

/** What is shared of a product, by kind. */
export interface SharedValues {
	readonly reviews: ProductReviews;
	readonly 'review-data': ReviewData;
	readonly rating: SharedRating;
}
export type SharedKind = keyof SharedValues;

/** The rating that the service sends in lists. */
interface SharedRating {
	/** `undefined` for a product without ratings. */
	readonly aggregate: AggregateRating | undefined;
	/** `undefined` if whoever stored it does not use it. */
	readonly questionCount?: number | undefined;
}

/**
 * Which events an answer is known to be newer than: the last one of its product, and the last one of all products. It is
 * taken before the request to the service. If it is another one when the answer is read, the answer is outdated. Unlike
 * times, it does not depend on anybody's clock.
 */
export interface Stamp {
	readonly product?: string | undefined;
	readonly all?: string | undefined;
}

/** An answer of the service. Times are in milliseconds since 1970. */
export interface SharedAnswer<Value> {
	readonly value: Value;
	/** What the service sent to ask whether the value is still current. */
	readonly known?: Validators | undefined;
	/** When the service sent it, or said that it is still current. */
	readonly fetchedAt: number;
	/** When this value was first seen. */
	readonly changedAt: number;
}

/** An answer in the storage. */
export interface SharedEntry<Value> extends SharedAnswer<Value> {
	/** Whether an event came since. */
	readonly isOutdated: boolean;
}

/** What the storage has of a product. */
export interface SharedRead<Value> {
	/** `undefined` if there is none, or one that does not check. */
	readonly entry: SharedEntry<Value> | undefined;
	/** For an answer that is requested from the service after this. */
	readonly stamp: Stamp;
}

/** An answer to store. */
export type SharedWrite = {
	readonly [Kind in SharedKind]: SharedAnswer<SharedValues[Kind]> & {
		readonly kind: Kind;
		readonly pid: string;
		/** As read before the request to the service; `undefined` if the storage could not be read. */
		readonly stamp: Stamp | undefined;
		/** Stored for an hour, and only if the driver can: an answer about a product that anybody may have made up. */
		readonly isTransient?: boolean | undefined;
	};
}[SharedKind];
