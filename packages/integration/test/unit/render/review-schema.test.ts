import { SCHEMA_SCRIPT_ID } from 'product-reviews-client/contract';
import { describe, expect, test } from 'vitest';
import { InvalidPropError } from '../../../src/errors.js';
import { pageAddress } from '../../../src/render/fragment.js';
import { missingOfferParts } from '../../../src/render/render-review-schema.js';
import { findElements } from '../../support/page/elements.js';
import { record, stated } from '../../support/unit/record.js';
import { type Props, write } from '../../support/unit/write.js';

const ADDRESS = 'https://shop.example/products/p-1';
const OWN = 'https://shop.example/kettle';
const schema = (
	props: Props = {},
	product: ReturnType<typeof record> | undefined = record(),
	settings: Parameters<typeof write>[3] = {},
) => write('ReviewSchema', product, props, settings);

function nodeOf(...args: Parameters<typeof schema>) {
	const { elements, text } = findElements(schema(...args));
	const attributes = { type: 'application/ld+json', id: SCHEMA_SCRIPT_ID };
	expect(elements).toEqual([{ tag: 'script', attributes }]);
	return JSON.parse(text) as Record<string, unknown>;
}
const schemaWith = (...reviews: ReturnType<typeof stated>[]) =>
	record({ schema: { name: 'Kettle', url: ADDRESS, reviews } });
const reviewsOf = (node: Record<string, unknown>) =>
	(node['review'] ?? []) as { author: { name: string }; reviewRating: { ratingValue: number } }[];

test('the documented structure', () => {
	const bounds = { bestRating: '5', worstRating: '1' };
	expect(nodeOf()).toEqual({
		'@context': 'https://schema.org',
		'@id': ADDRESS,
		'@type': 'Product',
		aggregateRating: { '@type': 'AggregateRating', ratingValue: 4.5, reviewCount: 2, ...bounds },
		name: 'Kettle',
		review: [
			{
				'@type': 'Review',
				author: { '@type': 'Person', name: 'Ada' },
				datePublished: '2026-11-20',
				publisher: { '@type': 'Organization', name: 'Shop' },
				reviewBody: 'Boils fast.',
				reviewRating: { '@type': 'Rating', ratingValue: 5, ...bounds },
			},
		],
		url: ADDRESS,
	});
});

test('a review has its language and the day of its last change', () => {
	const reviews = [stated({ editedDate: '2026-11-22', language: 'nb' })];
	const schema = { name: 'Kettle', url: undefined, reviews };
	expect(nodeOf({}, record({ schema })).review).toMatchObject([
		{ datePublished: '2026-11-20', dateModified: '2026-11-22', inLanguage: 'nb' },
	]);
});

describe('with the page’s own product', () => {
	test('its values come first and are left as they were, and it gains rating and reviews', () => {
		const product = { '@id': '#product', name: 'My Kettle', image: ['a.jpg'], offers: [{ price: 1 }] };
		const given = structuredClone(product);
		expect(nodeOf({ product })).toMatchObject({
			...product,
			offers: [{ '@type': 'Offer', price: 1 }],
			url: ADDRESS,
			aggregateRating: { ratingValue: 4.5, reviewCount: 2 },
			review: [{ author: { name: 'Ada' } }],
		});
		expect(product).toEqual(given);
	});

	test.each<[string, unknown, unknown]>([
		['an offer', { price: 19.9 }, { '@type': 'Offer', price: 19.9 }],
		['a range of prices', { lowPrice: 1 }, { '@type': 'AggregateOffer', lowPrice: 1 }],
		['several', [{ price: 1 }, 'b'], [{ '@type': 'Offer', price: 1 }, 'b']],
		['an address', OWN, OWN],
		['null', null, undefined],
		['a type that is not known', { '@type': undefined, price: 1 }, { '@type': 'Offer', price: 1 }],
		['a reference', { '@id': '#offer' }, { '@id': '#offer' }],
	])('offers: %s', (_what, offers, expected) => {
		expect(nodeOf({ product: { offers } })['offers']).toEqual(expected);
	});

	test.each([undefined, null, ''])('%j takes the place of nothing', (value) => {
		const product = { name: value, url: value, '@id': value, '@type': value, sku: 'k' };
		const expected = { '@type': 'Product', '@id': ADDRESS, url: ADDRESS, name: 'Kettle', sku: 'k' };
		expect(nodeOf({ nodeId: value, type: value || undefined, product })).toMatchObject(expected);
	});

	test.each<[unknown, string]>([
		[[{ name: 'x' }], 'to be one Product node, received an array.'],
		['Kettle', 'to be one Product node, received a value of type string.'],
		[{ '@graph': [] }, 'to be one Product node, received a "@graph".'],
		...['Organization', 'https://schema.org/Organization', 'Restaurant'].map((type): [unknown, string] => [
			{ '@type': type, name: 'Fjell & Form' },
			`to be a Product, received a node of "@type": "${type}".`,
		]),
		[{ '@type': ['Thing', 'Store'] }, 'to be a Product, received a node of "@type": "Thing", "Store".'],
	])('%j is an error', (product, message) => {
		expect(() => schema({ product })).toThrow(`expected \`product\` ${message}`);
	});
});

test('a text is stated as it is, also where it looks like markup or an entity', () => {
	const body = '&lt;b&gt; &amp; <b> "';
	const { review } = nodeOf(
		{},
		record({ schema: { name: 'Kettle', url: undefined, reviews: [stated({ body })] } }),
	);
	expect(review).toMatchObject([{ reviewBody: body }]);
});

test('a rating without reviews is stated alone', () => {
	const node = nodeOf({}, record({ reviews: [], schema: { name: 'Kettle', url: undefined, reviews: [] } }));
	expect(node).toMatchObject({ aggregateRating: { reviewCount: 2 } });
	expect(node).not.toHaveProperty('review');
});

describe('nothing is invented', () => {
	const UNRATED = record({ aggregate: undefined, reviews: [], schema: undefined });
	const KETTLE = { name: 'Kettle' };

	test.each<[string, ReturnType<typeof record>, Props]>([
		['no reviews', UNRATED, {}],
		['no ratings, and nothing but a name', UNRATED, { product: KETTLE }],
		['no ratings, and an empty name', UNRATED, { product: { name: '', offers: { price: 1 } } }],
		['no ratings, and no name', UNRATED, { product: { offers: { price: 1 } } }],
		['no ratings to join', UNRATED, { nodeId: '#k', product: { ...KETTLE, offers: { price: 1 } } }],
		['no structured data, though there are ratings', record({ schema: undefined }), {}],
		['no usable average', record({ aggregate: undefined }), {}],
	])('%s', (_what, product, props) => {
		expect(schema(props, product)).toBe('');
		if (product === UNRATED) expect(write('ReviewSchema', undefined, props)).toBe('');
	});

	test('a product with a name and an offer stands alone, without rating and reviews', () => {
		const props = { product: { ...KETTLE, offers: { price: 1 } } };
		expect(nodeOf(props, UNRATED)).toEqual({
			...{ '@context': 'https://schema.org', '@type': 'Product', name: 'Kettle' },
			offers: { '@type': 'Offer', price: 1 },
		});
		expect(write('ReviewSchema', undefined, props)).toBe(schema(props, UNRATED));
	});

	test('a review without an author or a rating is left out, the aggregate is not, and no part is that is not known', () => {
		const unseen = ['\u3164', '\u2800', `${'\u200b'.repeat(120)}A`].map((author) => stated({ author }));
		const lacking = [stated({ author: undefined }), stated({ rating: undefined }), ...unseen];
		const node = nodeOf({}, schemaWith(...lacking));
		expect(node).not.toHaveProperty('review');
		expect(node['aggregateRating']).toMatchObject({ reviewCount: 2 });
		const bare = stated({ publisher: undefined, body: undefined, date: undefined });
		const reviews = reviewsOf(nodeOf({}, schemaWith(...lacking, bare)));
		expect(reviews.map(Object.keys)).toEqual([['@type', 'author', 'reviewRating']]);
	});
});

const dates = ['2026-01-01', '2026-03-01', '2026-02-01'];
const many = schemaWith(...dates.map((date, index) => stated({ date, rating: index + 1 })));

test.each([
	[{ id: '#k' }, 'there is no prop `id`. Did you mean `nodeId`?'],
	[{ limits: 3 }, 'there is no prop `limits`. Did you mean `limit`?'],
])('a prop that it does not have is an error: %j', (props, message) => {
	expect(() => schema(props)).toThrow(new InvalidPropError(message));
	expect(schema({ 'data-astro-cid-x': true, class: 'mine', slot: 'head' })).toBe(schema());
});

test('limit and order decide which reviews are stated; the aggregate counts all', () => {
	const node = nodeOf({ sort: 'newest', limit: 2 }, many);
	expect(reviewsOf(node).map(({ reviewRating }) => reviewRating.ratingValue)).toEqual([2, 3]);
	expect(reviewsOf(nodeOf({}, many))).toHaveLength(3);
	const hundred = schemaWith(...Array.from({ length: 120 }, () => stated()));
	expect(reviewsOf(nodeOf({}, hundred))).toHaveLength(100);
	expect(reviewsOf(nodeOf({ limit: Number.POSITIVE_INFINITY }, hundred))).toHaveLength(120);
	expect(nodeOf({ limit: 0 }, many)).not.toHaveProperty('review');
	// An author's name is shorter than 100 characters, whole ones.
	const [review] = reviewsOf(nodeOf({}, schemaWith(stated({ author: '😀'.repeat(100) }))));
	expect(review?.author.name).toBe('😀'.repeat(99));
	expect(node['aggregateRating']).toMatchObject({ reviewCount: 2, ratingValue: 4.5 });
});

test.each<[publishers: string[] | undefined, props: Props, authors: string]>([
	[undefined, {}, 'ABC'],
	[[' shop '], {}, 'AC'],
	// Only of those that readers see.
	[['Shop'], { limit: 2 }, 'A'],
])('reviews of the publishers %j with %j are those of %s', (publishers, props, authors) => {
	const reviews = ['Shop', 'Marketplace', undefined].map((publisher, index) =>
		stated({ author: 'ABC'[index], publisher }),
	);
	const node = nodeOf(props, schemaWith(...reviews), { ownPublishers: publishers });
	expect(reviewsOf(node).map(({ author }) => author.name)).toEqual([...authors]);
	expect(node['aggregateRating']).toMatchObject({ reviewCount: 2 });
});

test('the type is a product, a group of variants or what the page says', () => {
	const variants = { variesBy: 'https://schema.org/color', hasVariant: [] };
	const product = { name: 'Kettle', productGroupID: 'k', ...variants };
	expect(nodeOf({ product, type: 'ProductGroup' })).toMatchObject({
		...{ ...product, '@type': 'ProductGroup' },
		aggregateRating: { reviewCount: 2 },
	});
	expect(nodeOf({ product: { '@type': ['Product', 'Book'] } })['@type']).toEqual(['Product', 'Book']);
	expect(() => schema({ type: 'Organization' })).toThrow(
		new InvalidPropError("expected `type` to be one of 'Product', 'ProductGroup', received 'Organization'."),
	);
});

describe('the id and the address of a node', () => {
	const ID = 'https://shop.example/kettle/?a=1&b=<2>#product';
	const PAGE = 'https://shop.example/p/kettle/';

	test('a node of that id, character for character, holds the rating and no address', () => {
		const node = nodeOf({ nodeId: ID }, record(), { address: PAGE });
		const aggregateRating = { reviewCount: 2 };
		expect(node).toMatchObject({ '@type': 'Product', '@id': ID, name: 'Kettle', aggregateRating });
		expect(node).not.toHaveProperty('url');
		const product = { '@id': 'other', name: 'Own' };
		expect(nodeOf({ nodeId: ID, product })).toMatchObject({ '@id': ID, name: 'Own' });
	});

	test.each<[what: string, product: Props, address: string | undefined, id: string, url: string]>([
		['is that of the page', {}, PAGE, PAGE, PAGE],
		['is what the page says', { url: OWN }, PAGE, OWN, OWN],
		['is whatever the page says', { '@id': '#kettle', url: OWN }, PAGE, '#kettle', OWN],
		['is that of the service where the page has none', {}, undefined, ADDRESS, ADDRESS],
	])('%s', (_what, product, address, id, url) => {
		expect(nodeOf({ product }, record(), { address })).toMatchObject({ '@id': id, url });
	});

	test.each([
		['https://shop.example/p/kettle/', 'https://shop.example/p/kettle/'],
		['http://localhost:4321/p/kettle?page=2#reviews', 'https://shop.example/p/kettle'],
		['http://localhost:4321/shop/p/kettle.html', 'https://shop.example/shop/p/kettle.html'],
		['http://localhost:4321/p/vannkoker%20bl%C3%A5/', 'https://shop.example/p/vannkoker%20bl%C3%A5/'],
		['http://localhost:4321//evil.example/p', 'https://shop.example//evil.example/p'],
		['https://shop.example/shop/_server-islands/ReviewSchema', undefined],
	])('a page at %s has the address %s', (url, address) => {
		expect(pageAddress({ url: new URL(url), site: new URL('https://shop.example') })).toBe(address);
		expect(pageAddress({ url: new URL(url), site: undefined })).toBeUndefined();
	});

	const FILES = { hasPageFiles: true };
	const DOMAINS = { domains: ['https://shop.de', 'https://fr.shop.example:8443'] };

	test.each<[string, Parameters<typeof pageAddress>[1], boolean, string]>([
		['http://localhost:4321/p/kettle.html', FILES, true, 'https://shop.example/p/kettle'],
		['http://localhost:4321/shop/index.html', FILES, true, 'https://shop.example/shop/'],
		['http://localhost:4321/index.html', FILES, true, 'https://shop.example/'],
		// Of a route that has the ending in its own name.
		['https://shop.example/p/kettle.html', FILES, false, 'https://shop.example/p/kettle.html'],
		['http://localhost:4321/p/kettle.html', {}, true, 'https://shop.example/p/kettle.html'],
		['http://shop.de/p/kessel', DOMAINS, false, 'https://shop.de/p/kessel'],
		['https://fr.shop.example:8443/p/', DOMAINS, false, 'https://fr.shop.example:8443/p/'],
		['https://evil.example/p', DOMAINS, false, 'https://shop.example/p'],
	])('%s with %j, prerendered: %j, is %s', (url, settings, isPrerendered, address) => {
		const page = { url: new URL(url), site: new URL('https://shop.example'), isPrerendered };
		expect(pageAddress(page, settings)).toBe(address);
	});
});

test.each<[what: string, offers: unknown, missing: string[]]>([
	['no offer', undefined, []],
	['a whole offer', { price: 19.9, priceCurrency: 'EUR' }, []],
	['several offers in one', { lowPrice: '10', priceCurrency: 'EUR' }, []],
	['a price specification', { priceSpecification: { price: 1, priceCurrency: 'EUR' } }, []],
	['price specifications', { priceCurrency: 'EUR', priceSpecification: [{ name: 'x' }, { price: 1 }] }, []],
	['a price specification elsewhere', { priceSpecification: { '@id': '#price' } }, []],
	['an offer elsewhere', { '@id': '#offer' }, []],
	['no price', { priceCurrency: 'EUR' }, ['price']],
	['an empty price', { price: '', priceCurrency: 'EUR' }, ['price']],
	['no currency', { price: 19.9 }, ['priceCurrency']],
	['a specification without a currency', { priceSpecification: { price: 1 } }, ['priceCurrency']],
	['neither', { availability: 'InStock' }, ['price', 'priceCurrency']],
	['one of two', [{ price: 1, priceCurrency: 'EUR' }, { price: 1 }], ['priceCurrency']],
])('what search engines miss in offers: %s', (_what, offers, missing) => {
	expect(missingOfferParts(offers)).toEqual(missing);
});
