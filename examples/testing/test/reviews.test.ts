import { readFile } from 'node:fs/promises';
import { build } from 'astro';
import { startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';

const sandbox = await startSandbox({
	seed: false,
	products: [{ pid: 'p-1', name: 'Kettle', reviews: [{ rating: 5, title: 'Lovely', body: 'Boils fast.' }] }],
});
Object.assign(process.env, {
	REVIEWS_BASE_URL: sandbox.url,
	REVIEWS_WSID: sandbox.wsid,
	REVIEWS_TOKEN: sandbox.token,
});

const buildStore = () => build({ outDir: './test/dist', cacheDir: './test/.cache', logLevel: 'warn' });
const productPage = () => readFile('test/dist/products/p-1/index.html', 'utf8');

beforeAll(buildStore, 60_000);
afterAll(() => sandbox.close());

test('the product page shows its reviews', async () => {
	const html = await productPage();
	expect(html).toContain('Boils fast.');
	expect(html).toContain('"reviewCount":1');
});

test('a new review is on the page after the next build', { timeout: 60_000 }, async () => {
	sandbox.store.createReview('p-1', { rating: 4, title: 'Good', body: 'A little loud.' });
	await buildStore();
	expect(await productPage()).toContain('A little loud.');
});

test('reviews stay on the page while the service is down', { timeout: 60_000 }, async () => {
	sandbox.faults.add({ kind: 'status', status: 503 });
	await buildStore();
	expect(await productPage()).toContain('Boils fast.');
});
