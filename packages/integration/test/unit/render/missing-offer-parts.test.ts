import { expect, test } from 'vitest';
import { missingOfferParts } from '../../../src/render/missing-offer-parts.js';

test.each<[what: string, offers: unknown, missing: string[]]>([
	['no offer', undefined, []],
	['a whole offer', { price: 19.9, priceCurrency: 'EUR' }, []],
	['an offer for nothing', { price: 0, priceCurrency: 'EUR' }, []],
	['several offers in one', { lowPrice: '10', priceCurrency: 'EUR' }, []],
	['a price specification', { priceSpecification: { price: 1, priceCurrency: 'EUR' } }, []],
	['price specifications', { priceCurrency: 'EUR', priceSpecification: [{ name: 'x' }, { price: 1 }] }, []],
	['a price specification elsewhere', { priceSpecification: { '@id': '#price' } }, []],
	['an offer elsewhere', { '@id': '#offer' }, []],
	['an address', 'https://shop.example/offer', []],
	['no price', { priceCurrency: 'EUR' }, ['price']],
	['an empty price', { price: '', priceCurrency: 'EUR' }, ['price']],
	['no currency', { price: 19.9 }, ['priceCurrency']],
	['a specification without a currency', { priceSpecification: { price: 1 } }, ['priceCurrency']],
	['neither', { availability: 'InStock' }, ['price', 'priceCurrency']],
	['one of two', [{ price: 1, priceCurrency: 'EUR' }, { price: 1 }], ['priceCurrency']],
])('%s', (_what, offers, missing) => {
	expect(missingOfferParts(offers)).toEqual(missing);
});
