import type { AggregateRatingLeaf, ProductLeaf, WithContext } from 'schema-dts';
import { InvalidPropError } from '../errors.js';
import type { AggregateRating } from '../parse/record.js';
import { canStandAlone, ownProduct } from './own-product.js';
import type { ReviewSchemaProps } from './review-schema-props.js';
import type { StatedReviews } from './state-reviews.js';
import { RATING_BOUNDS } from './to-review-node.js';

/** Everything written about a product except its reviews: data from the service, and the rest of the page's own node. */
export type ProductNode = Pick<
	WithContext<ProductLeaf>,
	'@context' | '@id' | 'name' | 'url' | 'aggregateRating'
> &
	Readonly<Record<string, unknown>>;

/**
 * The Product node of `<ReviewSchema>`. `undefined` for a product without ratings, unless the page's own node can stand
 * alone. Nothing is made up for it.
 * @param address of the page. Used if the page's own node has no `url`. @default the service's address of the product
 * @throws TypeError for an invalid prop.
 */
export function toProductNode(
	stated: Omit<StatedReviews, 'listed'> | undefined,
	{ product, type: givenType, id: givenId }: Pick<ReviewSchemaProps, 'product' | 'type' | 'id'>,
	address?: string,
): ProductNode | undefined {
	const [type, id] = [givenType ?? undefined, givenId || undefined];
	if (type !== undefined && type !== 'Product' && type !== 'ProductGroup') {
		throw new InvalidPropError(`Expected \`type\` to be 'Product' or 'ProductGroup', received '${type}'.`);
	}
	const { name, rating, reviews } = stated ?? {};
	const own = product === undefined || product === null ? undefined : ownProduct(product);
	if (!rating && (id !== undefined || !own || !canStandAlone(own))) return undefined;
	const { review: ownReviews, ...others } = own ?? {};
	// The node's `@id` is its address, whatever its source.
	const url = others['url'] === undefined ? (address ?? stated?.url) : String(others['url']);
	return {
		'@context': 'https://schema.org',
		'@type': 'Product',
		...(id === undefined && url !== undefined && { '@id': url, url }),
		...(name !== undefined && { name }),
		...others,
		...(type !== undefined && { '@type': type }),
		...(id !== undefined && { '@id': id }),
		...(rating && { aggregateRating: toAggregateRating(rating) }),
		...(!reviews && ownReviews !== undefined && { review: ownReviews }),
	};
}

function toAggregateRating({ average, count }: AggregateRating): AggregateRatingLeaf {
	return { '@type': 'AggregateRating', ratingValue: average, reviewCount: count, ...RATING_BOUNDS };
}
