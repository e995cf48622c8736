import { SCHEMA_SCRIPT_ID as DOCUMENTED_ID } from 'product-reviews-client/contract';
import { describe, expect, test } from 'vitest';
import { renderReviewSchema } from '../../../src/render/render-review-schema.js';
import { SCHEMA_SCRIPT_ID } from '../../../src/render/schema-script-id.js';
import { findElements } from '../../support/unit-elements.js';
import { record, stated } from '../../support/unit-record.js';

type Props = Parameters<typeof renderReviewSchema>[1];

/** The node that a page states. */
function nodeOf(props: Props = {}, product = record()) {
	const { elements, text } = findElements(renderReviewSchema(product, props));
	expect(elements).toEqual([
		{ tag: 'script', attributes: { type: 'application/ld+json', id: DOCUMENTED_ID } },
	]);
	return JSON.parse(text) as Record<string, unknown>;
}
const schemaWith = (...reviews: ReturnType<typeof stated>[]) =>
	record({ schema: { name: 'Kettle', url: 'https://shop.example/products/p-1', reviews } });

test('the id is the documented one', () => {
	expect(SCHEMA_SCRIPT_ID).toBe(DOCUMENTED_ID);
});

test('the documented structure', () => {
	expect(nodeOf()).toMatchInlineSnapshot(`
		{
		  "@context": "https://schema.org",
		  "@id": "https://shop.example/products/p-1",
		  "@type": "Product",
		  "aggregateRating": {
		    "@type": "AggregateRating",
		    "bestRating": "5",
		    "ratingValue": 4.5,
		    "reviewCount": 2,
		    "worstRating": "1",
		  },
		  "name": "Kettle",
		  "review": [
		    {
		      "@type": "Review",
		      "author": {
		        "@type": "Person",
		        "name": "Ada",
		      },
		      "datePublished": "2026-11-20",
		      "publisher": {
		        "@type": "Organization",
		        "name": "Shop",
		      },
		      "reviewBody": "Boils fast.",
		      "reviewRating": {
		        "@type": "Rating",
		        "bestRating": "5",
		        "ratingValue": 5,
		        "worstRating": "1",
		      },
		    },
		  ],
		  "url": "https://shop.example/products/p-1",
		}
	`);
});

describe('with the page’s own product', () => {
	test('its values come first, and it gains rating and reviews', () => {
		const product = {
			'@id': '#product',
			name: 'My Kettle',
			image: ['a.jpg'],
			brand: { '@type': 'Brand', name: 'B' },
		};
		expect(nodeOf({ product })).toMatchObject({
			...product,
			url: 'https://shop.example/products/p-1',
			aggregateRating: { ratingValue: 4.5, reviewCount: 2 },
			review: [{ author: { name: 'Ada' } }],
		});
	});

	test('a value that it does not have takes the place of none', () => {
		expect(nodeOf({ product: { name: undefined, url: undefined, sku: 'S' } })).toMatchObject({
			name: 'Kettle',
			url: 'https://shop.example/products/p-1',
			sku: 'S',
		});
	});

	test.each<[string, unknown, unknown]>([
		['an offer', { price: 19.9 }, { '@type': 'Offer', price: 19.9 }],
		['an offer with its type', { '@type': 'Demand', price: 1 }, { '@type': 'Demand', price: 1 }],
		[
			'a range of prices',
			{ lowPrice: 1, highPrice: 2 },
			{ '@type': 'AggregateOffer', lowPrice: 1, highPrice: 2 },
		],
		[
			'several',
			[{ price: 1 }, { '@type': 'Offer', price: 2 }],
			[
				{ '@type': 'Offer', price: 1 },
				{ '@type': 'Offer', price: 2 },
			],
		],
		['an address', 'https://shop.example/offer', 'https://shop.example/offer'],
		['null', null, null],
	])('offers: %s', (_what, offers, expected) => {
		expect(nodeOf({ product: { offers } })['offers']).toEqual(expected);
	});

	test('its values are escaped, and left as they were', () => {
		const product = Object.freeze({
			name: '</script><!--<script>&\u2028',
			offers: Object.freeze({ price: 1 }),
		});
		expect(nodeOf({ product })['name']).toBe(product.name);
		expect(product.offers).toEqual({ price: 1 });
	});
});

describe('nothing is invented', () => {
	const EMPTY = record({ aggregate: undefined, reviews: [], schema: undefined });
	test.each<[string, ReturnType<typeof record> | undefined, Props, string]>([
		['no reviews', EMPTY, {}, ''],
		['nothing stored', undefined, {}, ''],
		['no reviews, a product without a name', EMPTY, { product: { sku: 'S' } }, ''],
		['no structured data, though there are ratings', record({ schema: undefined }), {}, ''],
		['no usable average', record({ aggregate: undefined }), {}, ''],
	])('%s', (_what, product, props, expected) => {
		expect(renderReviewSchema(product, props)).toBe(expected);
	});

	test('a product with a name stands alone, without rating and reviews', () => {
		for (const product of [EMPTY, undefined]) {
			const written = renderReviewSchema(product, { product: { name: 'Kettle', offers: { price: 1 } } });
			expect(JSON.parse(findElements(written).text)).toEqual({
				'@context': 'https://schema.org',
				'@type': 'Product',
				name: 'Kettle',
				offers: { '@type': 'Offer', price: 1 },
			});
		}
	});

	test('a review without an author or a rating is left out, the aggregate is not', () => {
		const node = nodeOf({}, schemaWith(stated({ author: undefined }), stated({ rating: undefined })));
		expect(node['review']).toBeUndefined();
		expect(node['aggregateRating']).toMatchObject({ reviewCount: 2 });
	});

	test('parts that are not known are not there', () => {
		const node = nodeOf({}, schemaWith(stated({ publisher: undefined, body: undefined, date: undefined })));
		expect(Object.keys((node['review'] as object[])[0] ?? {})).toEqual(['@type', 'author', 'reviewRating']);
	});
});

describe('limits', () => {
	const many = schemaWith(
		...['2026-01-01', '2026-03-01', '2026-02-01'].map((date, index) => stated({ date, rating: index + 1 })),
	);

	test.each<[Props, number[]]>([
		[{}, [1, 2, 3]],
		[{ limit: 2 }, [1, 2]],
		[{ sort: 'newest', limit: 2 }, [2, 3]],
		[{ sort: 'highest' }, [3, 2, 1]],
	])('%j states the reviews %j', (props, expected) => {
		const node = nodeOf(props, many);
		const ratings = (node['review'] as { reviewRating: { ratingValue: number } }[]).map(
			({ reviewRating }) => reviewRating.ratingValue,
		);
		expect(ratings).toEqual(expected);
		expect(node['aggregateRating']).toMatchObject({ reviewCount: 2, ratingValue: 4.5 });
	});

	test('limit 0 states the aggregate alone', () => {
		expect(nodeOf({ limit: 0 }, many)).not.toHaveProperty('review');
	});

	test('an author’s name is shorter than 100 characters, whole characters', () => {
		const [review] = nodeOf({}, schemaWith(stated({ author: '😀'.repeat(100) })))['review'] as {
			author: { name: string };
		}[];
		expect([...(review?.author.name ?? '')]).toHaveLength(99);
		expect(review?.author.name.isWellFormed()).toBe(true);
	});
});
