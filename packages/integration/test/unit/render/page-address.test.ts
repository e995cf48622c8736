import { describe, expect, test } from 'vitest';
import { pageAddress } from '../../../src/render/page-address.js';
import { toProductNode } from '../../../src/render/to-product-node.js';

const SITE = new URL('https://shop.example');
const pageOf = (url: string, site: URL | undefined = SITE) => ({ url: new URL(url), site });

test.each([
	['https://shop.example/p/kettle/', 'https://shop.example/p/kettle/'],
	['http://localhost:4321/p/kettle/', 'https://shop.example/p/kettle/'],
	['http://localhost:4321/p/kettle?page=2#reviews', 'https://shop.example/p/kettle'],
	['http://localhost:4321/shop/p/kettle.html', 'https://shop.example/shop/p/kettle.html'],
	['http://localhost:4321/p/vannkoker%20bl%C3%A5/', 'https://shop.example/p/vannkoker%20bl%C3%A5/'],
	['http://localhost:4321//evil.example/p', 'https://shop.example//evil.example/p'],
])('%s', (url, address) => {
	expect(pageAddress(pageOf(url))).toBe(address);
});

test('what is no address of the page is none', () => {
	expect(pageAddress({ url: new URL('http://localhost:4321/p/'), site: undefined })).toBeUndefined();
	expect(pageAddress(pageOf('https://shop.example/shop/_server-islands/ReviewSchema'))).toBeUndefined();
});

describe('the address of a node', () => {
	const STATED = {
		name: 'Kettle',
		url: 'https://elsewhere.example/kettle',
		rating: { average: 4.5, count: 2 },
		reviews: '',
	};
	const PAGE = 'https://shop.example/p/kettle/';
	const OWN = 'https://shop.example/kettle';

	test.each<
		[what: string, product: Record<string, string>, address: string | undefined, id: string, url: string]
	>([
		['is that of the page', {}, PAGE, PAGE, PAGE],
		['is what the page says', { url: OWN }, PAGE, OWN, OWN],
		['is not its name', { '@id': '#kettle' }, PAGE, '#kettle', PAGE],
		['is whatever the page says', { '@id': '#kettle', url: OWN }, PAGE, '#kettle', OWN],
		['is that of the service where the page has none', {}, undefined, STATED.url, STATED.url],
	])('%s', (_what, product, address, id, url) => {
		expect(toProductNode(STATED, { product }, address)).toMatchObject({ '@id': id, url });
	});

	test('is not written for a node that joins another', () => {
		expect(toProductNode(STATED, { id: OWN }, PAGE)).not.toHaveProperty('url');
	});
});
