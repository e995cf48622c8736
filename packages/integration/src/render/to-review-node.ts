import type { ReviewLeaf } from 'schema-dts';
import type { StatedReview } from '../parse/record.js';
import { authorName } from './author-name.js';

/** The service's rating scale, stated for search engines. */
export const RATING_BOUNDS = { bestRating: '5', worstRating: '1' } as const;

/**
 * A review as a schema.org node. `undefined` without an author or a rating: search engines reject such a review, and one
 * may cost the whole product its stars. Pages still show it.
 * @see https://developers.google.com/search/docs/appearance/structured-data/review-snippet
 */
export function toReviewNode({
	author,
	rating,
	publisher,
	body,
	date,
}: StatedReview): ReviewLeaf | undefined {
	const name = authorName(author);
	if (name === undefined || rating === undefined) return undefined;
	const node: ReviewLeaf = {
		'@type': 'Review',
		author: { '@type': 'Person', name },
		reviewRating: { '@type': 'Rating', ratingValue: rating, ...RATING_BOUNDS },
	};
	if (publisher !== undefined) node.publisher = { '@type': 'Organization', name: publisher };
	if (body !== undefined) node.reviewBody = body;
	if (date !== undefined) node.datePublished = date;
	return node;
}
