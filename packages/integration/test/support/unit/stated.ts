import type { StatedReview } from '../../../src/parse/record.js';

/**
 * What structured data states of a review, and of which reviews: search engines refuse one without an author or a
 * rating, and take fewer than 100 characters of a name.
 */
export function asStated({ author = '', rating, ...others }: StatedReview): StatedReview[] {
	const name = [...author].slice(0, 99).join('').trimEnd();
	return rating !== undefined && VISIBLE.test(name) ? [{ ...others, rating, author: name }] : [];
}

/** A name in which nothing is to be seen is none. */
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
