import { readFileSync } from 'node:fs';
import { errorOf } from 'product-reviews-test-support/clock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { kindOf } from '../../../src/base/failures.js';
import type { ReviewProvider } from '../../../src/options/provider.js';
import { createOnePass } from '../../../src/providers/one-pass.js';
import { callProvider, type StandInRequest, startStandIn } from '../../support/unit/stand-in.js';

type Json = Readonly<Record<string, unknown>>;

const EXAMPLES = new URL('../../../../../examples/providers/services/', import.meta.url);
/** Responses that real servers gave: see their README. */
const RECORDED = new URL('../../recorded/', import.meta.url);
const recorded = (name: string): { readonly status: number; readonly body: Json } =>
	JSON.parse(readFileSync(new URL(`${name}.json`, RECORDED), 'utf8'));

/** The variables of each example. Those of an address get that of the stand-in before them. */
const VARIABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'shopify-product-reviews': { SHOPIFY_STORE_URL: '/', SHOPIFY_ADMIN_TOKEN: 'canary-secret' },
	bigcommerce: { BIGCOMMERCE_API_PATH: '/stores/hash/v3/', BIGCOMMERCE_TOKEN: 'canary-secret' },
	'reviews-io': { REVIEWSIO_STORE: 'store.example' },
	stamped: {
		...{ STAMPED_STORE_URL: 'store.example', STAMPED_STORE_ID: '77' },
		STAMPED_PUBLIC_KEY: 'pubkey-1',
	},
	sanity: { SANITY_QUERY_URL: '/v2025-02-19/data/query/production', SANITY_TOKEN: 'canary-secret' },
	strapi: { STRAPI_URL: '/', STRAPI_TOKEN: 'canary-secret' },
	directus: { DIRECTUS_URL: '/', DIRECTUS_TOKEN: 'canary-secret' },
	commercetools: {
		...{ CTP_AUTH_URL: '/auth', CTP_API_URL: '/api', CTP_PROJECT_KEY: 'project' },
		...{ CTP_CLIENT_ID: 'client', CTP_CLIENT_SECRET: 'canary-secret' },
	},
	sylius: { SYLIUS_URL: '/' },
};
const SERVICES = Object.keys(VARIABLES);

/** Starts a stand-in for a service, and the example that reads it. Requests for hosts on the internet go there, too. */
async function start(name: string, respond: Parameters<typeof startStandIn>[0]) {
	const service = await startStandIn(respond);
	const { origin } = new URL(service.url);
	const { fetch } = globalThis;
	vi.stubGlobal('fetch', (address: URL | string, init: RequestInit) => {
		const url = String(address).replace(/^https:\/\/(?:api\.reviews\.io|stamped\.io)\//, `${origin}/`);
		return fetch(url, init);
	});
	onTestFinished(() => void vi.unstubAllGlobals());
	const variables = Object.entries(VARIABLES[name] ?? {}).map(([variable, value]) => [
		variable,
		value.startsWith('/') ? origin + value : value,
	]);
	const environment: Record<string, string> = Object.fromEntries(variables);
	// Each test has its own, without a token that another one got.
	const module: string = new URL(`${name}.mjs?${Math.random()}`, EXAMPLES).href;
	const { default: provider } = (await import(/* @vite-ignore */ module)) as { default: ReviewProvider };
	const options = { env: (variable: string) => environment[variable], signal: new AbortController().signal };
	return { ...service, ...callProvider(provider, environment), provider, options };
}

/** Cuts a page out of a list. @param most items of a page, whatever is asked for */
function pageOf(
	items: readonly Json[],
	query: URLSearchParams,
	names: readonly [string, string],
	most: number,
) {
	const [number, wanted] = names.map((name) => Number(query.get(name) ?? 1)) as [number, number];
	const size = Math.min(most, wanted);
	return { items: items.slice((number - 1) * size, number * size), size, number, total: items.length };
}

const PERSONAL = /@|canary|customer/;

test.each(SERVICES)('%s: is short, and says which status was refused, without a secret', async (name) => {
	const lines = readFileSync(new URL(`${name}.mjs`, EXAMPLES), 'utf8').split('\n');
	expect(lines.length).toBeLessThanOrEqual(61);
	const { reviews, requests } = await start(name, () => ({ status: 429, json: { message: 'Slow down' } }));
	const error = await errorOf(reviews('1'));
	expect(kindOf(error)).toBe('rate-limited');
	expect(error.message).not.toContain('canary');
	// The first try, and another one.
	expect(requests).toHaveLength(2);
});

const GID = 'gid://shopify/Product/';
const scale = (value: string, min = '1.0', max = '5.0') =>
	JSON.stringify({ scale_min: min, scale_max: max, value });

/** A `product_review`, as Shopify's Admin API gives it. */
function metaobject(number: number, status: string, more: Readonly<Record<string, string | null>> = {}) {
	const fields = {
		...{ rating: scale('5.0'), title: 'Warm & light', body: 'Third winter.\nStill like new.' },
		...{ submitted_at: '2026-05-01T07:00:00Z', edited_at: null, author_display_name: 'Tove L.' },
		...{ author: 'gid://shopify/Customer/5550001-customer', order: 'gid://shopify/Order/6660001' },
		...{ app_verification_status: 'verified_buyer', product: `${GID}801`, language: 'en' },
		media_urls: '["https://media.example/511.jpg","https://media.example/511.mp4"]',
		...{ merchant_reply: 'Thank you!', merchant_replied_at: '2026-05-02T07:00:00Z' },
		...more,
	};
	return {
		id: `gid://shopify/Metaobject/${number}`,
		capabilities: { publishable: { status } },
		fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
	};
}

const METAOBJECTS = [
	metaobject(1, 'ACTIVE'),
	metaobject(2, 'DRAFT', { rating: scale('1.0'), title: null, product: null }),
	metaobject(3, 'ACTIVE', { product: `${GID}802`, rating: scale('7.0', '0.0', '10.0') }),
	metaobject(4, 'ACTIVE', { rating: scale('4.0', '0.0'), media_urls: null, merchant_reply: null }),
	metaobject(5, 'DRAFT', { rating: scale('1.0') }),
	metaobject(6, 'ACTIVE', { product: null }),
];

/** Two metaobjects on a page. */
function shopify({ body, headers }: StandInRequest) {
	if (headers['x-shopify-access-token'] !== 'canary-secret') return { status: 401, json: {} };
	const { after = '0' } = (body as { variables: { after?: string } }).variables;
	const end = Number(after) + 2;
	const pageInfo = { hasNextPage: end < METAOBJECTS.length, endCursor: String(end) };
	return { json: { data: { metaobjects: { nodes: METAOBJECTS.slice(end - 2, end), pageInfo } } } };
}

test('Shopify: active metaobjects of a product, by number and by GID, without customers and orders', async () => {
	const { data, requests } = await start('shopify-product-reviews', shopify);
	for (const pid of ['801', `${GID}801`]) {
		const record = await data(pid);
		expect(record?.aggregate).toEqual({ average: 4.5, count: 2 });
		expect(record?.reviews[0]).toMatchObject({
			...{ author: 'Tove L.', title: 'Warm & light', body: 'Third winter.\nStill like new.', verified: true },
			...{ images: ['https://media.example/511.jpg'], reply: { text: 'Thank you!', date: '2026-05-02' } },
		});
		expect(JSON.stringify(record)).not.toMatch(/5550001|6660001/);
	}
	expect(requests).toHaveLength(6);
});

test('Shopify: all reviews are read once, and found by number and by GID', async () => {
	const { provider, options, requests } = await start('shopify-product-reviews', shopify);
	const pass = createOnePass(provider, async (cursor) => {
		if (!provider.all) throw new Error('It has no function "all".');
		return provider.all(cursor, options);
	});
	const found = await Promise.all(['801', `${GID}801`, '802', '803'].map((pid) => pass.reviewsOf(pid)));
	const ratings = found.map((of) => (of as { reviews: Json[] } | null)?.reviews.map(({ rating }) => rating));
	expect(ratings).toEqual([[5, 4], [5, 4], [expect.closeTo(3.8)], undefined]);
	expect(requests).toHaveLength(3);
	await pass.close();
});

test.each([
	['THROTTLED', 'rate-limited'],
	['ACCESS_DENIED', 'refused'],
])('Shopify: %s in a response with status 200 is %s', async (code, kind) => {
	const errors = [{ message: 'No', extensions: { code } }];
	const { reviews } = await start('shopify-product-reviews', () => ({ json: { errors } }));
	const error = await errorOf(reviews('801'));
	expect([kindOf(error), error.message]).toEqual([kind, expect.stringContaining('Shopify: No')]);
});

test('BigCommerce: approved reviews of all pages, as text; ratings without zeros', async () => {
	const item = (id: number, more = {}) => ({
		...{ id, product_id: 112, title: 'Nice', text: 'Good grip &quot;really&quot;', status: 'approved' },
		...{ rating: 5, name: 'Uma', email: 'uma@example.org', date_reviewed: '2026-02-02T10:00:00+00:00' },
		...more,
	});
	const pending = item(4, { status: 'pending', rating: 1 });
	const reviews = [item(1), item(2, { rating: 0, text: 'Not rated' }), item(3, { rating: 4 }), pending];
	const products = [
		{ id: 112, reviews_rating_sum: 9, reviews_count: 2 },
		{ id: 113, reviews_rating_sum: 0, reviews_count: 0 },
	];
	const store = await start('bigcommerce', ({ path, query, headers }) => {
		if (headers['x-auth-token'] !== 'canary-secret') return { status: 401, json: {} };
		const isProducts = path === '/stores/hash/v3/catalog/products';
		if (!isProducts && path !== '/stores/hash/v3/catalog/products/112/reviews')
			return { status: 404, json: {} };
		const shown =
			query.get('status') === '1' ? reviews.filter(({ status }) => status === 'approved') : reviews;
		const { items, total, size } = pageOf(isProducts ? products : shown, query, ['page', 'limit'], 2);
		return { json: { data: items, meta: { pagination: { total, total_pages: Math.ceil(total / size) } } } };
	});
	const record = await store.data('112');
	expect(record?.aggregate).toEqual({ average: 4.5, count: 2 });
	expect(record?.reviews).toHaveLength(3);
	expect(record?.reviews[0]).toMatchObject({ author: 'Uma', title: 'Nice', body: 'Good grip "really"' });
	expect(JSON.stringify(record)).not.toMatch(PERSONAL);
	expect(await store.ratings('112', '113')).toEqual({ 112: { average: 4.5, count: 2 } });
	expect(store.requests[2]?.query.get('id:in')).toBe('112,113');
});

test('Reviews.io: pages are smaller than asked for, names are short, and averages are texts', async () => {
	const item = (id: number, more = {}) => ({
		...{ product_review_id: id, sku: 'LAMP-1', title: 'Bright', review: 'Reads well & long.', rating: 5 },
		date_created: '2026-02-03 04:05:06',
		reviewer: {
			first_name: 'Ana',
			last_name: 'Rocha',
			verified_buyer: 'yes',
			address: 'Porto',
			email: 'a@b.example',
		},
		...{ images: ['https://media.reviews.example/1.jpg'], replies: [{ comments: 'Between us' }] },
		...more,
	});
	const anonymous = { first_name: 'Anonymous', last_name: '', verified_buyer: 'no', address: '' };
	const reviews = [
		item(1),
		item(2, { reviewer: anonymous, rating: 4, title: null }),
		item(3, { rating: null }),
	];
	const store = await start('reviews-io', ({ path, query }) => {
		if (query.get('store') !== 'store.example') return { status: 403, json: {} };
		if (path === '/product/rating-batch')
			return {
				json: [
					{ sku: 'LAMP-1', average_rating: '4.5000', num_ratings: 2 },
					{ sku: 'LAMP-2', average_rating: null, num_ratings: 0 },
				],
			};
		const { items, size, number, total } = pageOf(reviews, query, ['page', 'per_page'], 2);
		return {
			json: {
				stats: { average: '4.5000', count: 2 },
				reviews: { current_page: number, per_page: size, total, data: items },
			},
		};
	});
	const record = await store.data('LAMP-1');
	expect(record?.aggregate).toEqual({ average: 4.5, count: 2 });
	expect(record?.reviews).toMatchObject([
		{ author: 'Ana R.', verified: true, images: ['https://media.reviews.example/1.jpg'], rating: 5 },
		{ author: 'Anonymous', verified: false, rating: 4 },
		{ body: 'Reads well & long.', rating: undefined },
	]);
	expect(JSON.stringify(record)).not.toMatch(/@|Rocha|Porto|Between us/);
	expect(await store.ratings('LAMP-1', 'LAMP-2')).toEqual({ 'LAMP-1': { average: 4.5, count: 2 } });
	expect(store.requests[2]?.query.get('sku')).toBe('LAMP-1;LAMP-2');
});

test('Stamped: each review once, entities decoded, photos completed, and words for nothing left out', async () => {
	const item = (id: number, more = {}) => ({
		...{
			id,
			author: 'Bea T.',
			reviewTitle: 'Solid',
			reviewMessage: 'Holds 20 kg &amp; stays.',
			reviewRating: 4,
		},
		...{ dateCreated: '2026-03-05T09:12:44.21', reviewUserPhotos: 'a1.jpg,https://p.example/a2.jpg' },
		...{
			reviewVerifiedType: 2,
			reviewReply: 'Tom &amp; Ann thank you',
			reviewReplyDate: '2026-03-06T09:00:00',
		},
		...{ productId: 801, productName: 'Shelf', productVariantName: 'undefined', reviewVotesUp: 1 },
		...{
			productUrl: 'https://stamped.io/go/x1',
			customerEmail: 'bea@example.org',
			avatar: '//face.example/1',
		},
		...more,
	});
	const bare = { author: '', reviewTitle: null, reviewMessage: '', reviewRating: 5, reviewUserPhotos: null };
	const rest = { reviewVerifiedType: 0, reviewReply: null, productVariantName: '50 cm' };
	const unrated = item(3, { reviewRating: 0 });
	const reviews = [item(1), item(2, { ...bare, ...rest }), item(2, { ...bare, ...rest }), unrated];
	const { data, requests } = await start('stamped', ({ path, query }) => {
		if (path !== '/api/widget/reviews' || query.get('sId') !== '77') return { status: 403, json: {} };
		const { items, total } = pageOf(reviews, query, ['page', 'take'], 2);
		return { json: { data: items, total } };
	});
	const record = await data('801');
	expect(requests).toHaveLength(2);
	expect(record?.aggregate).toEqual({ average: 4.5, count: 2 });
	expect(record?.reviews[0]).toMatchObject({
		...{ author: 'Bea T.', body: 'Holds 20 kg & stays.', verified: true },
		images: ['https://cdn.stamped.io/uploads/photos/a1.jpg', 'https://p.example/a2.jpg'],
		reply: { text: 'Tom & Ann thank you', date: '2026-03-06' },
	});
	expect(record?.reviews.map(({ variant }) => variant)).toEqual([undefined, '50 cm', undefined]);
	expect(JSON.stringify(record)).not.toMatch(/@|face\.example|stamped\.io\/go|"undefined"/);
});

test('Sanity: drafts stay out although the token could read them, and ratings are grouped', async () => {
	const published = [
		{ id: 'review-1', author: 'Gil', rating: 5, title: null, body: 'Top <b>', date: '2026-03-03T00:00:00Z' },
		{ id: 'review-2', author: null, rating: null, title: 'Hm', body: null, date: null, images: null },
	];
	const draft = { id: 'drafts.review-3', author: null, rating: 1, body: 'A draft.' };
	const store = await start('sanity', ({ path, query, headers }) => {
		if (headers.authorization !== 'Bearer canary-secret') return { status: 401, json: {} };
		if (path !== '/v2025-02-19/data/query/production') return { status: 404, json: {} };
		const drafts = query.get('perspective') === 'published' ? [] : [draft];
		if (query.has('$pid')) {
			const isKnown = JSON.parse(query.get('$pid') ?? '') === 'KET-12';
			return { json: { ms: 4, result: isKnown ? [...published, ...drafts] : [] } };
		}
		const pids: string[] = JSON.parse(query.get('$pids') ?? '[]');
		const rows = [
			{ pid: 'KET-12', rating: 5 },
			{ pid: 'LAMP', rating: 4 },
			{ pid: 'LAMP', rating: 3 },
		];
		return { json: { result: rows.filter(({ pid }) => pids.includes(pid)) } };
	});
	const record = await store.data('KET-12');
	expect(record?.aggregate).toEqual({ average: 5, count: 1 });
	expect(record?.reviews.map(({ body, title }) => body ?? title)).toEqual(['Top <b>', 'Hm']);
	expect((await store.reviews('unknown'))?.aggregate).toBeUndefined();
	expect(await store.ratings('KET-12', 'LAMP', 'none')).toEqual({
		'KET-12': { average: 5, count: 1 },
		LAMP: { average: 3.5, count: 2 },
	});
	// It has no other field of the documents.
	expect(store.requests[0]?.query.get('query')).not.toMatch(/\.\.\.|email|customer/);
});

test('Strapi: what a real server sent is read, with its token and the fields that pages need', async () => {
	const { data, ratings, requests } = await start('strapi', ({ query, headers }) => {
		if (headers.authorization !== 'Bearer canary-secret') return { status: 401, json: {} };
		const { body, status } = recorded(query.has('fields[2]') ? 'strapi/one-product' : 'strapi/many-products');
		return { status, json: body };
	});
	const record = await data('kettle');
	expect(record?.aggregate).toEqual({ average: 3.5, count: 2 });
	expect(record?.reviews).toMatchObject([
		{ author: 'Gil Example', rating: 2, title: 'Changed', body: 'Changed body.', date: '2026-03-03' },
		{ rating: 5, date: '2026-02-01' },
	]);
	// One of the lamp is not rated.
	expect(await ratings('kettle', 'lamp', 'none')).toEqual({
		kettle: { average: 3.5, count: 2 },
		lamp: { average: 5, count: 1 },
	});
	expect(requests[0]?.query.getAll('fields[2]')).toEqual(['rating']);
	expect([...(requests[0]?.query.keys() ?? [])]).not.toContain('status');
	const { body, status } = recorded('strapi/bad-token');
	const refusing = await start('strapi', () => ({ status, json: body }));
	expect(kindOf(await errorOf(refusing.reviews('kettle')))).toBe('refused');
});

test('Strapi: ratings of 100 products never have the filter that it drops, and small pages are all read', async () => {
	const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
	const rows = [...pids, 'other'].flatMap((pid) => [
		{ documentId: `${pid}-1`, pid, rating: 5 },
		{ documentId: `${pid}-2`, pid, rating: 4 },
		{ documentId: `${pid}-3`, pid, rating: null },
	]);
	const { ratings, requests } = await start('strapi', ({ query }) => {
		const asked = [...query].flatMap(([name, value]) => (name.startsWith('filters[pid]') ? [value] : []));
		// The filter is dropped without a word.
		const found = asked.length > 100 ? rows : rows.filter(({ pid }) => asked.includes(pid));
		const names = ['pagination[page]', 'pagination[pageSize]'] as const;
		const { items, size, total } = pageOf(found, query, names, 40);
		return {
			json: { data: items, meta: { pagination: { pageSize: size, pageCount: Math.ceil(total / size) } } },
		};
	});
	const found = await ratings(...pids);
	expect(Object.keys(found)).toHaveLength(100);
	expect(found['p-99']).toEqual({ average: 4.5, count: 2 });
	const values = requests.map(
		({ query }) => [...query.keys()].filter((name) => name.startsWith('filters')).length,
	);
	expect(values).toEqual(Array(8).fill(50));
});

test.each(['aggregate', 'aggregate-postgres'])(
	'Directus: what a real server sent is read (%s)',
	async (kind) => {
		const { data, ratings, requests } = await start('directus', ({ query, headers }) => {
			if (headers.authorization !== 'Bearer canary-secret') return { status: 401, json: {} };
			const isAggregate = query.has('aggregate[avg]');
			const { body, status } = recorded(`directus/${isAggregate ? kind : 'one-product'}`);
			return { status, json: body };
		});
		const record = await data('kettle');
		expect(record?.aggregate).toEqual({ average: 4.5, count: 2 });
		expect(record?.reviews[0]).toMatchObject({
			author: 'Gil Example',
			body: 'Boils fast.\n<b>Loud</b> & hot 🙂',
		});
		expect(JSON.stringify(record)).not.toMatch(PERSONAL);
		expect(await ratings('kettle', 'lamp', 'teapot')).toEqual({
			kettle: { average: expect.closeTo(10 / 3), count: 3 },
			lamp: { average: 5, count: 1 },
			teapot: { average: 3, count: 130 },
		});
		for (const { query } of requests)
			expect(JSON.parse(query.get('filter') ?? '')).toMatchObject({ status: { _eq: 'published' } });
		expect(requests[0]?.query.get('fields')).toMatch(/^(?!.*email)[a-z,]+$/);
		const { body, status } = recorded('directus/bad-token');
		const refusing = await start('directus', () => ({ status, json: body }));
		expect(kindOf(await errorOf(refusing.reviews('kettle')))).toBe('refused');
	},
);

test('Directus: small pages are all read, and drafts are not asked for', async () => {
	const rows = Array.from({ length: 7 }, (_, index) => ({
		...{
			id: index,
			status: index === 6 ? 'draft' : 'published',
			product: 'kettle',
			rating: index === 5 ? 0 : 4,
		},
		...{ body: `Number ${index}`, email: 'gil@example.org' },
	}));
	const { data, requests } = await start('directus', ({ query }) => {
		const { status } = JSON.parse(query.get('filter') ?? '{}');
		const shown = rows.filter((row) => !status || row.status === status._eq);
		const { items, total } = pageOf(shown, query, ['page', 'limit'], 4);
		return { json: { meta: { filter_count: total }, data: items } };
	});
	const record = await data('kettle');
	expect([record?.reviews.length, record?.aggregate]).toEqual([6, { average: 4, count: 5 }]);
	expect(JSON.stringify(record)).not.toMatch(PERSONAL);
	expect(requests).toHaveLength(2);
});

test('commercetools: ratings of its scale become stars, and what is not in the statistics stays out', async () => {
	const item = (id: string, more = {}) => ({
		...{ id, createdAt: '2026-03-03T03:03:03.000Z', locale: 'de-AT', authorName: 'Resi', title: 'Passt' },
		...{ text: 'Sitzt gut.', rating: 80, includedInStatistics: true },
		customer: { typeId: 'customer', id: 'customer-1' },
		...more,
	});
	const unrated = item('2', { rating: undefined, text: 'Ohne Sterne' });
	const reviews = [
		item('1'),
		unrated,
		item('3', { rating: 100 }),
		item('4', { includedInStatistics: false }),
	];
	const store = await start('commercetools', ({ path, query, headers, body }) => {
		if (path === '/auth/oauth/token') {
			const isClient = headers.authorization === `Basic ${btoa('client:canary-secret')}`;
			const isKind = String(body).startsWith('grant_type=client_credentials');
			return isClient && isKind
				? { json: { access_token: 'canary', expires_in: 172_800 } }
				: { status: 401, json: {} };
		}
		if (headers.authorization !== 'Bearer canary') return { status: 401, json: {} };
		const where = query.get('where') ?? '';
		if (path === '/api/project/product-projections') {
			const reviewRatingStatistics = { averageRating: 90, highestRating: 100, lowestRating: 80, count: 2 };
			const results = [{ id: 'nine', reviewRatingStatistics }, { id: 'ten' }];
			return { json: { results: results.filter(({ id }) => where.includes(`"${id}"`)) } };
		}
		const isOwn = where.startsWith('target(typeId="product" and id="nine")');
		const isCounted = where.endsWith('and includedInStatistics=true');
		const shown = isOwn
			? reviews.filter(({ includedInStatistics }) => includedInStatistics || !isCounted)
			: [];
		const offset = Number(query.get('offset'));
		return { json: { limit: 2, offset, results: shown.slice(offset, offset + 2) } };
	});
	const record = await store.data('nine');
	expect(record?.aggregate).toEqual({ average: 4.6, count: 2 });
	expect(record?.reviews[0]).toMatchObject({
		author: 'Resi',
		rating: 4.2,
		language: 'de-AT',
		body: 'Sitzt gut.',
	});
	expect(record?.reviews).toHaveLength(3);
	expect(JSON.stringify(record)).not.toMatch(PERSONAL);
	expect(await store.ratings('nine', 'ten')).toEqual({ nine: { average: expect.closeTo(4.6), count: 2 } });
	// One token serves all.
	expect(store.requests.filter(({ path }) => path.endsWith('/token'))).toHaveLength(1);
});

test.each(['hydra:', ''])(
	'Sylius: all pages of accepted reviews are read, with the prefix "%s"',
	async (prefix) => {
		const item = (id: number, code: string, more = {}) => ({
			...{
				'@id': `/api/v2/shop/product-reviews/${id}`,
				id,
				title: 'Chic',
				rating: 5,
				comment: 'Wears well.',
			},
			author: {
				'@id': '/api/v2/shop/customers/3',
				'@type': 'Customer',
				firstName: 'Léa',
				email: 'lea@example.org',
			},
			...{ reviewSubject: `/api/v2/shop/products/${code}`, createdAt: '2026-03-01 09:08:07' },
			...more,
		});
		const address = '/api/v2/shop/customers/4';
		const reviews = [
			item(9, 'LINEN%20DRESS'),
			item(8, 'LINEN%20DRESS', { rating: 3, comment: null, author: null }),
			item(7, 'LINEN%20DRESS', { rating: 4, author: address }),
			item(6, 'HAT', { rating: 0 }),
			item(5, 'HAT', { rating: 2 }),
		];
		const store = await start('sylius', ({ path, query }) => {
			if (path !== '/api/v2/shop/product-reviews') return { status: 404, json: {} };
			const asked = query.getAll('reviewSubject[]');
			const shown = reviews.filter(({ reviewSubject }) => asked.includes(reviewSubject));
			const { items, number, total } = pageOf(shown, query, ['page', 'itemsPerPage'], 2);
			const next = new URLSearchParams(query);
			next.set('page', String(number + 1));
			const view = number * 2 < total ? { [`${prefix}next`]: `${path}?${next}` } : {};
			return {
				json: { [`${prefix}member`]: items, [`${prefix}totalItems`]: total, [`${prefix}view`]: view },
			};
		});
		const record = await store.data('LINEN DRESS');
		expect(store.requests).toHaveLength(2);
		expect(record?.aggregate).toEqual({ average: 4, count: 3 });
		expect(record?.reviews.map(({ author }) => author)).toEqual(['Léa', undefined, undefined]);
		expect(JSON.stringify(record)).not.toMatch(/@|customers/);
		const many = Array.from({ length: 98 }, (_, index) => `none-${index}`);
		expect(await store.ratings('LINEN DRESS', ...many, 'HAT')).toEqual({
			'LINEN DRESS': { average: 4, count: 3 },
			HAT: { average: 2, count: 1 },
		});
		// No request lists so many products that a server refuses its URL.
		const longest = Math.max(...store.requests.map(({ query }) => String(query).length));
		expect(longest).toBeLessThan(4_000);
	},
);
