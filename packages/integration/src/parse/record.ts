/** One review as shown in the service's html. Text only: printable, cut at the limits, never markup. */
export interface DisplayedReview {
	readonly productName: string | undefined;
	/** Absolute http(s) address of the product page. */
	readonly productUrl: string | undefined;
	readonly author: string | undefined;
	/** Stars, 1 to 5; halves and tenths occur. */
	readonly rating: number | undefined;
	readonly title: string | undefined;
	/** May contain line breaks (`\n`). */
	readonly body: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly date: string | undefined;
}

/** One review as stated in the service's structured data. */
export interface StatedReview {
	readonly author: string | undefined;
	/** Stars, 1 to 5. */
	readonly rating: number | undefined;
	/** Organization that published the review. */
	readonly publisher: string | undefined;
	readonly body: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly date: string | undefined;
}

/** Average rating and count over all ratings of a product. */
export interface AggregateRating {
	/** Stars, 1 to 5. */
	readonly average: number;
	/** At least 1. */
	readonly count: number;
}

/** The reviews of one product, checked: what the store keeps and the components write. */
export interface ProductReviews {
	readonly pid: string;
	/** `undefined` if the product has no rating. */
	readonly aggregate: AggregateRating | undefined;
	/** Heading over the reviews, as sent by the service. */
	readonly heading: string | undefined;
	/** The service's id of the html block. */
	readonly blockId: string | undefined;
	/** The service's handle of the html block. */
	readonly handle: string | undefined;
	readonly reviews: readonly DisplayedReview[];
	/** `undefined` if the service sent none, as for a product without a published review. */
	readonly schema: StructuredData | undefined;
}

/** The structured data of a product, except its aggregate rating. */
export interface StructuredData {
	readonly name: string | undefined;
	/** Absolute http(s) address of the product page. */
	readonly url: string | undefined;
	readonly reviews: readonly StatedReview[];
}
