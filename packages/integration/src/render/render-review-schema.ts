import type { ProductReviews, StatedReview } from '../payload/record.js';
import { jsonForScript } from './json-script.js';
import { SCHEMA_SCRIPT_ID } from './schema-script-id.js';
import { type ReviewOrder, selectReviews } from './select-reviews.js';

/** Props of `<ReviewSchema>`. */
export interface ReviewSchemaProps {
	/** Product id, as the review service knows it. */
	pid: string;
	/**
	 * The page's own Product node (name, image, offers, brand, sku, `@id` ...): kept as it is, it gains
	 * `aggregateRating` and `review`.
	 */
	product?: Readonly<Record<string, unknown>> | undefined;
	/** How many reviews at the most; the aggregate rating counts all the same. @default all that the service sends */
	limit?: number | undefined;
	/** Which reviews come first; give it the same as `<ProductReviews>` on the same page. @default 'as-sent' */
	sort?: ReviewOrder | undefined;
}

/** Longest author name that search engines take, in characters. */
const MAX_AUTHOR_LENGTH = 100;

/**
 * The html of `<ReviewSchema>`: one JSON-LD script, rebuilt from records. Empty for a product without reviews, unless
 * the page's own Product node can stand alone; nothing is ever invented for it.
 */
export function renderReviewSchema(
	reviews: ProductReviews | undefined,
	{ product, limit, sort }: Omit<ReviewSchemaProps, 'pid'>,
): string {
	const schema = reviews?.schema;
	const rating = reviews?.aggregate && schema ? toAggregateRating(reviews.aggregate) : undefined;
	const stated = schema && rating ? selectReviews(schema.reviews.flatMap(toReview), sort, limit) : [];
	const own = product && withOfferType(withoutUndefined(product));
	if (!rating && own?.['name'] === undefined) return '';
	const node = {
		'@context': 'https://schema.org',
		'@type': 'Product',
		...(schema?.url !== undefined && { '@id': schema.url, url: schema.url }),
		...(schema?.name !== undefined && { name: schema.name }),
		...own,
		...(rating && { aggregateRating: rating }),
		...(stated.length > 0 && { review: stated.map(({ node }) => node) }),
	};
	return `<script type="application/ld+json" id="${SCHEMA_SCRIPT_ID}">${jsonForScript(node)}</script>`;
}

function toAggregateRating({ average, count }: NonNullable<ProductReviews['aggregate']>) {
	return {
		'@type': 'AggregateRating',
		ratingValue: average,
		reviewCount: count,
		bestRating: '5',
		worstRating: '1',
	};
}

/** Search engines refuse a review without an author or a rating; one review may cost the whole product its stars. */
function toReview({ author, rating, publisher, body, date }: StatedReview) {
	if (author === undefined || rating === undefined) return [];
	const node = {
		'@type': 'Review',
		author: { '@type': 'Person', name: [...author].slice(0, MAX_AUTHOR_LENGTH - 1).join('') },
		reviewRating: { '@type': 'Rating', ratingValue: rating, bestRating: '5', worstRating: '1' },
		...(publisher !== undefined && { publisher: { '@type': 'Organization', name: publisher } }),
		...(body !== undefined && { reviewBody: body }),
		...(date !== undefined && { datePublished: date }),
	};
	return [{ date, rating, node }];
}

/** A value that the page does not have must not take the place of one that the service has. */
function withoutUndefined(product: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	return Object.fromEntries(Object.entries(product).filter(([, value]) => value !== undefined));
}

/** An offer without a type is no offer to a search engine; the type is all that is ever added to it. */
function withOfferType(product: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	const { offers } = product;
	if (typeof offers !== 'object' || offers === null) return product;
	const typed = (offer: unknown) =>
		typeof offer === 'object' && offer !== null && !('@type' in offer)
			? { '@type': 'lowPrice' in offer ? 'AggregateOffer' : 'Offer', ...offer }
			: offer;
	return { ...product, offers: Array.isArray(offers) ? offers.map(typed) : typed(offers) };
}
