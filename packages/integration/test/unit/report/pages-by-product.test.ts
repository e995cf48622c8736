import { memoryInUse } from 'product-reviews-test-support/memory';
import { expect, test } from 'vitest';
import { createPagesByProduct } from '../../../src/report/pages-by-product.js';

test('a product has the pages that show it in the order of the build, each page once', () => {
	const pages = createPagesByProduct();
	pages.add('/products/a/', ['a', 'a']);
	pages.add('/', []);
	pages.add('/list/', ['b', 'a', 'c']);
	pages.add('/élan/', ['a']);
	expect(pages.pagesOf('a')).toEqual(['/products/a/', '/list/', '/élan/']);
	expect(pages.pagesOf('b')).toEqual(['/list/']);
	expect(pages.pagesOf('z')).toEqual([]);
	expect(pages.count).toBe(3);
});

test('a hundred thousand products, each on its page and on one of a thousand lists, are a few megabytes', async () => {
	const before = await memoryInUse();
	const pages = createPagesByProduct();
	for (let list = 0; list < 1_000; list++) {
		const pids = Array.from({ length: 100 }, (_, index) => `p-${100 * list + index}`);
		for (const pid of pids) pages.add(`/products/${pid}/`, [pid]);
		pages.add(`/lists/${list}/`, pids);
	}
	const { heap, buffers } = await memoryInUse();
	expect(heap - before.heap).toBeLessThan(1_000_000);
	expect(buffers - before.buffers).toBeLessThan(16_000_000);
	expect(pages.pagesOf('p-99999')).toEqual(['/products/p-99999/', '/lists/999/']);
});
