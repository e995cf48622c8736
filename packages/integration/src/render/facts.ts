/**
 * Plain facts about what a component wrote, or what a page's own markup requested. They are all that the audit reads.
 */
export type Facts = SchemaFacts | ListFacts | StarsFacts | OffersFacts | OwnMarkupFacts;

/** A `<ReviewSchema>` that wrote a rating. */
export interface SchemaFacts {
	readonly component: 'ReviewSchema';
	/** `@id` of the node. */
	readonly id: string | undefined;
	/** The stated number of ratings. */
	readonly count: number | undefined;
	/** Number of listed reviews. */
	readonly listed: number;
	readonly sort: string;
}

/** A `<ProductReviews>` or `<ReviewList>` that wrote reviews. */
export interface ListFacts {
	readonly component: 'ProductReviews' | 'ReviewList';
	readonly display: 'hidden' | 'visible' | 'details';
	/** The stated number of ratings. */
	readonly count: number | undefined;
	/** Number of reviews shown, from the start of the order `sort`. */
	readonly shown: number;
	/** Whether these are all reviews. */
	readonly isAll: boolean;
	/** Whether its filter omits reviews by their rating. @default false */
	readonly isSplitByRating?: boolean;
	readonly sort: string;
}

/** A `<StarRating>` or `<RatingSummary>` that wrote stars, or a page that requested the rating. */
export interface StarsFacts {
	readonly component: 'StarRating' | 'RatingSummary';
	/** The stated number of ratings. */
	readonly count: number;
}

/** Incomplete offers of a `<ReviewSchema>`. Complete ones have no facts. */
export interface OffersFacts {
	readonly component: 'offers';
	readonly lacks: readonly OfferPart[];
}

/** A part of an offer that search engines need. */
export type OfferPart = 'price' | 'priceCurrency';

/** A page called a function of `virtual:product-reviews`. What it did with the result is unknown. */
interface OwnMarkupFacts {
	readonly component: 'own-markup';
}

/** Facts together with their product. */
export type ProductFacts = Facts & { readonly pid: string };
