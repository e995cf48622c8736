import type { ProductReviews } from '../parse/record.js';
import { type ReviewOrder, selectReviews } from './select-reviews.js';

/** Which part of a product's reviews a page shows: a change of another part leaves the page as it is. */
export type Facet =
	| { readonly part: 'rating' }
	| {
			readonly part: 'reviews' | 'schema';
			readonly sort?: ReviewOrder | undefined;
			readonly limit?: number | undefined;
	  }
	| { readonly part: 'all' };

/** That part, as a value that changes exactly when it does. */
export function facetOf(product: ProductReviews | undefined, facet: Facet): unknown {
	if (!product || facet.part === 'all') return product;
	const { aggregate, schema, heading, blockId, handle } = product;
	if (facet.part === 'rating') return aggregate;
	if (facet.part === 'reviews') {
		const reviews = selectReviews(product.reviews, facet.sort, facet.limit);
		return { aggregate, heading, blockId, handle, reviews };
	}
	// Reviews that search engines refuse do not count towards the limit: whatever that leaves is among these.
	return { aggregate, schema: schema && { ...schema, reviews: selectReviews(schema.reviews, facet.sort) } };
}
