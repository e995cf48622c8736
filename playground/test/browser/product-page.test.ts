import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRODUCTS } from '../../src/catalogue/products.ts';
import type { Product } from '../../src/catalogue/types.ts';
import { crawlerReviewsOf } from '../support/crawler-reviews-of.ts';
import { type ServedShop, serveShop } from '../support/served-shop.ts';

const RIGHT_TO_LEFT = /[\u0590-\u06ff]/;

let shop: ServedShop;

beforeAll(async () => {
	shop = await serveShop();
});

afterAll(() => shop?.close());

const pathOf = ({ slug }: Product) => `/products/${slug}/`;

const productOf = (pid: string) => {
	const product = PRODUCTS.find((candidate) => candidate.pid === pid);
	if (!product) throw new Error(`The catalogue has no ${pid}.`);
	return product;
};

/** The first product whose reviews, as sent by the service, meet a condition. */
async function findProduct(
	isWanted: (reviews: { html: string; jsonld: string }) => boolean,
): Promise<Product> {
	for (const product of PRODUCTS) {
		if (isWanted(await crawlerReviewsOf(shop.sandbox, product.pid))) return product;
	}
	throw new Error('The seed has no such product.');
}

describe.each([360, 1280])('a product page, %i pixels wide', (width) => {
	test('shows the reviews to visitors, with author and date', async () => {
		const { page } = await shop.open('/products/enamel-kettle/', width);
		const { dataCount } = await crawlerReviewsOf(shop.sandbox, 'p-1');
		const reviews = page.locator('.product-reviews .review-item');

		expect(await reviews.count()).toBe(dataCount.prtng);
		expect(await reviews.first().isVisible()).toBe(true);
		expect(await reviews.last().isVisible()).toBe(true);
		expect(await page.locator('.product-reviews h2').textContent()).toBe('What people say');
		expect(await reviews.locator('.review-author').count()).toBe(dataCount.prtng);
		expect((await reviews.first().locator('.review-author').textContent())?.trim()).not.toBe('');
		expect(await reviews.first().locator('.review-body').isVisible()).toBe(true);
		expect(await reviews.first().locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
	});

	test('does not scroll horizontally', async () => {
		for (const pid of ['p-1', 'p-2', 'p-33', 'p-34']) {
			const { page } = await shop.open(pathOf(productOf(pid)), width);
			expect(await page.evaluate(() => document.documentElement.scrollWidth), pid).toBe(width);
			await page.close();
		}
	});

	test('requests nothing from other hosts and logs no problems in the console', async () => {
		const { requests, problems, status } = await shop.open('/products/enamel-kettle/', width);

		expect(status).toBe(200);
		expect(requests.length).toBeGreaterThan(1);
		expect(requests.filter((url) => !url.startsWith(`${shop.url}/`) && !url.startsWith('data:'))).toEqual([]);
		expect(problems).toEqual([]);
	});
});

describe('a product page', () => {
	test('has no script except the structured data, which matches the page', async () => {
		const { page } = await shop.open('/products/enamel-kettle/', 1280);
		const scripts = page.locator('script');
		expect(await scripts.count()).toBe(1);
		expect(await scripts.getAttribute('type')).toBe('application/ld+json');

		const data = JSON.parse((await scripts.textContent()) ?? '');
		const { dataCount } = await crawlerReviewsOf(shop.sandbox, 'p-1');
		expect(data).toMatchObject({
			'@type': 'Product',
			'@id': 'https://fjell-and-form.example/products/enamel-kettle/',
			name: 'Enamel Kettle 1.2 l',
			sku: 'p-1',
			offers: { '@type': 'Offer', price: 64, priceCurrency: 'EUR' },
			aggregateRating: { ratingValue: dataCount.avgrtng, reviewCount: dataCount.prtng },
		});
		const shown = await page.locator('.product-reviews .review-author').allTextContents();
		for (const { author } of data.review) expect(shown.map((name) => name.trim())).toContain(author.name);
	});

	test('links its stars to the reviews', async () => {
		const { page } = await shop.open('/products/enamel-kettle/', 1280);
		await page.getByRole('link', { name: /4\.4 out of 5 stars/ }).click();

		expect(new URL(page.url()).hash).toBe('#reviews');
		await expect
			.poll(() => page.evaluate(() => document.querySelector('#reviews')?.getBoundingClientRect().top))
			.toBeLessThan(60);
	});

	test('renders a right-to-left review from right to left', async () => {
		const product = await findProduct(({ html }) =>
			RIGHT_TO_LEFT.test(html.match(/<div class="review-body">([^<]*)/g)?.join('') ?? ''),
		);
		const { page } = await shop.open(pathOf(product), 1280);
		const body = page.locator('.review-body').filter({ hasText: RIGHT_TO_LEFT }).first();

		expect(await body.getAttribute('dir')).toMatch(/^(auto|rtl)$/);
		expect(await body.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
		expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('ltr');
	});

	test('shows markup in a review as text', async () => {
		const { page } = await shop.open('/products/cast-iron-skillet/', 1280);

		expect(await page.locator('.review-title').allTextContents()).toContain('<b>Best pan ever</b>');
		expect(await page.locator('.product-reviews b').count()).toBe(0);
	});

	test('of a product without reviews has neither a review section nor a rating in its structured data', async () => {
		const product = await findProduct(({ jsonld }) => jsonld === '');
		const { page, problems } = await shop.open(pathOf(product), 1280);

		expect(await page.locator('.product-reviews, .review-item, #reviews').count()).toBe(0);
		expect(await page.locator('a[href="#reviews"]').isVisible()).toBe(false);
		expect(await page.locator('.product .star-rating').count()).toBe(0);
		for (const text of await page.locator('script').allTextContents()) {
			expect(JSON.parse(text)).not.toHaveProperty('aggregateRating');
			expect(JSON.parse(text)).not.toHaveProperty('review');
		}
		expect(problems).toEqual([]);
	});

	test('links to a page with everything that the service has about its reviews', async () => {
		const { page } = await shop.open('/products/enamel-kettle/', 360);
		await page.getByRole('link', { name: 'All reviews, photos and questions' }).click();

		const section = page.getByRole('region', { name: 'What people say' });
		for (const name of ['What reviews mention', 'Photos and videos', 'Reviews', 'Questions and answers']) {
			expect(await section.getByRole('region', { name, exact: true }).count(), name).toBe(1);
		}
		expect(await page.locator('script').count()).toBe(0);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
	});

	test('explains what its basket does, without a script', async () => {
		const { page } = await shop.open('/products/enamel-kettle/', 360);
		await page.getByText('Add to basket').click();

		expect(await page.getByText('the basket stays empty').isVisible()).toBe(true);
	});
});
