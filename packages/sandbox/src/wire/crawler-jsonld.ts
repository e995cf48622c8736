import { SCHEMA_SCRIPT_ID } from 'product-reviews-client/contract';
import type { RatingSummary } from '../database/rating-summary.js';
import type { Product, Review } from '../records.js';
import type { StoreFacts } from './store-facts.js';

const BOUNDS = { bestRating: '5', worstRating: '1' } as const;

/** Creates `jsonld` of operation 3; empty for a product without published reviews. */
export function crawlerJsonld(
	product: Product,
	reviews: readonly Review[],
	summary: RatingSummary,
	facts: StoreFacts,
): string {
	if (reviews.length === 0) return '';
	const url = product.url ?? facts.productUrl(product.pid);
	const object = {
		'@context': 'https://schema.org',
		'@type': 'Product',
		aggregateRating: {
			'@type': 'AggregateRating',
			ratingValue: summary.average,
			reviewCount: summary.count,
			...BOUNDS,
		},
		'@id': url,
		url,
		name: product.name,
		review: reviews.map((review) => reviewObject(review, facts.storeName)),
	};
	return `<script id="${SCHEMA_SCRIPT_ID}" type="application/ld+json">${scriptJson(object)}</script>`;
}

function reviewObject(review: Review, storeName: string) {
	return {
		'@type': 'Review',
		author: { '@type': 'Person', name: review.author },
		reviewRating: { '@type': 'Rating', ratingValue: review.rating, ...BOUNDS },
		publisher: { '@type': 'Organization', name: storeName },
		reviewBody: review.body,
		datePublished: review.publishedAt?.slice(0, 10) ?? '',
	};
}

/** JSON that cannot close the script element around it. */
function scriptJson(value: unknown): string {
	return JSON.stringify(value)
		.replaceAll('<', '\\u003c')
		.replaceAll('\u2028', '\\u2028')
		.replaceAll('\u2029', '\\u2029');
}
