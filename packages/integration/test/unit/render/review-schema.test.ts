import { SCHEMA_SCRIPT_ID as DOCUMENTED_ID } from 'product-reviews-client/contract';
import { describe, expect, test } from 'vitest';
import { SCHEMA_SCRIPT_ID } from '../../../src/render/schema-script-id.js';
import { findElements } from '../../support/page/elements.js';
import { record, stated } from '../../support/unit/record.js';
import { renderSchema } from '../../support/unit/schema.js';

type Props = Parameters<typeof renderSchema>[1];

/** The node that a page states. */
function nodeOf(props: Props = {}, product = record(), publishers?: readonly string[]) {
	const { elements, text } = findElements(renderSchema(product, props, publishers));
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
		['null', null, undefined],
		['a type that is not known', { '@type': undefined, price: 1 }, { '@type': 'Offer', price: 1 }],
		['a reference', { '@id': '#offer' }, { '@id': '#offer' }],
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
		expect(renderSchema(product, props)).toBe(expected);
	});

	test('a product with a name stands alone, without rating and reviews', () => {
		for (const product of [EMPTY, undefined]) {
			const written = renderSchema(product, { product: { name: 'Kettle', offers: { price: 1 } } });
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

describe('type', () => {
	test('a group of variants keeps what the page says of them', () => {
		const product = {
			name: 'Kettle',
			productGroupID: 'k',
			variesBy: 'https://schema.org/color',
			hasVariant: [],
		};
		expect(nodeOf({ product, type: 'ProductGroup' })).toMatchObject({
			...product,
			'@type': 'ProductGroup',
			aggregateRating: { reviewCount: 2 },
		});
	});

	test("the type of the page's own node stays", () => {
		const product = { '@type': ['Product', 'Book'], name: 'K' };
		expect(nodeOf({ product })['@type']).toEqual(['Product', 'Book']);
	});

	test('another type is an error', () => {
		const props = { type: 'Organization' } as unknown as Props;
		expect(() => renderSchema(record(), props)).toThrowErrorMatchingInlineSnapshot(
			`[TypeError: Expected \`type\` to be 'Product' or 'ProductGroup', received 'Organization'.]`,
		);
	});

	test.each(['Organization', 'https://schema.org/Organization', 'Restaurant', ['Thing', 'Store']])(
		'ratings of a business (%s) are refused',
		(type) => {
			const product = { '@type': type, name: 'Fjell & Form' };
			expect(() => renderSchema(record(), { product })).toThrow(
				/^Expected `product` of <ReviewSchema> to be a Product, received a node of "@type": /,
			);
		},
	);
});

describe('id', () => {
	const id = 'https://shop.example/kettle/?a=1&b=<2>#product';

	test('a node of that id, character for character, holds the rating and no address', () => {
		const node = nodeOf({ id });
		expect(node).toMatchObject({
			'@type': 'Product',
			'@id': id,
			name: 'Kettle',
			aggregateRating: { reviewCount: 2 },
		});
		expect(node).not.toHaveProperty('url');
	});

	test('it goes before that of the own node', () => {
		expect(nodeOf({ id, product: { '@id': 'other', name: 'Own' } })).toMatchObject({
			'@id': id,
			name: 'Own',
		});
	});

	test('a product without ratings has nothing to join', () => {
		expect(renderSchema(record({ aggregate: undefined }), { id, product: { name: 'Kettle' } })).toBe('');
	});
});

describe('publishers', () => {
	const reviews = [
		stated({ author: 'A' }),
		stated({ author: 'B', publisher: 'Marketplace' }),
		stated({ author: 'C', publisher: undefined }),
	];
	const authorsWith = (publishers?: string[], props: Props = {}) =>
		(nodeOf(props, schemaWith(...reviews), publishers)['review'] as { author: { name: string } }[]).map(
			({ author }) => author.name,
		);

	test('without the option, all reviews are in', () => {
		expect(authorsWith()).toEqual(['A', 'B', 'C']);
	});

	test('reviews imported from elsewhere are left out', () => {
		expect(authorsWith([' shop '])).toEqual(['A', 'C']);
	});

	test('they do not count towards the limit, and the aggregate rating stays', () => {
		expect(authorsWith(['Shop'], { limit: 2 })).toEqual(['A', 'C']);
		expect(nodeOf({}, schemaWith(...reviews), ['Shop'])).toMatchObject({
			aggregateRating: { reviewCount: 2 },
		});
	});
});

describe('values that a catalogue does not have', () => {
	test.each([undefined, null, ''])('%j takes the place of nothing', (value) => {
		const props = {
			id: value,
			type: value || undefined,
			product: { name: value, '@id': value, '@type': value, sku: 'k' },
		};
		expect(nodeOf(props as unknown as Props)).toMatchObject({
			'@type': 'Product',
			'@id': 'https://shop.example/products/p-1',
			name: 'Kettle',
			sku: 'k',
		});
	});

	test.each([
		{ name: 'Kettle' },
		{ name: 'Kettle', sku: 'k' },
		{ name: '', offers: { price: 1 } },
		{ offers: { price: 1 } },
	])('without ratings %j is no Product to a search engine', (product) => {
		expect(renderSchema(record({ aggregate: undefined }), { product })).toBe('');
	});

	test.each<[unknown, string]>([
		[[{ name: 'x' }], 'an array'],
		['Kettle', 'a value of type string'],
		[{ '@graph': [] }, 'a "@graph"'],
	])('%j is no node', (product, received) => {
		expect(() => renderSchema(record(), { product } as Props)).toThrow(
			`Expected \`product\` of <ReviewSchema> to be one Product node, received ${received}.`,
		);
	});
});

test('an author of whom nothing is to be seen is none', () => {
	const authors = ['\u3164', '\u2800', `${'\u200b'.repeat(120)}A`];
	const product = schemaWith(...authors.map((author) => stated({ author })), stated());
	expect(nodeOf({}, product)['review']).toHaveLength(1);
});
