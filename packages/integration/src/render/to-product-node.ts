import type { AggregateRatingLeaf, ProductLeaf, WithContext } from 'schema-dts';
import type { ProductReviews, StatedReview } from '../payload/record.js';
import { authorName } from './author-name.js';
import { canStandAlone, ownProduct } from './own-product.js';
import type { ReviewSchemaProps } from './review-schema-props.js';
import { selectReviews } from './select-reviews.js';
import { RATING_BOUNDS, toReviewNode } from './to-review-node.js';

/** What is written of a product: the parts that come from the service, and whatever the page's own node has besides. */
export type ProductNode = Pick<
	WithContext<ProductLeaf>,
	'@context' | '@id' | 'name' | 'url' | 'aggregateRating' | 'review'
> &
	Readonly<Record<string, unknown>>;

/**
 * The Product node of `<ReviewSchema>`. `undefined` for a product without ratings, unless the page's own node can stand
 * alone; nothing is ever invented for it.
 * @param publishers whose reviews are the store's own; the others are left out. `undefined`: all are in.
 * @throws TypeError for a prop that cannot be used.
 */
export function toProductNode(
	reviews: ProductReviews | undefined,
	{ product, type: givenType, id: givenId, limit, sort }: Omit<ReviewSchemaProps, 'pid'>,
	publishers?: readonly string[],
): ProductNode | undefined {
	const [type, id] = [givenType ?? undefined, givenId || undefined];
	if (type !== undefined && type !== 'Product' && type !== 'ProductGroup') {
		throw new TypeError(`Expected \`type\` to be 'Product' or 'ProductGroup', received '${type}'.`);
	}
	const schema = reviews?.schema;
	const rating = reviews?.aggregate && schema ? toAggregateRating(reviews.aggregate) : undefined;
	const own = product === undefined || product === null ? undefined : ownProduct(product);
	if (!rating && (id !== undefined || !own || !canStandAlone(own))) return undefined;
	const stated =
		schema && rating ? selectReviews(schema.reviews.filter(isWritten(publishers)), sort, limit) : [];
	const review = stated.flatMap((one) => toReviewNode(one) ?? []);
	return {
		'@context': 'https://schema.org',
		'@type': 'Product',
		...(id === undefined && schema?.url !== undefined && { '@id': schema.url, url: schema.url }),
		...(schema?.name !== undefined && { name: schema.name }),
		...own,
		...(type !== undefined && { '@type': type }),
		...(id !== undefined && { '@id': id }),
		...(rating && { aggregateRating: rating }),
		...(review.length > 0 && { review }),
	};
}

function toAggregateRating({
	average,
	count,
}: NonNullable<ProductReviews['aggregate']>): AggregateRatingLeaf {
	return { '@type': 'AggregateRating', ratingValue: average, reviewCount: count, ...RATING_BOUNDS };
}

/** Only what search engines take counts towards the limit. */
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
