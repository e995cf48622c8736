import { ratingOf } from '../cache/known-rating.js';
import type { StoredResource } from '../cache/stored-resource.js';
import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { StoredData } from '../render/component.js';
import { digestOf } from '../store/pack.js';
import type { ReviewStore } from '../store/review-store.js';

/** A kind of data about a product, and a possible source of its rating. */
export type From = keyof StoredData;

/** All data about products, from the store or the service. */
export interface ProductData {
	/** @param from the source of a rating. */
	load<Of extends From>(of: Of, pid: string, from: From): Promise<StoredData[Of] | undefined>;
	readRating(from: From, pid: string): Promise<AggregateRating | undefined>;
	/** Waits until the store has what pages show. @returns whether there is anything to show. */
	settle(from: From, pid: string): Promise<boolean>;
	/** Whether {@link ProductData.settle} has nothing to wait for, and there may be something to show. */
	isSettled(from: From, pid: string): boolean;
	/** A version that changes exactly when the data about the product does. */
	versionOf(from: From, pid: string): Promise<string | undefined>;
	/** The kinds of data of a product that its digest is made of. */
	kindsOf(pid: string): readonly ('reviews' | 'review-data')[];
	/** A digest that changes exactly when the reviews of one of these products do. */
	digestOf(pids: readonly string[]): Promise<string>;
}

export interface ProductDataContext {
	readonly store: ReviewStore;
	readonly reviews: StoredResource<ProductReviews>;
	readonly reviewData: StoredResource<ReviewData>;
	/** Ratings in lists, which need a token. */
	readonly ratings: StoredResource<unknown> | undefined;
}

export function createProductData({ store, reviews, reviewData, ratings }: ProductDataContext): ProductData {
	const resources = { reviews, 'review-data': reviewData, rating: ratings ?? reviews };

	// Review data counts only if a page has asked for it.
	const kindsOf: ProductData['kindsOf'] = (pid) =>
		store.table('review-data').entry(pid) === undefined ? ['reviews'] : ['reviews', 'review-data'];

	const readRating = async (from: From, pid: string) =>
		(await resources[from].settle(pid)) ? ratingOf(store.table(from).entry(pid)?.summary) : undefined;
	const loaders: { readonly [Of in From]: (pid: string, from: From) => Promise<StoredData[Of] | undefined> } =
		{
			reviews: (pid) => reviews.load(pid),
			'review-data': (pid) => reviewData.load(pid),
			rating: async (pid, from) => ({ aggregate: await readRating(from, pid) }),
		};
	return {
		load: (of, pid, from) => loaders[of](pid, from),
		readRating,
		settle: (from, pid) => resources[from].settle(pid),
		isSettled: (from, pid) => resources[from].isSettled(pid),
		async versionOf(from, pid) {
			if (from === 'rating') return JSON.stringify(await readRating(from, pid));
			return resources[from].digest(pid);
		},
		kindsOf,
		async digestOf(pids) {
			const digests = pids.flatMap((pid) => kindsOf(pid).map((kind) => resources[kind].digest(pid)));
			return digestOf(JSON.stringify(await Promise.all(digests)));
		},
	};
}
