import { join } from 'node:path';
import { checkHtml } from 'product-reviews-test-support/check-html';
import { findViolations } from 'product-reviews-test-support/find-violations';
import { type Browser, openBrowser } from 'product-reviews-test-support/open-browser';
import { openPage } from 'product-reviews-test-support/open-page';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedDocs, serveDocs } from '../support/build-docs.ts';

let docs: ServedDocs;
let browser: Browser;

beforeAll(async () => {
	[docs, browser] = await Promise.all([serveDocs(), openBrowser()]);
});

afterAll(async () => {
	await browser?.close();
	await docs?.close();
});

test('the build has every kind of page, and its reviews', () => {
	for (const path of ['/', '/get-started/', '/example/', '/reference/options/', '/help/faq/']) {
		expect(docs.paths).toContain(path);
	}
	expect(docs.output).toContain('All internal links are valid');
	expect(docs.output).toMatch(/3 products in .*: 2 fetched, 1 without reviews/);
	expect(docs.output).not.toContain('[WARN]');
});

describe('every page', () => {
	test('is accessible in light and dark, fits a phone, and loads nothing from elsewhere', async () => {
		const found: string[] = [];
		for (const path of docs.paths) {
			const { page, requests, problems } = await openPage(browser.context, docs.url + path, 360);
			const add = (problem: string) => found.push(`${path}: ${problem}`);
			problems.forEach(add);
			requests.filter((url) => !url.startsWith(`${docs.url}/`) && !url.startsWith('data:')).forEach(add);
			const width = await page.evaluate(() => document.documentElement.scrollWidth);
			if (width > 360) add(`${width} pixels wide`);
			await page.evaluate(() => (document.documentElement.dataset['theme'] = 'light'));
			(await findViolations(page)).forEach(add);
			await page.evaluate(() => (document.documentElement.dataset['theme'] = 'dark'));
			// No other rule depends on colours.
			(await findViolations(page, undefined, ['color-contrast'])).forEach(add);
			await page.close();
		}
		expect(docs.paths.length).toBeGreaterThan(30);
		expect(found).toEqual([]);
	});

	test('is valid html', needs('java'), async () => {
		const files = docs.paths.map((path) => join(docs.folder, path, 'index.html'));
		const problems = await checkHtml(files);
		const found = problems.filter(({ severity, message }) => severity === 'error' && !isStarlights(message));
		expect(found).toEqual([]);
	});
});

/** Errors in the html of Starlight and Expressive Code, which this site does not write. */
const STARLIGHTS: readonly RegExp[] = [];
const isStarlights = (message: string) => STARLIGHTS.some((known) => known.test(message));

test('search finds a page', async () => {
	const { page } = await openPage(browser.context, `${docs.url}/`, 1280);
	await page.getByRole('button', { name: 'Search' }).click();
	await page.getByRole('textbox', { name: 'Search' }).fill('deploy hook');
	const result = page.locator('.pagefind-ui__result-link[href*="/publish/webhooks/"]').first();
	await result.waitFor();
	await result.click();
	await page.waitForURL('**/publish/webhooks/**');
	await page.close();
});

test('the example shows the real components', async () => {
	const { page } = await openPage(browser.context, `${docs.url}/example/`, 1280);
	const listing = page.locator('#a-listing ~ ul').first().locator('li');
	expect(await listing.locator('.star-rating').count()).toBe(2);
	expect(await page.locator('.review-section').getByText('The lid rattles').count()).toBe(1);
	expect(await page.locator('.review-section').getByText('Does it work on induction?').isVisible()).toBe(true);
	await page.locator('.product-reviews summary').click();
	expect(await page.getByText('Eggs slide off').isVisible()).toBe(true);
	const schema = await page.locator('script[type="application/ld+json"]').last().textContent();
	expect(JSON.parse(schema ?? '')).toMatchObject({
		name: 'Enamel Kettle',
		aggregateRating: { ratingValue: 4, reviewCount: 4 },
	});
	await page.close();
});
