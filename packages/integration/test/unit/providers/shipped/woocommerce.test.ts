import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { kindOf } from '../../../../src/base/failures.js';
import wooCommerce from '../../../../src/providers/shipped/woocommerce.js';
import { callProvider, startStandIn } from '../../../support/unit/stand-in.js';

const KETTLE = 'Kettle &#8220;Nord&#8221; &#8211; 1.7 l';
const review = (id: number, more = {}) => ({
	...{ id, product_id: 128, reviewer: 'Mira &amp; Jo', rating: 5, verified: true, product_name: KETTLE },
	date_created: '2026-03-02T19:05:41',
	date_created_gmt: '2026-03-02T18:05:41',
	product_permalink: 'https://cms.shop.example/product/kettle-nord/',
	product_image: { src: 'https://cms.shop.example/kettle.jpg' },
	review:
		'<p>Boils fast &#8211; and it&#8217;s quiet.<br />\nLid is stiff.</p>\n<p>Would buy again &#x1f44d;</p>\n',
	reviewer_avatar_urls: { 24: 'https://secure.gravatar.com/avatar/0?s=24' },
	...more,
});

/** A shop with these reviews of the product 128. */
async function startShop(reviews: readonly object[], path = '') {
	const service = await startStandIn(({ path: asked, query }) => {
		const route = query.get('rest_route') ?? asked.replace(`${path}/wp-json`, '');
		const size = Number(query.get('per_page'));
		if (size > 100) return { status: 400, json: { code: 'rest_invalid_param', message: 'too large' } };
		if (route === '/wc/store/v1/products') {
			const products = [
				{ id: 128, average_rating: '4.67', review_count: 3 },
				{ id: 129, average_rating: '0', review_count: 0 },
			];
			return { json: products.filter(({ id }) => query.get('include')?.split(',').includes(String(id))) };
		}
		if (route !== '/wc/store/v1/products/reviews')
			return { status: 404, json: { code: 'rest_no_route', message: 'No route was found' } };
		const start = (Number(query.get('page')) - 1) * size;
		return { json: query.get('product_id') === '128' ? reviews.slice(start, start + size) : [] };
	});
	return { ...service, ...callProvider(wooCommerce({ url: service.url + path })) };
}

test('html is text, what is not rated has no stars, and what is personal or of WordPress stays there', async () => {
	const unrated = review(398, { rating: null, reviewer: '', product_image: null, verified: false });
	const { reviews } = await startShop([review(412), unrated, review(1, { rating: 0 })]);
	const record = await reviews('128');
	expect(record?.aggregate).toEqual({ average: 5, count: 1 });
	expect(record?.reviews[0]).toMatchObject({
		author: 'Mira & Jo',
		body: 'Boils fast – and it’s quiet.\nLid is stiff.\n\nWould buy again 👍',
		rating: 5,
		date: '2026-03-02',
	});
	expect(record?.reviews.map(({ rating }) => rating)).toEqual([5, undefined, undefined]);
	expect(JSON.stringify(record)).not.toMatch(/gravatar|cms\.shop\.example\/product/);
	expect(await reviews('999')).toMatchObject({ reviews: [] });
});

test.each([
	[100, 2],
	[101, 2],
	[0, 1],
])('of %i reviews, all are read, in %i pages', async (count, pages) => {
	const { reviews, requests } = await startShop(Array.from({ length: count }, (_, id) => review(id + 1)));
	expect((await reviews('128'))?.aggregate?.count ?? 0).toBe(count);
	expect(requests).toHaveLength(pages);
});

test('ratings of 100 products are one request, without products that have none', async () => {
	const { ratings, requests } = await startShop([]);
	expect(await ratings('128', '129')).toEqual({ 128: { average: 4.67, count: 3 } });
	expect(requests.map(({ path }) => path)).toEqual(['/wp-json/wc/store/v1/products']);
});

test('WordPress may be in a folder, or have plain permalinks', async () => {
	expect((await (await startShop([review(1)], '/blog')).reviews('128'))?.reviews).toHaveLength(1);
	expect((await (await startShop([review(1)], '/?rest_route=/')).reviews('128'))?.reviews).toHaveLength(1);
	expect(() => wooCommerce({ url: 'shop.example' })).toThrow('The option "url" is "shop.example"');
});

test.each([
	['a page of a firewall', { html: '<h1>Coming soon</h1>' }, 'server-error', 'status 200, but without JSON'],
	[
		'a route that is not there',
		{ status: 404, json: { message: 'No route was found' } },
		'client-error',
		'No route',
	],
	['a host that throttles', { status: 429, json: {} }, 'rate-limited', '429'],
])('%s is a failure that is named', async (_what, answer, kind, message) => {
	const { url } = await startStandIn(() => answer);
	const error = await errorOf(callProvider(wooCommerce({ url })).reviews('128'));
	expect(kindOf(error)).toBe(kind);
	expect(error.message).toContain(message);
});
