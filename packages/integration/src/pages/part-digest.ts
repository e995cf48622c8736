import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import { type DataFacet, dataFacetOf } from '../render/data-facet.js';
import { type Facet, facetOf } from '../render/facet.js';
import { digestOf } from '../store/digest-of.js';
import type { Resource } from '../store/review-store.js';

/** Changes exactly when this part of a product's reviews does. */
export function partDigest(product: ProductReviews | undefined, facet: Facet): string {
	return digestOf(JSON.stringify(facetOf(product, facet)) ?? '');
}

/** Changes exactly when this part of a product's review data does. */
export function dataDigest(data: ReviewData | undefined, facet: DataFacet): string {
	return digestOf(JSON.stringify(dataFacetOf(data, facet)) ?? '');
}

/**
 * The rating as a part of what a page shows, made without the rest.
 * @param value `undefined` where nothing is known of the product.
 */
export function ratingPart(
	resource: Resource,
	value: { readonly aggregate?: AggregateRating | undefined } | undefined,
): Record<string, string> {
	if (resource === 'reviews') {
		const facet: Facet = { part: 'rating' };
		return { [JSON.stringify(facet)]: partDigest(value as ProductReviews, facet) };
	}
	const facet: DataFacet = { part: 'data', of: ['aggregate'] };
	return { [JSON.stringify(facet)]: dataDigest(value as ReviewData, facet) };
}
