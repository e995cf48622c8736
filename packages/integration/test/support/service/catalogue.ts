import { createServer, type IncomingMessage } from 'node:http';
import { listen } from 'product-reviews-test-support/listen';

/** A product as a shop's own backend knows it. */
export interface CatalogueProduct {
	readonly id: string;
	readonly slug: string;
	readonly name: string;
	readonly price: number;
}

/** A shop's backend on a free port of this machine: Shopify's Storefront API, and a REST API, in pages of two products. */
export interface Catalogue {
	readonly url: string;
	/** Path of every request, and the cursor or page that it asked for. */
	readonly requests: readonly string[];
	close(): Promise<void>;
}

export const STOREFRONT_TOKEN = 'storefront-token';

const PAGE = 2;

export async function startCatalogue(products: readonly CatalogueProduct[]): Promise<Catalogue> {
	const requests: string[] = [];
	const server = createServer(async (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
		const isShopify = /^\/api\/\d{4}-\d\d\/graphql\.json$/.test(pathname);
		if (!isShopify && pathname !== '/products') return response.writeHead(404).end();
		if (isShopify && !isAllowed(request)) return response.writeHead(403).end();
		const after = isShopify ? ((await cursorOf(request)) ?? '') : (searchParams.get('after') ?? '');
		requests.push(`${pathname} ${after}`);
		const start = after === '' ? 0 : products.findIndex(({ slug }) => slug === after) + 1;
		const page = products.slice(start, start + PAGE);
		const last = page.at(-1)?.slug ?? null;
		const hasMore = start + PAGE < products.length;
		const answer = isShopify
			? { data: { products: connection(page, last, hasMore) } }
			: { products: page, next: hasMore ? `/products?limit=100&after=${last}` : null };
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
	});
	return {
		...(await listen(server)),
		requests,
	};
}

function isAllowed({ method, headers }: IncomingMessage): boolean {
	return method === 'POST' && headers['x-shopify-storefront-access-token'] === STOREFRONT_TOKEN;
}

async function cursorOf(request: IncomingMessage): Promise<string | null> {
	let body = '';
	for await (const chunk of request.setEncoding('utf8')) body += chunk;
	return JSON.parse(body).variables.cursor;
}

/** A connection of GraphQL, as Shopify answers it. */
function connection(page: readonly CatalogueProduct[], endCursor: string | null, hasNextPage: boolean) {
	return {
		nodes: page.map(({ id, slug, name, price }) => ({
			id: `gid://shopify/Product/${id}`,
			handle: slug,
			title: name,
			priceRange: { minVariantPrice: { amount: price.toFixed(1), currencyCode: 'EUR' } },
		})),
		pageInfo: { hasNextPage, endCursor },
	};
}
