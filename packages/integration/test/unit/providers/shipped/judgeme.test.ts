import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import judgeMe from '../../../../src/providers/shipped/judgeme.js';
import { callProvider, startStandIn } from '../../../support/unit/stand-in.js';

const PID = '8012345678901';
const TOKEN = { JUDGEME_API_TOKEN: 'canary-token' };
const url = (name: string) => `https://judgeme.imgix.example/${name}.jpg`;

const review = (id: number, more = {}) => ({
	...{ id, title: 'Exactly right', body: 'Fits the sink.\r\nSmells like cedar &amp; salt.', rating: 5 },
	product_external_id: Number(PID),
	reviewer: {
		id: 71,
		external_id: 5550001,
		email: 'reviewer@example.org',
		name: 'Ines P.',
		phone: '+4912345',
	},
	...{ source: 'email', curated: 'ok', published: true, hidden: false, verified: 'buyer', featured: false },
	...{ created_at: '2026-04-11T08:30:12+00:00', ip_address: '192.0.2.7', product_title: 'Bar soap, cedar' },
	pictures: [
		{ hidden: false, urls: { compact: url('shown-compact'), huge: url('shown'), original: url('original') } },
		{ hidden: true, urls: { huge: url('hidden'), original: url('hidden') } },
	],
	...more,
});

interface Setup {
	readonly most?: number;
	readonly includeUncurated?: boolean;
}

/** A shop that has these reviews. @param most items of a page, whatever is asked for */
async function startShop(reviews: readonly object[], { most = 100, ...config }: Setup = {}) {
	const service = await startStandIn(({ path, query, headers }) => {
		if (headers['x-api-token'] !== 'canary-token' || query.get('shop_domain') !== 'shop.myshopify.com')
			return { status: 401, json: { error: 'Failed to authenticate.' } };
		if (path === '/products/-1') {
			if (query.get('external_id') !== PID) return { status: 404, json: { error: 'Not found' } };
			return { json: { product: { id: 77, external_id: Number(PID) } } };
		}
		const size = Math.min(most, Number(query.get('per_page')));
		const start = (Number(query.get('page')) - 1) * size;
		return { json: { current_page: 1, per_page: size, reviews: reviews.slice(start, start + size) } };
	});
	const provider = judgeMe({ shop: 'shop.myshopify.com', ...config }, service.url);
	return { ...service, ...callProvider(provider, TOKEN) };
}

test('what is published is shown as text, and nothing personal leaves the provider', async () => {
	const imported = review(2, {
		title: null,
		body: '<p>ok<br>thanks</p>',
		verified: 'nothing',
		source: 'amazon',
	});
	const { data } = await startShop([review(1), imported]);
	const record = await data(PID);
	expect(record?.reviews).toMatchObject([
		{
			...{ author: 'Ines P.', title: 'Exactly right', rating: 5, verified: true },
			body: 'Fits the sink.\nSmells like cedar & salt.',
			images: [url('shown')],
			thumbnails: { [url('shown')]: url('shown-compact') },
		},
		{ body: 'ok\nthanks', verified: false, externalSource: 'amazon' },
	]);
	expect(JSON.stringify(record)).not.toMatch(/reviewer@|4912345|192\.0\.2|hidden\.jpg|5550001/);
});

test.each([
	['spam', { curated: 'spam' }],
	['one that is not curated', { curated: 'not-yet' }],
	['one that is archived', { hidden: true }],
	['one that is not published', { published: false }],
	['one of the shop', { product_external_id: 0, product_handle: 'judgeme-shop-reviews' }],
	['one of another product, since filters that are not known are ignored', { product_external_id: 9 }],
])('%s is left out', async (_what, more) => {
	const { reviews } = await startShop([review(1), review(2, more)]);
	expect((await reviews(PID))?.aggregate?.count).toBe(1);
});

test('a shop that publishes automatically shows what is not curated', async () => {
	const { reviews } = await startShop([review(1, { curated: 'not-yet' })], { includeUncurated: true });
	expect((await reviews(PID))?.aggregate?.count).toBe(1);
});

test('pages may be smaller than asked for, and bring a review again', async () => {
	const twice = [...Array.from({ length: 10 }, (_, id) => review(id)), review(9), review(10)];
	const { reviews, requests } = await startShop(twice, { most: 10 });
	expect((await reviews(PID))?.aggregate?.count).toBe(11);
	expect(requests).toHaveLength(3);
});

test('a product may be named by its GID; one that the service does not know has no reviews', async () => {
	const { reviews } = await startShop([review(1)]);
	expect((await reviews(`gid://shopify/Product/${PID}`))?.aggregate?.count).toBe(1);
	expect((await reviews('1'))?.aggregate).toBeUndefined();
});

test('a wrong domain and a missing token are named', async () => {
	const { url } = await startShop([]);
	const wrong = callProvider(judgeMe({ shop: 'shop.example' }, url), TOKEN);
	const error = await errorOf(wrong.reviews(PID));
	expect(error.message).toContain('the domain must be that at myshopify.com');
	expect(error.message).not.toContain('canary');
	const missing = await errorOf(callProvider(judgeMe({ shop: 'a' }, url)).reviews(PID));
	expect(missing.message).toContain('JUDGEME_API_TOKEN is not set');
});
