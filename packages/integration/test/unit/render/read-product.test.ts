import { describe, expect, test } from 'vitest';
import { isUsableGtin } from '../../../src/base/product-id.js';
import { checkProduct } from '../../../src/render/check-product.js';
import { readProduct } from '../../../src/render/read-product.js';

const PLACE = { site: new URL('https://shop.example/'), base: '/store' };
const read = (product: unknown) => readProduct(product, PLACE).product;

/** What Astro gives for `import kettle from './kettle.png'`, and for `getImage({ src: kettle })`. */
const IMPORTED = { src: '/store/_astro/kettle.Cx1.png', width: 800, height: 600, format: 'png' };
const OPTIMIZED = { src: '/store/_astro/kettle.Cx1_Z2.webp', attributes: {}, options: {}, rawOptions: {} };
const OPTIMIZED_URL = 'https://shop.example/store/_astro/kettle.Cx1_Z2.webp';
const IMPORTED_URL = 'https://shop.example/store/_astro/kettle.Cx1.png';

class Money {
	readonly cents: number;
	constructor(cents: number) {
		this.cents = cents;
	}
	toJSON() {
		return (this.cents / 100).toFixed(2);
	}
}

class Brand {
	readonly '@type' = 'Brand';
	readonly name: string;
	constructor(name: string) {
		this.name = name;
	}
}

describe('what people write in Astro becomes plain data', () => {
	test.each<[string, unknown, unknown]>([
		[
			'a date of a content collection',
			{ priceValidUntil: new Date('2026-12-31') },
			{ priceValidUntil: '2026-12-31' },
		],
		[
			'a date with a time',
			{ validFrom: new Date('2026-12-31T08:30:00Z') },
			{ validFrom: '2026-12-31T08:30:00.000Z' },
		],
		['an imported image', { image: IMPORTED }, { image: IMPORTED_URL }],
		['the result of getImage()', { image: OPTIMIZED }, { image: OPTIMIZED_URL }],
		['an image of import.meta.glob()', { image: { default: IMPORTED } }, { image: IMPORTED_URL }],
		[
			'a list of images of several kinds',
			{ image: [IMPORTED, '/img/kettle.png', '/store/img/kettle.png', 'https://cdn.example/kettle.png'] },
			{
				image: [
					IMPORTED_URL,
					'https://shop.example/store/img/kettle.png',
					'https://shop.example/store/img/kettle.png',
					'https://cdn.example/kettle.png',
				],
			},
		],
		[
			'a node of an image, and one of a brand with a logo',
			{
				image: { '@type': 'ImageObject', url: '/a b.png' },
				brand: { name: 'Ann', logo: '//cdn.example/l.svg' },
			},
			{
				image: { '@type': 'ImageObject', url: 'https://shop.example/store/a%20b.png' },
				brand: { name: 'Ann', logo: 'https://cdn.example/l.svg' },
			},
		],
		[
			'a relative address of a page',
			{ url: '/products/kettle/' },
			{ url: 'https://shop.example/store/products/kettle/' },
		],
		['an id, as it is', { '@id': '/#kettle' }, { '@id': '/#kettle' }],
		['a bigint of a database', { sku: 123n }, { sku: '123' }],
		['a map', { offers: new Map([['price', 12]]) }, { offers: { price: 12 } }],
		['a set', { color: new Set(['red', 'blue']) }, { color: ['red', 'blue'] }],
		[
			'an instance that says what it is as JSON',
			{ offers: { price: new Money(1250) } },
			{ offers: { price: '12.50' } },
		],
		['an instance', { brand: new Brand('Ann') }, { brand: { '@type': 'Brand', name: 'Ann' } }],
		[
			'an object without a prototype',
			Object.assign(Object.create(null), { name: 'Kettle' }),
			{ name: 'Kettle' },
		],
		['an address object', { url: new URL('https://shop.example/a') }, { url: 'https://shop.example/a' }],
		[
			'undefined, also in lists',
			{ mpn: undefined, image: [undefined, 'https://a.example/b'] },
			{ image: ['https://a.example/b'] },
		],
		['null and empty texts, as they are', { mpn: null, gtin: '' }, { mpn: null, gtin: '' }],
		[
			'a word for a value',
			{ offers: { availability: 'in stock' } },
			{ offers: { availability: 'https://schema.org/InStock' } },
		],
		[
			'such a word in another form',
			{ availability: 'PRE_ORDER' },
			{ availability: 'https://schema.org/PreOrder' },
		],
		[
			'a value of the vocabulary, as it is',
			{ availability: 'http://schema.org/SoldOut' },
			{ availability: 'http://schema.org/SoldOut' },
		],
		['a condition', { itemCondition: 'Used' }, { itemCondition: 'https://schema.org/UsedCondition' }],
		['a currency in small letters', { priceCurrency: 'eur ' }, { priceCurrency: 'EUR' }],
		[
			'variants and their offers',
			{ hasVariant: [{ sku: 1n, offers: [{ price: 2n }] }] },
			{ hasVariant: [{ sku: '1', offers: [{ price: '2' }] }] },
		],
		['the same object twice', { a: IMPORTED, b: IMPORTED }, { a: IMPORTED_URL, b: IMPORTED_URL }],
	])('%s', (_what, given, expected) => {
		expect(read(given)).toEqual(expected);
		expect(JSON.parse(JSON.stringify(read(given)))).toEqual(expected);
	});

	test('data that is plain already is as it was, in every order of its keys', () => {
		const product = {
			name: 'Kettle',
			offers: { price: 64, priceCurrency: 'EUR', toString: 'x' },
			constructor: ['a'],
		};
		expect(JSON.stringify(read(product))).toBe(JSON.stringify(product));
	});

	test('without a site, an address stays as it is, and is named', () => {
		const { product } = readProduct({ image: '/img/kettle.png' }, {});
		expect(product).toEqual({ image: '/img/kettle.png' });
		expect(checkProduct(product)).toEqual([{ kind: 'address', field: 'image', written: '/img/kettle.png' }]);
	});
});

test('a value that is none is left out, and named', () => {
	const given = {
		weight: Number.NaN,
		offers: [{ price: 1 }, { price: Infinity, validFrom: new Date('soon') }],
	};
	expect(readProduct(given, PLACE)).toEqual({
		product: { offers: [{ price: 1 }, {}] },
		problems: [
			{ kind: 'value', field: 'weight', written: 'NaN' },
			{ kind: 'value', field: 'offers[1].price', written: 'Infinity' },
			{ kind: 'value', field: 'offers[1].validFrom', written: 'Invalid Date' },
		],
	});
});

const circle: Record<string, unknown> = { name: 'Kettle' };
circle['isRelatedTo'] = [circle];

test.each<[unknown, string]>([
	[{ offers: { price: () => 1 } }, '`product.offers.price` to be data, received a function'],
	[{ sku: Symbol('a') }, '`product.sku` to be data, received a symbol'],
	[
		{ image: Promise.resolve(IMPORTED) },
		'`product.image` to be data, received a promise: write `await` before it',
	],
	[Promise.resolve({}), '`product` to be data, received a promise: write `await` before it'],
	[circle, '`product.isRelatedTo[0]` to be data, received an object that contains itself'],
	[{ image: new Uint8Array(9) }, '`product.image` to be data, received bytes'],
])('what can never be data is an error with its path: %#', (given, message) => {
	expect(() => read(given)).toThrow(`expected ${message}.`);
});

describe('search engines refuse', () => {
	test.each<[string, object, string, string]>([
		['a price with a comma', { offers: { price: '1.299,00' } }, 'price', 'offers.price'],
		['a price with its currency', { offers: { price: '€ 12' } }, 'price', 'offers.price'],
		['a price of nothing', { offers: [{ price: 1 }, { price: 0 }] }, 'price', 'offers[1].price'],
		['a price of several offers', { offers: { lowPrice: 1, highPrice: '9,5' } }, 'price', 'offers.highPrice'],
		[
			'a price of a variant',
			{ hasVariant: [{ offers: { price: 'free' } }] },
			'price',
			'hasVariant[0].offers.price',
		],
		[
			'a price in a specification',
			{ offers: { priceSpecification: { price: '1 299' } } },
			'price',
			'offers.priceSpecification.price',
		],
		['a sign as a currency', { offers: { priceCurrency: '€' } }, 'currency', 'offers.priceCurrency'],
		[
			'a currency that there is not',
			{ offers: { priceCurrency: 'EURO' } },
			'currency',
			'offers.priceCurrency',
		],
		[
			'an availability that means anything',
			{ offers: { availability: 'maybe' } },
			'availability',
			'offers.availability',
		],
		[
			'an availability that is yes or no',
			{ offers: { availability: true } },
			'availability',
			'offers.availability',
		],
		[
			'a condition of its own',
			{ offers: { itemCondition: 'like new' } },
			'condition',
			'offers.itemCondition',
		],
		['a GTIN with a wrong check digit', { gtin: '4006381333932' }, 'gtin', 'gtin'],
		['a GTIN of nothing but zeros', { gtin13: '0000000000000' }, 'gtin', 'gtin13'],
		[
			'a day as people write it',
			{ offers: { priceValidUntil: '31.12.2026' } },
			'date',
			'offers.priceValidUntil',
		],
		['a day that there is not', { releaseDate: '2026-02-30' }, 'date', 'releaseDate'],
		[
			'a time in milliseconds',
			{ offers: { priceValidUntil: 1_798_675_200_000 } },
			'date',
			'offers.priceValidUntil',
		],
		['a path from the source', { image: './kettle.png' }, 'address', 'image'],
		['an image as data', { image: ['data:image/png;base64,AAAA'] }, 'address', 'image[0]'],
	])('%s', (_what, product, kind, field) => {
		expect(checkProduct(product)).toEqual([{ kind, field, written: expect.any(String) }]);
	});

	test('nothing of what their documents show, and a hundred wrong variants are named twenty times', () => {
		const offer = { price: '119.99', priceCurrency: 'USD', availability: 'https://schema.org/InStock' };
		const until = { priceValidUntil: '2026-11-20', itemCondition: 'https://schema.org/UsedCondition' };
		const node = {
			'@context': 'https://schema.org/',
			image: ['https://example.com/photos/1x1/photo.jpg'],
			gtin14: '10614141000415',
			offers: {
				url: 'https://example.com/anvil',
				...offer,
				...until,
				validFrom: '2026-11-20T08:00:00+01:00',
			},
			hasVariant: [{ offers: { lowPrice: 10, highPrice: 20.5, offerCount: 2 } }],
			review: { datePublished: '2026-01-02' },
		};
		expect(checkProduct(node)).toEqual([]);
		const hasVariant = Array.from({ length: 100 }, () => ({ gtin: '1' }));
		expect(checkProduct({ hasVariant })).toHaveLength(20);
	});
});

test.each<[string, boolean]>([
	['4006381333931', true],
	['4006381333932', false],
	['4006-3813 33931', true],
	['036000291452', true],
	['96385074', true],
	['73513537', true],
	['73513538', false],
	['10614141000415', true],
	['9780306406157', true],
	// For use within a shop, and coupons.
	['2001234567893', false],
	['0212345678908', false],
	['212345678992', false],
	['9912345678900', false],
	['20123451', false],
	['00000000', false],
	['0000000000000', false],
	['', false],
	['40063813339', false],
	['978030640615X', false],
])('the GTIN %j is usable: %j', (text, isUsable) => {
	expect(isUsableGtin(text)).toBe(isUsable);
});
