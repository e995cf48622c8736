/** The text of each part of a review, as in the html. If a part occurs more than once, the first counts. */
export interface ReviewParts {
	/** Text of the part that contains the product's link. */
	product: string | undefined;
	/** Text of the link. */
	link: string | undefined;
	/** Address of the link. */
	href: string | undefined;
	author: string | undefined;
	rating: string | undefined;
	title: string | undefined;
	body: string | undefined;
	date: string | undefined;
}

/** A part with its own element, and so its own class. */
export type PartName = Exclude<keyof ReviewParts, 'href'>;

/** The parts of one product's html, unchecked. */
export interface HtmlParts {
	readonly heading: string | undefined;
	readonly blockId: string | undefined;
	readonly handle: string | undefined;
	readonly reviews: readonly Readonly<ReviewParts>[];
	/** Number of reviews beyond the limit. */
	readonly beyondLimit: number;
}

const PART_NAMES: ReadonlyMap<string, PartName> = new Map([
	['review-product', 'product'],
	['review-product-link', 'link'],
	['review-author', 'author'],
	['review-rating', 'rating'],
	['review-title', 'title'],
	['review-body', 'body'],
	['review-date', 'date'],
]);

/** The part of a review with this class. */
export function partOf(className: string): PartName | undefined {
	return PART_NAMES.get(className);
}

/** A review without any parts. */
export function noParts(): ReviewParts {
	return {
		product: undefined,
		link: undefined,
		href: undefined,
		author: undefined,
		rating: undefined,
		title: undefined,
		body: undefined,
		date: undefined,
	};
}
