import type { CrawlerReviews } from 'product-reviews-client';

/** The parts of one review in the html that the service documents; a part that is `undefined` is left out. */
export interface ReviewParts {
	product?: string;
	href?: string;
	author?: string;
	rating?: string;
	title?: string;
	body?: string;
	date?: string;
}

/** One review as the service documents it. Parts are html already. */
export function reviewItem({ product, href = '', ...parts }: ReviewParts): string {
	const link =
		product === undefined
			? ''
			: `<div class="review-product"><a class="review-product-link" href="${href}">${product}</a></div>`;
	const others = Object.entries(parts).map(([name, text]) => `<div class="review-${name}">${text}</div>`);
	return `<div class="review-item">${link}${others.join('')}</div>`;
}

/** A whole block as the service documents it. */
export function reviewBlock(...items: string[]): string {
	return `<div class="service-reviews_b-17" data-id="b-17" data-block-handle="reviews-block"><style>.service-reviews_b-17{position:absolute;width:1px;height:1px;overflow:hidden}</style><h2>Customer Reviews</h2>${items.join('')}</div>`;
}

/** A script element with structured data, as the service documents it. */
export function schemaScript(product: unknown): string {
	const text = typeof product === 'string' ? product : JSON.stringify(product);
	return `<script id="ServiceReviewSchemaJson" type="application/ld+json">${text}</script>`;
}

/** The documented structured data of a product with one review. */
export const SCHEMA = {
	'@context': 'https://schema.org',
	'@type': 'Product',
	aggregateRating: {
		'@type': 'AggregateRating',
		ratingValue: 4.5,
		reviewCount: 2,
		bestRating: '5',
		worstRating: '1',
	},
	'@id': 'https://shop.example/products/p-1',
	url: 'https://shop.example/products/p-1',
	name: 'Kettle',
	review: [
		{
			'@type': 'Review',
			author: { '@type': 'Person', name: 'Ada' },
			reviewRating: { '@type': 'Rating', ratingValue: 5, bestRating: '5', worstRating: '1' },
			publisher: { '@type': 'Organization', name: 'Shop' },
			reviewBody: 'Boils fast.',
			datePublished: '2026-11-20',
		},
	],
};

export const REVIEW: ReviewParts = {
	product: 'Kettle',
	href: 'https://shop.example/products/p-1',
	author: 'Ada',
	rating: 'Rating: 5/5',
	title: 'Good',
	body: 'Boils fast.',
	date: '2026-11-20',
};

export function answer(parts: Partial<CrawlerReviews> = {}): CrawlerReviews {
	return {
		pid: 'p-1',
		aggregate: { count: 2, average: 4.5 },
		html: reviewBlock(reviewItem(REVIEW)),
		jsonld: schemaScript(SCHEMA),
		...parts,
	};
}
