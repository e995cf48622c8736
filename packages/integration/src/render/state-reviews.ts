import type { AggregateRating, ProductReviews, StatedReview } from '../parse/record.js';
import { authorName } from './author-name.js';
import { jsonForScript } from './json-script.js';
import { type ReviewOrder, selectReviews } from './select-reviews.js';
import { toReviewNode } from './to-review-node.js';

/** What `<ReviewSchema>` states about a product, independent of the page's own node. */
export interface StatedReviews {
	readonly name: string | undefined;
	/** Absolute http(s) address of the product page. */
	readonly url: string | undefined;
	/** `undefined` for a product without ratings. */
	readonly rating: AggregateRating | undefined;
	/** JSON of a list of Review nodes, escaped for a script; empty if there are none. */
	readonly reviews: string;
	/** Number of these reviews. */
	readonly listed: number;
}

/** Which reviews are stated. */
export interface StatedSelection {
	readonly limit?: number | undefined;
	readonly sort?: ReviewOrder | undefined;
}

/**
 * Writes the reviews of a product as structured data.
 * @param publishers whose reviews are the store's own. Others are omitted. @default all are included
 * @throws TypeError for an invalid selection.
 */
export function stateReviews(
	{ aggregate, schema }: ProductReviews,
	{ limit, sort }: StatedSelection,
	publishers?: readonly string[],
): StatedReviews {
	const rating = schema && aggregate;
	const selected = rating ? selectReviews(schema.reviews.filter(isWritten(publishers)), sort, limit) : [];
	const nodes = selected.flatMap((review) => toReviewNode(review) ?? []);
	return {
		name: schema?.name,
		url: schema?.url,
		rating,
		reviews: nodes.length > 0 ? jsonForScript(nodes) : '',
		listed: nodes.length,
	};
}

/** Only reviews that search engines accept count towards the limit. */
function isWritten(publishers: readonly string[] | undefined): (review: StatedReview) => boolean {
	const own = publishers && new Set(publishers.map(normalize));
	return ({ author, rating, publisher }) =>
		authorName(author) !== undefined &&
		rating !== undefined &&
		(!own || publisher === undefined || own.has(normalize(publisher)));
}

function normalize(name: string): string {
	return name.trim().normalize('NFC').toLowerCase();
}
