/** Classes of the parts of a review in the service's html, and the address of its link. */
export type PartName =
	| 'review-product'
	| 'review-product-link'
	| 'review-author'
	| 'review-rating'
	| 'review-title'
	| 'review-body'
	| 'review-date'
	| 'href';

/** The text of each part that a review has, as it stands in the html. The first of its kind counts. */
export type ReviewParts = ReadonlyMap<PartName, string>;

/** What the html of one product holds, before any of it is checked. */
export interface HtmlParts {
	readonly heading: string | undefined;
	readonly blockId: string | undefined;
	readonly handle: string | undefined;
	readonly reviews: readonly ReviewParts[];
}

const CLASSES: ReadonlySet<string> = new Set<PartName>([
	'review-product',
	'review-product-link',
	'review-author',
	'review-rating',
	'review-title',
	'review-body',
	'review-date',
]);

/** Whether a class names a part of a review. */
export function isPart(className: string): className is Exclude<PartName, 'href'> {
	return CLASSES.has(className);
}
