/** What one use of a component wrote into a page, or what a page's own markup asked for. */
export type Placement =
	| SchemaPlacement
	| ReviewsPlacement
	| StarsPlacement
	| OffersPlacement
	| OwnMarkupPlacement;

/** `<ReviewSchema>` that wrote a rating. */
export interface SchemaPlacement {
	readonly component: 'ReviewSchema';
	readonly pid: string;
	/** `@id` of the node. */
	readonly id: string | undefined;
	/** Ratings that it counts. */
	readonly count: number | undefined;
	/** Reviews that it lists. */
	readonly listed: number;
	readonly sort: string;
}

/** `<ProductReviews>` or `<ReviewList>` that wrote reviews. */
export interface ReviewsPlacement {
	readonly component: 'ProductReviews' | 'ReviewList';
	readonly pid: string;
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
export interface StarsPlacement {
	readonly component: 'StarRating' | 'RatingSummary';
	readonly pid: string;
	/** Ratings that it counts. */
	readonly count: number;
}

/** Offers of `<ReviewSchema>` that lack something; those that are whole are not placed. */
export interface OffersPlacement {
	readonly component: 'offers';
	readonly pid: string;
	readonly lacks: readonly OfferPart[];
}

/** What search engines need of an offer. */
export type OfferPart = 'price' | 'priceCurrency';

/** A function of `virtual:product-reviews` that a page called: what it made of the answer is not known. */
export interface OwnMarkupPlacement {
	readonly component: 'own-markup';
	readonly pid: string;
}
