import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { findViolations } from 'product-reviews-test-support/find-violations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedSite, serveSite } from '../support/browser/served-site.js';

let service: Sandbox;
let site: ServedSite;
let page: Page;

beforeAll(async () => {
	service = await startSandbox();
	site = await serveSite('product-page', { service: service.url, pages: ['p-1'] });
	page = await site.context.newPage();
});

afterAll(async () => {
	await site?.close();
	await service?.close();
});

async function visit(display: string, colorScheme: 'light' | 'dark'): Promise<void> {
	await page.emulateMedia({ colorScheme });
	await page.goto(`${site.url}/${display}/`);
}

const violations = () => findViolations(page);

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
	test.each(['hidden', 'visible', 'details'])('%s: axe finds nothing', async (display) => {
		await visit(display, colorScheme);
		expect(await page.locator('.review-item').count()).toBeGreaterThan(2);
		expect(await page.locator('.star-rating, #ServiceReviewSchemaJson').count()).toBe(2);

		expect(await violations()).toEqual([]);
	});

	test('details, opened: axe finds nothing', async () => {
		await visit('details', colorScheme);
		await page.locator('summary').press('Enter');
		expect(await page.locator('.review-body').first().isVisible()).toBe(true);

		expect(await violations()).toEqual([]);
	});
});

test.each(['visible', 'details'])(
	'%s: a page that stays light for those who prefer dark',
	async (display) => {
		await visit(display, 'dark');
		await page.addStyleTag({ content: ':root { color-scheme: light }' });

		expect(await violations()).toEqual([]);
	},
);

test('axe looks at the reviews: a link in the hidden block that keys can reach is found', async () => {
	await visit('hidden', 'light');
	await page.locator('.review-product-link').evaluateAll(([link]) => link?.removeAttribute('tabindex'));

	expect(await violations()).toMatchObject([expect.stringMatching(/^aria-hidden-focus: /)]);
});
