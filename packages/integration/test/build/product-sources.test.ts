import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, startService } from '../support/build/service.js';
import { STOREFRONT_TOKEN, startCatalogue } from '../support/service/catalogue.js';

const SLUGS = ['enamel-kettle', 'cast-iron-skillet', 'oak-chopping-board', 'bread-crock', 'wool-throw'];
const IDS = ['p-1', 'p-2', 'p-3', '8012345678901', '8012345678902'];
const PRODUCTS = IDS.map((id, index) => ({
	id,
	slug: SLUGS[index] ?? '',
	name: `Name ${index}`,
	price: 10 + index,
}));

/** The products of the sources that hold theirs in files. */
const IN_FILES = [0, 1, 2];

const service = await startService(IDS);
const catalogue = await startCatalogue(PRODUCTS);

afterAll(async () => {
	await catalogue.close();
	await service.close();
});

/** Builds one of the stores of the page `guides/product-list` of the documentation. */
async function build(source: string) {
	const { url } = catalogue;
	const environment = { CATALOGUE_URL: url, SHOPIFY_STORE: url, SHOPIFY_TOKEN: STOREFRONT_TOKEN };
	const project = createProject(`product-sources/${source}`, { service: service.url, environment });
	onTestFinished(project.remove);
	service.requests.reset();
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
	expectPages(await build(source), IN_FILES);
});

test('shopify: by cursor, and by the number at the end of the id', async () => {
	expectPages(await build('shopify'), [0, 1, 2, 3, 4]);
	const asked = catalogue.requests.filter((path) => path.startsWith('/api/'));
	// Once for the list, once for the pages.
	expect(asked.map((path) => path.split(' ')[1]).sort()).toEqual(
		['', '', SLUGS[1], SLUGS[1], SLUGS[3], SLUGS[3]].sort(),
	);
});

test('rest-api: page by page', async () => {
	expectPages(await build('rest-api'), [0, 1, 2, 3, 4]);
	expect(catalogue.requests.filter((path) => path.startsWith('/products '))).toHaveLength(6);
});
