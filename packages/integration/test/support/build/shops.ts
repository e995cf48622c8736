import { createHmac } from 'node:crypto';
import { SECRET } from 'product-reviews-test-support/signing';
import { type StandInRequest, startStandIn } from '../unit/stand-in.js';

/** Secrets and data of people that services send, and that are nowhere in a store. */
export const PERSONAL = /canary|@example\.org|192\.0\.2\.|5550001|gravatar/;

export interface ListedReview {
	readonly id: number;
	readonly pid: string;
	rating: number;
	body: string;
}

/** A review service as its documentation describes it. */
export interface Shop {
	/** Source of the module that makes the provider. @param url where the service is */
	readonly module: (url: string) => string;
	readonly environment: Readonly<Record<string, string>>;
	readonly respond: (reviews: readonly ListedReview[], request: StandInRequest) => object;
	/** Requests of a build after which nothing changed, as the service's paths. */
	readonly unchanged: readonly string[];
	/** The service's webhook about a product, and how the receiver is told of it. @default it sends none that can be trusted */
	readonly webhook?: (pid: string) => {
		readonly options: readonly string[];
		readonly headers: Readonly<Record<string, string>>;
		readonly body: string;
	};
	/** `true` if it has stars without texts. */
	readonly hasNoTexts?: boolean;
}

const TOKEN = 'canary-token';

const shipped = (name: string, config: object, more?: (url: string) => unknown) => (url: string) => {
	const given = [{ ...config, ...(more ? {} : { url }) }, more?.(url)].map((value) => JSON.stringify(value));
	return `import create from 'astro-product-reviews/providers/${name}';\nexport default create(${given.filter(Boolean).join(', ')});\n`;
};

const signature = (body: string, encoding: 'base64' | 'hex', key: string | Buffer = SECRET) =>
	createHmac('sha256', key).update(body).digest(encoding);

const of = (reviews: readonly ListedReview[], pid: string | null) =>
	reviews.filter((review) => review.pid === pid);

const averageOf = (reviews: readonly ListedReview[]) =>
	reviews.reduce((sum, { rating }) => sum + rating, 0) / reviews.length;

const pageOf = <Item>(items: readonly Item[], query: URLSearchParams, most = 100): readonly Item[] => {
	const size = Math.min(most, Number(query.get('per_page') ?? most));
	const start = (Number(query.get('page') ?? 1) - 1) * size;
	return items.slice(start, start + size);
};

const html = (body: string) => `<p>${body.replace('&', '&amp;')}</p>`;

/** Pages of Judge.me have at most so many reviews here. */
const JUDGEME_PAGE = 100;

export const SHOPS: Readonly<Record<string, Shop>> = {
	judgeme: {
		module: shipped('judgeme', { shop: 'shop.myshopify.com' }, (url) => url),
		environment: { JUDGEME_API_TOKEN: TOKEN },
		respond(reviews, { path, query, headers }) {
			if (headers['x-api-token'] !== TOKEN) return { status: 401, json: {} };
			const id = Number(query.get('external_id'));
			if (path === '/products/-1') return { json: { product: { id: id + 1_000_000, external_id: id } } };
			const product = query.get('product_id');
			const found = product ? of(reviews, String(Number(product) - 1_000_000)) : reviews;
			const sent = pageOf(found, query, JUDGEME_PAGE).map(({ id: number, pid, rating, body }) => ({
				...{ id: number, product_external_id: Number(pid), title: 'A title', body: html(body), rating },
				...{ curated: 'ok', hidden: false, published: true, verified: 'buyer', source: 'email' },
				...{ created_at: '2026-04-11T08:30:12+00:00', ip_address: '192.0.2.7', pictures: [] },
				reviewer: { id: 1, external_id: 5550001, email: 'canary@example.org', name: 'Ines P.' },
			}));
			return { json: { per_page: JUDGEME_PAGE, reviews: sent } };
		},
		unchanged: [],
		webhook(pid) {
			const review = { id: 1, product_external_id: Number(pid), curated: 'ok', hidden: false };
			const body = JSON.stringify({ event: 'review/updated', review });
			const headers = { 'judgeme-hmac-sha256': signature(body, 'hex') };
			return { options: ['--from', 'judgeme'], headers, body };
		},
	},
	medusa: {
		module: shipped('medusa', { publishableKey: 'pk_1' }),
		environment: {},
		respond(reviews, { query }) {
			const wanted = query.getAll('product_id[]');
			const sent = reviews
				.filter(({ pid }) => wanted.includes(pid))
				.map(({ id, pid, rating, body }) => ({
					...{ id: `prev_${id}`, product_id: pid, rating, content: body, status: 'approved', images: [] },
					...{ name: 'Mira Canaryson', email: 'canary@example.org', created_at: '2026-02-20T08:00:00.000Z' },
				}));
			const start = Number(query.get('offset'));
			return { json: { product_reviews: sent.slice(start, start + 50), offset: start, limit: 50 } };
		},
		unchanged: ['/store/product-reviews'],
		webhook(pid) {
			const body = JSON.stringify({ pid });
			return { options: [], headers: standardHeaders(body, 'webhook'), body };
		},
	},
	okendo: {
		module: shipped('okendo', { subscriberId: '0000-user' }, (url) => `${url}/v1`),
		environment: {},
		respond(reviews, { path }) {
			const pid = /products\/shopify-(\w+)\/reviews$/.exec(path)?.[1] ?? null;
			const sent = of(reviews, pid).map(({ id, rating, body }) => ({
				...{ reviewId: `r-${id}`, productId: `shopify-${pid}`, title: 'A title', body, rating },
				...{ dateCreated: '2026-03-20T06:00:00.000Z', status: 'approved', isRecommended: null },
				reviewer: { displayName: 'Hana K.', email: 'canary@example.org', verifiedStatus: 'buyer' },
			}));
			return { json: { reviews: sent } };
		},
		unchanged: [],
		webhook(pid) {
			const resource = { productId: `shopify-${pid}` };
			const body = JSON.stringify({ resource, resourceType: 'review', topic: 'update' });
			return { options: ['--from', 'okendo'], headers: standardHeaders(body, 'svix'), body };
		},
	},
	shopify: {
		module: shipped('shopify', { domain: 'shop.myshopify.com' }, (url) => url),
		environment: { SHOPIFY_STOREFRONT_TOKEN: TOKEN },
		respond(reviews, { body, headers }) {
			if (headers['shopify-storefront-private-token'] !== TOKEN) return { status: 403, json: {} };
			const { ids } = (body as { readonly variables: { readonly ids: readonly string[] } }).variables;
			const nodes = ids.map((id) => {
				const found = of(reviews, id.replace('gid://shopify/Product/', ''));
				const value = { scale_min: '1.0', scale_max: '5.0', value: String(averageOf(found)) };
				return { id, rating: { value: JSON.stringify(value) }, count: { value: String(found.length) } };
			});
			return { json: { data: { nodes } } };
		},
		unchanged: ['/api/2026-10/graphql.json'],
		webhook(pid) {
			const body = JSON.stringify({ id: Number(pid), admin_graphql_api_id: `gid://shopify/Product/${pid}` });
			const headers = { 'x-shopify-hmac-sha256': signature(body, 'base64'), 'x-shopify-webhook-id': 'w-1' };
			return { options: ['--from', 'shopify'], headers, body };
		},
		hasNoTexts: true,
	},
	woocommerce: {
		module: shipped('woocommerce', {}),
		environment: {},
		respond(reviews, { path, query }) {
			if (path.endsWith('/reviews')) {
				const sent = pageOf(of(reviews, query.get('product_id')), query).map(({ id, pid, rating, body }) => ({
					...{ id, product_id: Number(pid), rating, verified: true, review: `${html(body)}\n` },
					...{ date_created_gmt: '2026-03-02T18:05:41', reviewer: 'Mira &amp; Jo' },
					reviewer_avatar_urls: { 24: 'https://secure.gravatar.com/avatar/canary?s=24' },
				}));
				return { json: sent };
			}
			const wanted = (query.get('include') ?? '').split(',');
			return {
				json: wanted.map((pid) => {
					const found = of(reviews, pid);
					const average_rating = averageOf(found).toFixed(2);
					return { id: Number(pid), average_rating, review_count: found.length };
				}),
			};
		},
		unchanged: ['/wp-json/wc/store/v1/products'],
		webhook(pid) {
			const body = JSON.stringify({ id: Number(pid), parent_id: 0, average_rating: '5.00' });
			const headers = {
				'x-wc-webhook-signature': signature(body, 'base64'),
				'x-wc-webhook-delivery-id': 'd-1',
			};
			return { options: ['--from', 'woocommerce'], headers, body };
		},
	},
	yotpo: {
		module: shipped('yotpo', { appKey: 'KEY' }, (url) => [url, url]),
		environment: {},
		respond(reviews, { path, query }) {
			const status = { code: 200, message: 'OK' };
			if (path.endsWith('/bottom_lines')) {
				const pids = [...new Set(reviews.map(({ pid }) => pid))];
				const bottomlines = pageOf(pids, query).map((pid) => ({
					...{ domain_key: pid, product_score: averageOf(of(reviews, pid)) },
					total_reviews: of(reviews, pid).length,
				}));
				return { json: { status, response: { bottomlines } } };
			}
			const found = of(reviews, /products\/(\w+)\/reviews/.exec(path)?.[1] ?? null);
			const sent = pageOf(found, query).map(({ id, rating, body }) => ({
				...{ id, score: rating, title: 'A title', content: body.replace('&', '&amp;'), deleted: false },
				...{ created_at: '2026-02-14T07:45:01.000Z', verified_buyer: true, product_id: 1 },
				user: { user_id: 5550001, social_image: 'https://cdn.example/canary.jpg', display_name: 'Ravi S.' },
			}));
			const bottomline = { total_review: found.length, average_score: averageOf(found) };
			return {
				json: { status, response: { pagination: { per_page: 100 }, bottomline, reviews: sent } },
			};
		},
		unchanged: ['/v1/apps/KEY/bottom_lines', '/v1/apps/KEY/bottom_lines'],
	},
};

function standardHeaders(body: string, prefix: string) {
	const time = String(Math.floor(Date.now() / 1_000));
	const key = Buffer.from(SECRET.replace('whsec_', ''), 'base64');
	const signed = signature(`msg_1.${time}.${body}`, 'base64', key);
	return {
		...{ [`${prefix}-id`]: 'msg_1', [`${prefix}-timestamp`]: time },
		[`${prefix}-signature`]: `v1,${signed}`,
	};
}

export function startShop({ respond }: Shop, reviews: readonly ListedReview[]) {
	return startStandIn((request) => respond(reviews, request));
}
