import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES } from '../../src/catalogue/categories.ts';
import { PRODUCTS } from '../../src/catalogue/products.ts';
import { crawlerReviewsOf } from '../support/crawler-reviews-of.ts';
import { type ServedShop, serveShop } from '../support/served-shop.ts';

const LISTINGS = ['/', '/products/', ...CATEGORIES.map(({ slug }) => `/category/${slug}/`)];

let shop: ServedShop;

beforeAll(async () => {
	shop = await serveShop();
});

afterAll(() => shop?.close());

describe('the listing', () => {
	test('shows all sixty products, with stars only for those with ratings', async () => {
		const { page } = await shop.open('/products/', 1280);
		const cards = page.locator('.card');
		expect(await cards.count()).toBe(60);

		for (const [index, { pid, name }] of PRODUCTS.entries()) {
			const { dataCount } = await crawlerReviewsOf(shop.sandbox, pid);
			const card = cards.nth(index);
			expect(await card.getByRole('heading').textContent()).toBe(name);
			const stars = card.locator('.star-rating');
			expect(await stars.count(), name).toBe(dataCount.prtng > 0 ? 1 : 0);
			if (dataCount.prtng > 0) expect(await stars.textContent()).toContain(String(dataCount.prtng));
		}
	});

	test('carries no structured data of products', async () => {
		for (const path of LISTINGS) {
			const { page } = await shop.open(path, 1280);
			expect(await page.locator('script').count(), path).toBe(0);
			await page.close();
		}
	});

	test('of a category shows its ten products and marks the category in the filter', async () => {
		const { page } = await shop.open('/products/', 768);
		await page.getByRole('navigation', { name: 'Filter by category' }).getByText('Garden').click();
		await page.waitForURL('**/category/garden/');

		expect(await page.locator('.card').count()).toBe(10);
		const current = page.getByRole('navigation', { name: 'Filter by category' }).locator('[aria-current]');
		expect(await current.allTextContents()).toEqual(['Garden']);
	});
});

describe.each([360, 768, 1280])('every kind of page, %i pixels wide', (width) => {
	test('fits, loads nothing from other servers and logs nothing', async () => {
		for (const path of LISTINGS) {
			const { page, requests, problems } = await shop.open(path, width);
			expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width);
			expect(requests.filter((url) => !url.startsWith(`${shop.url}/`) && !url.startsWith('data:'))).toEqual(
				[],
			);
			expect(problems, path).toEqual([]);
			await page.close();
		}
	});
});

describe('the shop', () => {
	test('answers an unknown path with its own page and 404', async () => {
		const { page, status } = await shop.open('/products/no-such-thing/', 1280);

		expect(status).toBe(404);
		expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Off the trail');
	});

	test('can be navigated by keyboard, starting with the skip link', async () => {
		const { page } = await shop.open('/', 1280);
		await page.keyboard.press('Tab');
		expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the content');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Tab');

		expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('See all products');
	});

	test('has one language, one main element and one h1 on every kind of page', async () => {
		for (const path of [...LISTINGS, '/products/enamel-kettle/', '/nowhere/']) {
			const { page } = await shop.open(path, 1280);
			expect(await page.locator('html').getAttribute('lang'), path).toBe('en-GB');
			expect(await page.locator('main').count(), path).toBe(1);
			expect(await page.locator('h1').count(), path).toBe(1);
			await page.close();
		}
	});
});
