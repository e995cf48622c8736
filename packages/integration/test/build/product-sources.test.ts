import { copyFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { listen } from 'product-reviews-test-support/listen';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, startService } from '../support/build/service.js';

const SLUGS = ['enamel-kettle', 'cast-iron-skillet', 'oak-chopping-board', 'bread-crock', 'wool-throw'];
const IDS = ['p-1', 'p-2', 'p-3', '8012345678901', '8012345678902'];
const PRODUCTS = SLUGS.map((slug, index) => ({
	...{ id: IDS[index] ?? '', slug, name: `Name ${index}`, price: 10.5 + index, currency: 'EUR' },
}));
const EXAMPLES = join(import.meta.dirname, '../../../../examples/catalog');
const TOKEN = 'catalog-token';
const PAGE = 2;

/** The product after which each page that was requested begins. */
const requested: string[] = [];

/** The next page of products after one of them. */
function pageAfter(given: string | null = null) {
	const after = given ?? '';
	requested.push(after);
	const start = PRODUCTS.findIndex(({ id }) => id === after) + 1;
	const products = PRODUCTS.slice(start, start + PAGE);
	return { products, endCursor: products.at(-1)?.id ?? null, hasNextPage: start + PAGE < PRODUCTS.length };
}

interface Call {
	readonly url: URL;
	readonly headers: IncomingMessage['headers'];
	readonly body: { readonly variables: { readonly cursor: string | null; readonly channel?: string } };
}

/** Shop systems by the beginning of their paths: how each responds to a request that it accepts. */
const SYSTEMS: Readonly<Record<string, (call: Call) => object | false>> = {
	'/api/2026-10/graphql.json': ({ headers, body }) => {
		const { products, ...pageInfo } = pageAfter(body.variables.cursor);
		const nodes = products.map(({ id, slug, name, price, currency }) => ({
			id: `gid://shopify/Product/${id}`,
			handle: slug,
			title: name,
			priceRange: { minVariantPrice: { amount: price.toFixed(1), currencyCode: currency } },
		}));
		return (
			headers['x-shopify-storefront-access-token'] === TOKEN && { data: { products: { nodes, pageInfo } } }
		);
	},
	'/wp-json/wc/store/v1/products': ({ url }) =>
		pageAfter(PRODUCTS[(Number(url.searchParams.get('page')) - 1) * PAGE - 1]?.id).products.map(
			({ price, currency, ...product }) => ({
				...product,
				prices: { price: String(price * 100), currency_code: currency, currency_minor_unit: 2 },
			}),
		),
	'/store/products': ({ url, headers }) => {
		const { products } = pageAfter(PRODUCTS[Number(url.searchParams.get('offset')) - 1]?.id);
		const sent = products.map(({ id, slug, name, price }) => ({
			...{ id, handle: slug, title: name },
			variants: [price + 1, price, undefined].map((amount) => ({
				calculated_price: amount === undefined ? null : { calculated_amount: amount, currency_code: 'eur' },
			})),
		}));
		const isAllowed =
			headers['x-publishable-api-key'] === TOKEN && url.searchParams.get('region_id') === 'reg_1';
		return isAllowed && { products: sent, count: PRODUCTS.length };
	},
	'/saleor/graphql/': ({ body }) => {
		const { products, ...pageInfo } = pageAfter(body.variables.cursor);
		const edges = products.map(({ id, slug, name, price, currency }) => ({
			node: { id, slug, name, pricing: { priceRange: { start: { gross: { amount: price, currency } } } } },
		}));
		return body.variables.channel === 'default-channel' && { data: { products: { edges, pageInfo } } };
	},
	'/oauth/token': ({ headers }) =>
		headers.authorization === `Basic ${btoa(`shop:${TOKEN}`)}` && { access_token: TOKEN },
	'/my-project/product-projections': ({ url, headers }) => {
		const [, last = null] = /id > "(.+)"/.exec(url.searchParams.get('where') ?? '') ?? [];
		const { products } = pageAfter(last);
		const results = (last === PRODUCTS.at(-1)?.id ? [] : products).map(({ id, slug, name, price }) => ({
			...{ id, slug: { en: slug }, name: { en: name } },
			masterVariant: { price: { value: { centAmount: price * 100, fractionDigits: 2 } } },
		}));
		return headers.authorization === `Bearer ${TOKEN}` && { results };
	},
	'/products': ({ url }) => {
		const { products, endCursor, hasNextPage } = pageAfter(url.searchParams.get('after'));
		return { products, next: hasNextPage ? `/products?limit=100&after=${endCursor}` : null };
	},
};

const service = await startService(IDS);
const catalog = await listen(
	createServer(async (request, response) => {
		const url = new URL(request.url ?? '/', 'http://localhost');
		const isJson = request.headers['content-type'] === 'application/json';
		const body = (isJson ? await json(request) : {}) as Call['body'];
		const sent = SYSTEMS[url.pathname]?.({ url, headers: request.headers, body });
		const headers = {
			'content-type': 'application/json',
			'x-wp-totalpages': String(Math.ceil(PRODUCTS.length / PAGE)),
		};
		response.writeHead(sent ? 200 : 403, headers).end(JSON.stringify(sent));
	}),
);
const { url } = catalog;
const environment = {
	...{ CATALOG_URL: url, SHOPIFY_STORE: url, SHOPIFY_TOKEN: TOKEN, WOOCOMMERCE_URL: url },
	...{ MEDUSA_URL: url, MEDUSA_PUBLISHABLE_KEY: TOKEN, MEDUSA_REGION_ID: 'reg_1' },
	...{ SALEOR_URL: `${url}/saleor/graphql/`, CTP_AUTH_URL: url, CTP_API_URL: url },
	...{ CTP_PROJECT_KEY: 'my-project', CTP_CLIENT_ID: 'shop', CTP_CLIENT_SECRET: TOKEN },
};

afterAll(async () => {
	await catalog.close();
	await service.close();
});

/** Builds one of the stores of the documentation, in `catalog/`. */
async function build(source: string, system?: string) {
	const project = createProject(`../../../../../examples/catalog/${source}`, {
		service: service.url,
		environment,
	});
	onTestFinished(project.remove);
	if (system) copyFileSync(join(EXAMPLES, `systems/${system}.ts`), join(project.root, 'src/catalog.ts'));
	service.requests.reset();
	requested.length = 0;
	const output = await project.build();
	const pages = project.files().filter((path) => /^products\/.*\.html$/.test(path));
	return { output, pages: pages.sort(), read: project.read };
}

/** Each page shows the reviews of its product and no other, and none was fetched that the list does not name. */
function expectPages({ output, pages, read }: Awaited<ReturnType<typeof build>>, indexes: readonly number[]) {
	expect(pages).toEqual(indexes.map((index) => `products/${SLUGS[index]}/index.html`).sort());
	for (const index of indexes) {
		const page = read(`products/${SLUGS[index]}/index.html`);
		const marks = IDS.map((_, other) => other).filter((other) => page.includes(markOf(other)));
		expect(marks).toEqual([index]);
		expect(page).toContain('class="pr-star-rating"');
		const schema = JSON.parse(/<script type="application\/ld\+json"[^>]*>([^<]+)</.exec(page)?.[1] ?? '');
		expect(schema).toMatchObject({
			'@type': 'Product',
			aggregateRating: { ratingValue: 4.5, reviewCount: 2 },
		});
		expect(schema.offers.price).toBeTruthy();
	}
	expect(output).toContain(`${indexes.length} products in`);
	expect(output).not.toContain('Pages asked for');
	expect(service.requests.count()).toBe(indexes.length);
}

test.each(['collection-file', 'json-file', 'typescript'])('%s', async (source) => {
	// Files hold fewer than the services have.
	expectPages(await build(source), [0, 1, 2]);
});

test('collection: the latest reviews have its names, and link to its pages', async () => {
	const built = await build('collection');
	expectPages(built, [0, 1, 2]);
	const links = built.read('index.html').matchAll(/pr-product-link" href="([^"]*)"><bdi>([^<]*)/g);
	const shown = new Set(Array.from(links, ([, url, name]) => `${name}: ${url}`));
	expect([...shown].sort()).toEqual([
		'Cast Iron Skillet: /products/cast-iron-skillet/',
		'Enamel Kettle: /products/enamel-kettle/',
		'Oak Chopping Board: /products/oak-chopping-board/',
	]);
});

const PAGES = ['', 'p-2', '8012345678901'];

test('api: page by page, once for the list and once for the pages', async () => {
	expectPages(await build('api', 'rest-api'), [0, 1, 2, 3, 4]);
	expect(requested.sort()).toEqual([...PAGES, ...PAGES].sort());
});

test.each([
	['shopify', PAGES],
	['woocommerce', PAGES],
	['medusa', PAGES],
	['saleor', PAGES],
	['commercetools', [...PAGES, '8012345678902']],
	['rest-api', PAGES],
])('%s: every product, page by page', async (system, pages) => {
	for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
	onTestFinished(() => void vi.unstubAllEnvs());
	requested.length = 0;
	const { catalog } = await import(join(EXAMPLES, `systems/${system}.ts`));
	const found = [];
	for await (const product of catalog()) found.push(product);
	expect(found).toEqual(PRODUCTS);
	expect(requested).toEqual(pages);
});
