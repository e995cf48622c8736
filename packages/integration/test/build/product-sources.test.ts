import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from 'product-reviews-test-support/listen';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, startService } from '../support/build/service.js';

const SLUGS = ['enamel-kettle', 'cast-iron-skillet', 'oak-chopping-board', 'bread-crock', 'wool-throw'];
const IDS = ['p-1', 'p-2', 'p-3', '8012345678901', '8012345678902'];
const PRODUCTS = SLUGS.map((slug, index) => ({
	...{ id: IDS[index] ?? '', slug, name: `Name ${index}`, price: 10 + index },
}));
const SHOPIFY_TOKEN = 'storefront-token';
const PAGE = 2;

/** What the catalogue was asked for: the cursor or page of each request. */
const asked: string[] = [];

/** A shop's own backend: Shopify's Storefront API, and a REST API. */
async function answerTo(request: IncomingMessage): Promise<object | undefined> {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
	const isAllowed = request.headers['x-shopify-storefront-access-token'] === SHOPIFY_TOKEN;
	const isShopify = /^\/api\/\d{4}-\d\d\/graphql\.json$/.test(pathname) && isAllowed;
	if (!isShopify && pathname !== '/products') return undefined;
	const body = isShopify && ((await json(request)) as { variables: { cursor: string | null } });
	const after = (body ? body.variables.cursor : searchParams.get('after')) ?? '';
	asked.push(after);
	const start = SLUGS.indexOf(after) + 1;
	const products = PRODUCTS.slice(start, start + PAGE);
	const endCursor = products.at(-1)?.slug ?? null;
	const hasNextPage = start + PAGE < PRODUCTS.length;
	if (!isShopify) return { products, next: hasNextPage ? `/products?limit=100&after=${endCursor}` : null };
	const nodes = products.map(({ id, slug, name, price }) => ({
		id: `gid://shopify/Product/${id}`,
		handle: slug,
		title: name,
		priceRange: { minVariantPrice: { amount: price.toFixed(1), currencyCode: 'EUR' } },
	}));
	return { data: { products: { nodes, pageInfo: { hasNextPage, endCursor } } } };
}

const service = await startService(IDS);
const catalogue = await listen(
	createServer(async (request, response) => {
		const answer = await answerTo(request);
		response
			.writeHead(answer ? 200 : 403, { 'content-type': 'application/json' })
			.end(JSON.stringify(answer));
	}),
);

afterAll(async () => {
	await catalogue.close();
	await service.close();
});

/** Builds one of the stores of the page `guides/product-list` of the documentation. */
async function build(source: string) {
	const { url } = catalogue;
	const environment = { CATALOGUE_URL: url, SHOPIFY_STORE: url, SHOPIFY_TOKEN };
	const project = createProject(`product-sources/${source}`, { service: service.url, environment });
	onTestFinished(project.remove);
	service.requests.reset();
	asked.length = 0;
	const output = await project.build();
	const pages = project.files().filter((path) => path.endsWith('.html'));
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

test.each(['collection', 'collection-file', 'json-file', 'typescript'])('%s', async (source) => {
	// Files hold fewer than the services have.
	expectPages(await build(source), [0, 1, 2]);
});

test('shopify: by cursor, and by the number at the end of the id', async () => {
	expectPages(await build('shopify'), [0, 1, 2, 3, 4]);
	// Once for the list, once for the pages.
	expect(asked.sort()).toEqual(['', '', SLUGS[1], SLUGS[1], SLUGS[3], SLUGS[3]].sort());
});

test('rest-api: page by page', async () => {
	expectPages(await build('rest-api'), [0, 1, 2, 3, 4]);
	expect(asked).toHaveLength(6);
});
