import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findViolations } from 'product-reviews-test-support/browser';
import { afterAll, expect, test } from 'vitest';
import { serveSite } from '../support/browser/served-site.js';
import { watchPage } from '../support/browser/watched-page.js';

/** Of all stylesheets together, compressed, in bytes. */
const MOST_CSS = 6.5 * 1024;
const MOST_CSS_OF_STARS = 2 * 1024;

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

test('a listing that imports the stars alone gets their stylesheet alone', async () => {
	const html = readFileSync(join(site.folder, 'cards/index.html'), 'utf8');
	const sheets = [...html.matchAll(/href="(\/[^"]+\.css)"/g)].map(([, path = '']) =>
		readFileSync(join(site.folder, path), 'utf8'),
	);
	const css = [...sheets, ...(html.match(/<style[\s\S]*?<\/style>/g) ?? [])].join('');
	expect(css).toContain('pr-star-rating');
	expect(css).not.toContain('pr-filter');
	expect(gzipSync(css).length).toBeLessThan(MOST_CSS_OF_STARS);
	const page = await visit('cards', 390);
	expect(
		await page
			.locator('.pr-star-rating')
			.first()
			.evaluate((stars) => stars.clientHeight),
	).toBeLessThan(32);
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
	// What has opened is in nobody's way.
	await more.last().click();
	const { width = 0 } = (await more.first().boundingBox()) ?? {};
	expect(width).toBeLessThan(3);
});

test('an image opens large, in place of nothing, and closes again', async () => {
	const page = await visit('en', 1280);
	const thumbnail = page.locator('.pr-review-media .pr-media-thumbnail').first();
	const large = page.locator('.pr-review-media [popover] > :first-child').first();
	const height = await page.evaluate(() => document.documentElement.scrollHeight);

	await thumbnail.press('Enter');
	await expect.poll(() => large.isVisible()).toBe(true);
	const { width = 0, height: tall = 0 } = (await large.boundingBox()) ?? {};
	expect(width * tall).toBeGreaterThan(300_000);
	expect(await violations()).toEqual([]);
	expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
	// The page behind it stays where it is.
	const top = await page.evaluate(() => scrollY);
	await page.mouse.wheel(0, 500);
	await page.waitForTimeout(100);
	expect(await page.evaluate(() => scrollY)).toBe(top);

	await page.mouse.click(20, 400);
	await expect.poll(() => large.isVisible()).toBe(false);
	await thumbnail.press('Enter');
	await expect.poll(() => large.isVisible()).toBe(true);
	await page.keyboard.press('Escape');
	expect(await large.isVisible()).toBe(false);
	expect(await thumbnail.evaluate((element) => element === document.activeElement)).toBe(true);
});

test('buttons lead from one image to the next and back with the keyboard; a click beside it closes all', async () => {
	const page = await visit('en', 390);
	const thumbnails = page.locator('.pr-review-media .pr-media-thumbnail');
	/** The one that is on top, by what is seen in the middle of the window. */
	const shown = () =>
		page.evaluate(() => {
			const [x, y] = [innerWidth / 2, innerHeight / 2];
			const view = document.elementFromPoint(x, y)?.closest('[popover]');
			return [...document.querySelectorAll('.pr-review-media [popover]')].indexOf(view as Element);
		});
	const press = async (name: string) => {
		await page.getByRole('button', { name, exact: true }).last().press('Enter');
		return shown();
	};
	await thumbnails.nth(1).press('Enter');
	expect(await shown()).toBe(1);
	// Focus is inside: Tab goes around in what is open.
	expect(await page.evaluate(() => document.activeElement?.closest('[popover]') !== null)).toBe(true);
	const near = async (name: string) =>
		(await page.getByRole('button', { name, exact: true }).last().boundingBox())?.x ?? 0;
	expect(await near('Previous')).toBe(16);
	// The scroll bar keeps its place, although it is gone.
	expect(390 - 44 - (await near('Next'))).toBeLessThan(40);
	expect(await press('Next')).toBe(2);
	expect(await violations()).toEqual([]);
	expect(await press('Previous')).toBe(1);
	expect(await press('Previous')).toBe(0);
	const first = page.locator('.pr-review-media [popover]').first();
	expect(await first.getByRole('button', { name: 'Previous', exact: true }).count()).toBe(0);
	await page.mouse.click(195, 4);
	expect(await shown()).toBe(-1);
	expect(await page.locator('.pr-media :popover-open').count()).toBe(0);
});

/** Wrappers that hold what is in them: in their own layer, below others, or cut off. */
const TRAPS = [
	'isolation: isolate',
	'position: relative; z-index: 0',
	'transform: translateX(0)',
	'filter: saturate(1)',
	'will-change: transform',
	'contain: layout',
	'backdrop-filter: blur(1px)',
	'overflow: hidden',
	'animation: come 1ms both',
];

test.each(TRAPS)(
	'inside a wrapper with "%s", an image opens over everything and can be closed',
	async (style) => {
		const page = await visit('en', 1280);
		// By the object model: the policy of the page allows no other style.
		await page.evaluate((trap) => {
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(`@keyframes come { from { transform: translateY(9px) } to { transform: none } }
			.trap { ${trap} } .shop-header { position: fixed; z-index: 2147483647; inset: 0 0 auto; height: 6rem; background: #fff }`);
			document.adoptedStyleSheets = [sheet];
			const section = document.querySelector('.pr-review-section') as Element;
			const wrapper = document.createElement('div');
			wrapper.className = 'trap';
			section.replaceWith(wrapper);
			wrapper.append(section);
			const header = document.createElement('header');
			header.className = 'shop-header';
			document.body.prepend(header);
		}, style);
		await page.locator('.pr-review-media .pr-media-thumbnail').first().press('Enter');
		const large = page.locator('.pr-review-media [popover] > :first-child').first();
		await expect.poll(() => large.isVisible()).toBe(true);
		const onTop = () =>
			large.evaluate((element) => {
				const { x, y, width, height } = element.getBoundingClientRect();
				const ends = [y + 2, y + height / 2, y + height - 2];
				return ends.every((end) => document.elementFromPoint(x + width / 2, end) === element);
			});
		await expect.poll(onTop, { timeout: 5_000 }).toBe(true);
		await page.getByRole('button', { name: 'Close' }).click();
		expect(await large.isVisible()).toBe(false);
	},
);

test.each([1280, 390])('%i pixels wide: a box opens a long text, another a whole gallery', async (width) => {
	const page = await visit('long', width);
	const body = page.locator('.pr-review .pr-body').first();
	const height = async () => (await body.boundingBox())?.height ?? 0;
	const lines = await body.evaluate((element) => Number.parseFloat(getComputedStyle(element).lineHeight));
	expect(await height()).toBeCloseTo(8 * lines, 0);
	await page.getByRole('checkbox', { name: 'Read more' }).press('Space');
	expect(await height()).toBeGreaterThan(12 * lines);

	const tiles = page.locator('.pr-review-media .pr-media-thumbnail:visible');
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
			images.evaluateAll((all) =>
				all
					.filter((image) => image.getBoundingClientRect().right < innerWidth)
					.every((image) => (image as HTMLImageElement).naturalWidth > 0),
			),
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
