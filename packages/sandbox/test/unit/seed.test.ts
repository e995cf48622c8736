import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, SEED_PRODUCTS, startSandbox } from '../../src/index.js';
import { testSandbox } from '../support/test-sandbox.js';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

it('has 60 products, ten of each category, with the counts that demos and tests rely on', () => {
	const products = sandbox.store.listProducts();
	expect(products.map(({ pid }) => pid)).toEqual(SEED_PRODUCTS.map(({ pid }) => pid));
	expect(products.map(({ pid }) => pid)).toEqual(Array.from({ length: 60 }, (_, index) => `p-${index + 1}`));
	expect(new Set(SEED_PRODUCTS.map(({ slug }) => slug)).size).toBe(60);
	for (const category of ['kitchen', 'home', 'garden', 'outdoor', 'desk', 'kids']) {
		expect(SEED_PRODUCTS.filter((product) => product.category === category)).toHaveLength(10);
	}
	const counts = new Map(products.map((product) => [product.pid, product]));
	expect(counts.get('p-1')).toMatchObject({ publishedCount: 24 });
	expect(counts.get('p-33')).toMatchObject({ publishedCount: 300 });
	expect(counts.get('p-49')).toMatchObject({ publishedCount: 0, unpublishedCount: 4 });
	const without = products.filter(({ publishedCount }) => publishedCount === 0);
	expect(without.map(({ pid }) => pid)).toEqual(['p-17', 'p-29', 'p-37', 'p-46', 'p-49', 'p-59']);
	const others = products.filter(({ pid }) => pid !== 'p-33');
	expect(Math.max(...others.map(({ publishedCount }) => publishedCount))).toBeLessThanOrEqual(40);
});

it('makes up reviews for further products', async () => {
	const products = Array.from({ length: 200 }, (_, index) => ({ pid: `x-${index}`, name: 'X', reviews: 20 }));
	const { store } = await testSandbox({ products });
	expect(store.listReviews()).toHaveLength(4_000);
});
