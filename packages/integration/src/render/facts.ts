/** Plain facts about what a component wrote, or what a page's own markup asked for: the audit reads nothing else. */
export type Facts = SchemaFacts | ListFacts | StarsFacts | OffersFacts | OwnMarkupFacts;

/** `<ReviewSchema>` that wrote a rating. */
export interface SchemaFacts {
	readonly component: 'ReviewSchema';
	/** `@id` of the node. */
	readonly id: string | undefined;
	/** Ratings that it counts. */
	readonly count: number | undefined;
	/** Reviews that it lists. */
	readonly listed: number;
	readonly sort: string;
}

/** `<ProductReviews>` or `<ReviewList>` that wrote reviews. */
export interface ListFacts {
	readonly component: 'ProductReviews' | 'ReviewList';
	readonly display: 'hidden' | 'visible' | 'details';
	/** Ratings that it counts. */
	readonly count: number | undefined;
	/** Reviews that it shows, in the order of `sort` and from its start. */
	readonly shown: number;
	/** Whether these are all that there are. */
	readonly isAll: boolean;
	/** Whether its filter leaves reviews out by their rating. @default false */
	readonly isSplitByRating?: boolean;
	readonly sort: string;
}

/** `<StarRating>` or `<RatingSummary>` that wrote stars, or a page that asked for the rating. */
export interface StarsFacts {
	readonly component: 'StarRating' | 'RatingSummary';
	/** Ratings that it counts. */
	readonly count: number;
}

/** Offers of `<ReviewSchema>` that lack something; there are no facts about complete ones. */
export interface OffersFacts {
	readonly component: 'offers';
	readonly lacks: readonly OfferPart[];
}

/** What search engines need of an offer. */
export type OfferPart = 'price' | 'priceCurrency';

/** A function of `virtual:product-reviews` that a page called: what it made of the answer is not known. */
export interface OwnMarkupFacts {
	readonly component: 'own-markup';
}

/** Facts with the product that they are about. */
export type ProductFacts = Facts & { readonly pid: string };
