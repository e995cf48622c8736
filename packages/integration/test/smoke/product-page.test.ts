import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectMarks, IN_TEST, markOf, productIds, startShop } from '../support/build/service.js';

/** The last one is a number for the site, and its digits for the service. */
const ODD_PIDS = [
	...['gid://shop/Product/42', 'with a space', '100%', '%2e%2e%2f', '"double" and \'single\'', '$&'],
	...['<b>&amp;</b>', '🪑-chair', 'Case', 'case', '../../etc/passwd', 'a?b=c&d#e', 'مصباح', '__proto__'],
	...['x'.repeat(500), 7_000_000_000_001],
];
const PIDS = productIds(20);

test('a page shows the reviews, stars and structured data of its product, whatever its id, also from the cache', async () => {
	const { project, service } = await startShop('store', ODD_PIDS, { atEnd: onTestFinished });
	for (const requests of [ODD_PIDS.length, 0]) {
		service.requests.reset();
		const output = await project.build();
		expect(output).toContain('Complete!');
		expect(output).not.toContain('WARN');
		expect(service.requests.count()).toBe(requests);
		expectMarks(project, ODD_PIDS);
		for (const index of ODD_PIDS.keys()) {
			const page = project.read(`products/n${index + 1}/index.html`);
			expect(page).toContain('class="pr-star-rating"');
			const schema = JSON.parse(/<script type="application\/ld\+json"[^>]*>([^<]+)</.exec(page)?.[1] ?? '');
			expect(schema).toMatchObject({
				'@type': 'Product',
				'@id': `https://shop.example/products/n${index + 1}/`,
				aggregateRating: { ratingValue: 4.5, reviewCount: 2 },
				review: [{ reviewBody: markOf(index) }, { reviewBody: markOf(index) }],
			});
		}
	}
});

test('a list from an async generator, with duplicates and without a product that a page shows; settings from .env files', async () => {
	const setup = { service: undefined, options: { products: 'generated' }, atEnd: onTestFinished };
	const { project, service } = await startShop('store', PIDS, setup);
	// The file of the mode comes before the common one.
	writeFileSync(join(project.root, '.env'), 'REVIEWS_BASE_URL=http://127.0.0.1:9\nREVIEWS_WSID=W-1001\n');
	writeFileSync(join(project.root, '.env.production'), `REVIEWS_BASE_URL=${service.url}\n`);
	writeFileSync(
		join(project.root, 'src/pages/bare.astro'),
		`---\nimport { ProductReviews } from 'astro-product-reviews/components';\n---\n<ProductReviews pid="p-1" />\n`,
	);
	const output = await project.build();
	// A page that is nothing but the component has its stylesheet as well.
	expect(project.read('bare/index.html')).toMatch(
		/<(?:style|link rel="stylesheet")[^>]*>.*pr-product-reviews/s,
	);
	expect(output).toContain('The product list contains 1 product more than once: "p-2"');
	expect(output).toContain('Pages show 1 product missing from the product list: "p-20"');
	expectMarks(project, PIDS);
	expect(service.requests.count()).toBe(20);
});

test('own markup gets the records of a product, with one request an operation and no client JavaScript', async () => {
	const { project, service } = await startShop('review-data-store', ['p-1'], IN_TEST);
	await project.build();
	const page = project.read('products/p-1/index.html');
	expect(page).toContain('<p id="average">4.50</p>');
	const authors = /<ul id="authors">(.*?)<\/ul>/.exec(page)?.[1];
	// Both are of one day, so the service may send either first.
	expect(authors?.match(/Author \d/g)?.toSorted()).toEqual(['Author 0', 'Author 1']);
	expect(page).toContain('<p id="five">1</p>');
	// Attributes go to the root element of a component.
	const root = /<details[^>]*>/.exec(page)?.[0];
	for (const part of ['class="pr-product-reviews mine"', 'id="reviews"', 'data-display="details"'])
		expect(root).toContain(` ${part}`);
	expect(project.files().filter((path) => /\.m?js$/.test(path))).toEqual([]);
	expect(page).not.toContain('<script');
	expect(service.requests.count({ operation: 'crawlerReviews' })).toBe(1);
	expect(service.requests.count({ operation: 'productReviewData' })).toBe(1);
});
