import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';

test('visitors see the reviews of the product', async ({ page }) => {
	await page.goto('/products/p-1/');
	await expect(page.locator('.pr-review').first()).toBeVisible();
});

test('a new review appears on the page', async ({ page, request }) => {
	await request.post('http://localhost:4400/__sandbox/products/p-1/reviews', {
		data: { rating: 5, title: 'Lovely', body: 'Boils fast.', author: 'Ada L.' },
	});
	execFileSync('npx', ['astro-product-reviews', 'update', 'p-1'], {
		env: { ...process.env, REVIEWS_TOKEN: 'sandbox-token' },
	});
	await page.goto('/products/p-1/');
	await expect(page.getByText('Boils fast.')).toBeVisible();
});
