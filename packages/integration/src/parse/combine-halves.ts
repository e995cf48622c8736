import { cleanLine } from '../text/clean-text.js';
import type { Drop } from './dropped-parts.js';
import { MAX_TEXT_LENGTH } from './limits.js';
import type { ReadHtml } from './read-html.js';
import type { ReadJsonld } from './read-jsonld.js';
import type { DisplayedReview, ProductReviews, StatedReview, StructuredData } from './record.js';

/**
 * The html and the JSON-LD of an answer contain the same reviews. If untrusted text broke one of them for the parser, the
 * other replaces it: one bad text must not cost a product its reviews.
 */
export function combineHalves(
	html: ReadHtml,
	jsonld: ReadJsonld | 'unreadable' | undefined,
	drop: Drop,
): Pick<ProductReviews, 'reviews' | 'schema'> {
	const { reviews } = html;
	if (jsonld === undefined) return { reviews, schema: undefined };
	if (jsonld === 'unreadable') {
		drop('structured-data-unreadable');
		return { reviews, schema: reviews.length > 0 ? toStructuredData(reviews) : undefined };
	}
	const { schema, found } = jsonld;
	const isCutShort = html.hasSwallowed && html.found < found;
	if ((reviews.length === 0 || isCutShort) && schema.reviews.some(saysSomething)) {
		drop('html-unreadable');
		return { reviews: schema.reviews.filter(saysSomething).map(toDisplayedReviewOf(schema)), schema };
	}
	if (found !== html.found) drop('review-lists-differ');
	return { reviews, schema };
}

function toStructuredData(reviews: readonly DisplayedReview[]): StructuredData {
	return {
		name: reviews.find(({ productName }) => productName !== undefined)?.productName,
		url: reviews.find(({ productUrl }) => productUrl !== undefined)?.productUrl,
		reviews: reviews.map(({ author, rating, body, date }) => ({
			author,
			rating,
			publisher: undefined,
			body,
			date,
		})),
	};
}

function saysSomething({ rating, body }: StatedReview): boolean {
	return rating !== undefined || body !== undefined;
}

function toDisplayedReviewOf({ name, url }: StructuredData): (review: StatedReview) => DisplayedReview {
	const productName = name === undefined ? undefined : cleanLine(name, MAX_TEXT_LENGTH.name);
	return ({ author, rating, body, date }) => ({
		productName,
		productUrl: url,
		author,
		rating,
		title: undefined,
		body,
		date,
	});
}
