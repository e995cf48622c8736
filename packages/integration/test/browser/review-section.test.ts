import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findViolations } from 'product-reviews-test-support/browser';
import { afterAll, expect, test } from 'vitest';
import { serveSite } from '../support/browser/served-site.js';
import { watchPage } from '../support/browser/watched-page.js';

/** Of all stylesheets together, compressed, in bytes. */
const MOST_CSS = 6 * 1024;

const site = await serveSite(
	'review-section',
	{
		pages: ['p-1', 'p-2'],
		// Without hashes of inline styles: a style attribute would be a violation.
		config: { security: { csp: true } },
	},
	({ url, store }) => {
		const images = Array.from({ length: 11 }, (_, index) => `${url}/media/photo-${index}.jpg`);
		store.createReview('p-2', { rating: 5, author: 'Ada', body: 'It holds tea. '.repeat(100), images });
	},
);
const watched = await watchPage(site.context, site.url);

afterAll(site.close);

async function visit(name: string, width: number, colorScheme: 'light' | 'dark' = 'light') {
	const { page } = watched;
	await page.setViewportSize({ width, height: 800 });
	await page.emulateMedia({ colorScheme });
	await watched.visit(`/${name}/`);
	return page;
}

/** The policy of the page allows no script, so that of axe comes through the debugger. */
const violations = () => findViolations(watched.page);

test.each([
	['en', 1280, 'light'],
	['en', 360, 'dark'],
	['ar', 768, 'light'],
	['de', 360, 'light'],
	['twice', 768, 'dark'],
] as const)(
	'%s, %i pixels wide, %s: axe finds nothing, and there is nothing to scroll sideways',
	async (name, width, colorScheme) => {
		const page = await visit(name, width, colorScheme);
		expect(await page.locator('.pr-review').count()).toBeGreaterThan(20);
		// Also in what is closed at first.
		await page.locator('.pr-more').evaluateAll((groups) => {
			for (const group of groups) group.setAttribute('open', '');
		});
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
		expect(await violations()).toEqual([]);
	},
);

test('there is no script, nothing that the policy of the page stops, and little CSS', async () => {
	const page = await visit('en', 1280);
	expect(await page.locator('script').count()).toBe(0);
	const files = readdirSync(site.folder, { recursive: true }).map(String);
	expect(files.filter((path) => /\.m?js$/.test(path))).toEqual([]);
	const incidents = await watched.incidents();
	expect(incidents.filter((incident) => !incident.startsWith(`request: ${site.service.url}/media/`))).toEqual(
		[],
	);

	const sheets = files.filter((path) => path.endsWith('.css'));
	const html = readFileSync(join(site.folder, 'en/index.html'), 'utf8');
	const css = [
		...sheets.map((path) => readFileSync(join(site.folder, path), 'utf8')),
		...(html.match(/<style[\s\S]*?<\/style>/g) ?? []),
	].join('');
	expect(css).toContain('.pr-review-section');
	expect(gzipSync(css).length).toBeLessThan(MOST_CSS);
});

test('stars are chosen with the keyboard, also among reviews that are not opened yet, each list for itself', async () => {
	const page = await visit('twice', 1280);
	const [first, second] = [
		page.getByRole('region', { name: 'First' }),
		page.getByRole('region', { name: 'Second' }),
	];
	const shown = (list: typeof first) =>
		list
			.locator('li[data-stars]')
			.evaluateAll((items) =>
				items.filter((item) => item.checkVisibility()).map((item) => (item as HTMLElement).dataset['stars']),
			);
	expect(await shown(first)).toHaveLength(5);
	const url = page.url();

	await first.getByRole('radio', { name: /^All/ }).focus();
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('Enter');

	expect(await first.getByRole('radio', { name: '4 stars 5' }).isChecked()).toBe(true);
	expect(await shown(first)).toEqual(['4', '4', '4', '4', '4']);
	expect(await shown(second)).toHaveLength(5);
	expect(page.url()).toBe(url);
});

test('further reviews open with the keyboard, one group after the other', async () => {
	const page = await visit('en', 1280);
	const list = page.getByRole('region', { name: 'Reviews', exact: true });
	const visible = () =>
		list
			.locator('li[data-stars]')
			.evaluateAll((items) => items.filter((item) => item.checkVisibility()).length);
	const more = list.locator('.pr-more-summary:visible');

	expect([await visible(), await more.count()]).toEqual([5, 1]);
	await more.press('Enter');
	expect([await visible(), await more.count()]).toEqual([10, 2]);
});

test('an image opens large, in place of nothing, and closes again', async () => {
	const page = await visit('en', 1280);
	const thumbnail = page.locator('.pr-review-media .pr-media-thumbnail').first();
	const large = page.locator('.pr-review-media .pr-media-view img').first();
	const height = await page.evaluate(() => document.documentElement.scrollHeight);

	await thumbnail.press('Enter');
	await expect.poll(() => large.isVisible()).toBe(true);
	const { width = 0, height: tall = 0 } = (await large.boundingBox()) ?? {};
	expect(width * tall).toBeGreaterThan(300_000);
	expect(await violations()).toEqual([]);
	expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);

	await page.mouse.click(20, 400);
	await expect.poll(() => large.isVisible()).toBe(false);
});

test('arrows lead from one image to the next with the keyboard, and only one is open', async () => {
	const page = await visit('en', 390);
	const items = page.locator('.pr-review-media .pr-media-item');
	const thumbnails = page.locator('.pr-review-media .pr-media-thumbnail');
	const open = () =>
		items.evaluateAll((all) => all.flatMap((one, at) => (one.hasAttribute('open') ? [at] : [])));

	await thumbnails.first().press('Enter');
	await page.keyboard.press('Tab');
	await page.keyboard.press('Enter');
	expect(await open()).toEqual([1]);
	const side = async (at: number) => (await thumbnails.nth(at).boundingBox())?.x;
	expect([await side(0), await side(2)]).toEqual([16, 390 - 16 - 44]);
	expect(await violations()).toEqual([]);
	await thumbnails.nth(2).click();
	expect(await open()).toEqual([2]);
	await page.keyboard.press('Enter');
	expect(await open()).toEqual([]);
});

test.each([1280, 390])('%i pixels wide: a box opens a long text, another a whole gallery', async (width) => {
	const page = await visit('long', width);
	const body = page.locator('.pr-review .pr-body').first();
	const height = async () => (await body.boundingBox())?.height ?? 0;
	const lines = await body.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight));
	expect(await height()).toBeCloseTo(8 * lines, 0);
	await page.getByRole('checkbox', { name: 'Read more' }).press('Space');
	expect(await height()).toBeGreaterThan(12 * lines);

	const tiles = page.locator('.pr-review-media .pr-media-entry:visible');
	expect(await tiles.count()).toBe(8);
	await page.getByRole('checkbox', { name: '3 more photos and videos' }).press('Space');
	expect(await tiles.count()).toBe(11);
	expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
	expect(await violations()).toEqual([]);
});

test('on a phone the first review is within two screens', async () => {
	const page = await visit('en', 390);
	await page.setViewportSize({ width: 390, height: 844 });
	const section = (await page.locator('.pr-review-section').boundingBox()) ?? expect.fail();
	const body = (await page.locator('.pr-review .pr-body').first().boundingBox()) ?? expect.fail();
	expect(body.y + body.height - section.y).toBeLessThan(2 * 844);
});

test('nothing moves when images arrive', async () => {
	const page = await visit('en', 1280);
	const images = page.locator('.pr-review-media .pr-media-thumbnail img');
	await images.first().scrollIntoViewIfNeeded();
	await expect
		.poll(() =>
			images.evaluateAll((all) => all.every((image) => (image as HTMLImageElement).naturalWidth > 0)),
		)
		.toBe(true);
	const shift = await page.evaluate(async () => {
		const observer = new PerformanceObserver(() => {});
		observer.observe({ type: 'layout-shift', buffered: true });
		await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
		return observer.takeRecords().map((entry) => entry.toJSON().value);
	});
	expect(shift).toEqual([]);
});
