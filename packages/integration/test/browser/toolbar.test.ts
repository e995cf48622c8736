import type { Locator, Page } from 'playwright-core';
import { startSandbox } from 'product-reviews-sandbox';
import type { DevServer } from 'product-reviews-test-support/astro';
import { type Browser, findViolations, openBrowser } from 'product-reviews-test-support/browser';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { publish } from '../support/build/service.js';

const HOSTILE = '<img src=x onerror="window.wasRun = true">';
/** With a folder of its own for what Vite bundles. */
const RUN = { pages: ['p-1'], config: { devToolbar: { enabled: true }, vite: { cacheDir: '.vite' } } };

const reviews = [
	{ rating: 5, author: HOSTILE, body: 'Boils fast.', status: 'published' as const },
	{ rating: 4, author: 'Ben', body: 'Looks good.', status: 'published' as const },
];
const service = await startSandbox({
	seed: false,
	products: [{ pid: 'p-1', name: `Kettle ${HOSTILE}`, reviews }],
});
const options = { retries: 0, staleIfError: '1d' };
const project = createProject('product-page', { ...RUN, service: service.url, options });
let server: DevServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	[server, browser] = await Promise.all([project.dev(), openBrowser()]);
});

beforeEach(async () => {
	service.faults.clear();
	await page?.close();
	page = await browser.context.newPage();
});

afterAll(async () => {
	await browser?.close();
	await server?.stop();
	project.remove();
	await service.close();
});

/** The window of the toolbar app on an open page. */
function toolbarOn(page: Page): Locator {
	return page.locator('astro-dev-toolbar-app-canvas[data-app-id="astro-product-reviews"]');
}

/** Opens the app with the keyboard, as its button in Astro's toolbar. @returns its window. */
async function openToolbar(page: Page): Promise<Locator> {
	const app = toolbarOn(page);
	await app.locator('astro-dev-toolbar-window').waitFor({ state: 'attached' });
	await page.locator('astro-dev-toolbar #dev-bar').focus();
	const button = page.locator('astro-dev-toolbar button[data-app-id="astro-product-reviews"]');
	await button.press('Enter');
	await app.getByRole('heading', { name: /^Products on this page/ }).waitFor();
	return app;
}

const visit = async (path: string): Promise<Locator> => {
	await page.goto(server.url + path);
	return openToolbar(page);
};
const badges = (app: Locator) => app.locator('li:has(> .row) astro-dev-toolbar-badge');

test('it shows the products of the page, where each answer came from, and what a stranger wrote as text', async () => {
	const first = await visit('/visible');
	await expect.poll(() => badges(first).allTextContents()).toEqual(['service, just now']);
	expect(await first.getByRole('heading', { level: 4 }).allTextContents()).toEqual(['Product "p-1"']);
	expect(await first.locator('astro-dev-toolbar-card p').first().textContent()).toBe(
		'4.5 of 5, 2 ratings · <ReviewSchema>, <StarRating>, <ProductReviews>',
	);
	await first.getByText('JSON-LD script 1 of 1').click();
	// The escaped letters of the script, read as JSON and written again.
	expect(await first.locator('pre').textContent()).toContain(JSON.stringify(HOSTILE));
	expect(await first.locator('img').count()).toBe(0);
	expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);

	const again = await visit('/visible');
	await expect.poll(() => badges(again).allTextContents()).toEqual(['cache, fresh']);
	expect(await again.locator('.note').allTextContents()).toContainEqual(expect.stringMatching(/^\d+ s ago$/));
});

const mark = () => page.locator('astro-dev-toolbar .item.active .notification[data-active]');

test('each rule is there, and what a page breaks comes with what to do, also after a view transition', async () => {
	const broken = await visit('/hidden');
	const findings = await broken
		.locator('section')
		.filter({ hasText: /^Findings/ })
		.textContent();
	for (const text of ['nobody can see them', 'display="visible"', 'Here: p-1. Builds check this, too.'])
		expect(findings).toContain(text);
	expect(await broken.getByText(/^Rules: 1 broken, \d+ kept, \d+ not applicable$/).count()).toBe(1);
	expect(await mark().count()).toBe(1);

	// With view transitions, the next page is asked about without a load.
	await page.evaluate(() => {
		history.replaceState(null, '', '/visible');
		document.dispatchEvent(new Event('astro:page-load'));
	});
	await broken.getByRole('heading', { name: 'Findings (0)' }).waitFor();
	expect(await broken.getByText('This page breaks no rule.').count()).toBe(1);
	await broken.getByText(/^Rules: /).click();
	expect(await broken.getByText('A product has a name', { exact: false }).isVisible()).toBe(true);
	expect(await mark().count()).toBe(0);
});

test('refetching brings a new review onto the page, and the app opens again', async () => {
	// From here on, the reviews are stored.
	expect((await fetch(`${server.url}/visible`)).status).toBe(200);
	publish(service, 'p-1', 'Just in.', { rating: 3, author: 'Cem cem@example.com' });
	await visit('/visible');
	expect(await page.getByText('Just in.').count()).toBe(0);
	// A button that is drawn again while it is pressed would lose the key.
	await expect.poll(() => badges(toolbarOn(page)).allTextContents()).toEqual(['cache, fresh']);
	await toolbarOn(page).getByRole('button', { name: 'Refetch product "p-1"' }).press('Enter');
	await page.getByText('Just in.').first().waitFor();
	await expect.poll(() => badges(toolbarOn(page)).allTextContents()).toEqual(['service, just now']);
	expect(await toolbarOn(page).getByText('4 of 5, 3 ratings').isVisible()).toBe(true);
	const leftOut = toolbarOn(page).getByText(/^Left out: e-mail address or phone number in a name/);
	expect(await leftOut.count()).toBe(1);
});

test('a failure is named, and refetching after it does not wait', async () => {
	service.faults.add({ kind: 'status', status: 500 });
	const app = await visit('/visible');
	await app.getByRole('button', { name: 'Refetch all' }).click();
	await expect.poll(() => badges(toolbarOn(page)).allTextContents()).toEqual(['cache, stale']);
	const failure = toolbarOn(page).getByText(/^The service failed: .*500/);
	expect(await failure.isVisible()).toBe(true);
	service.faults.clear();
	await toolbarOn(page).getByRole('button', { name: 'Refetch all' }).click();
	await expect.poll(() => badges(toolbarOn(page)).allTextContents()).toEqual(['service, just now']);
});

test('outlines are around what is visible, and mark where hidden reviews and JSON-LD stand', async () => {
	const boxOf = (target: Locator) => target.boundingBox();
	const app = await visit('/visible');
	const toggle = app.getByRole('switch', { name: 'Outlines' });
	await toggle.press('Space');
	expect(await app.getByRole('status').textContent()).toBe(
		'Outlined: <ProductReviews>; <StarRating>; <ReviewSchema>.',
	);
	const marks = app.locator('astro-dev-toolbar-highlight');
	expect(await marks.count()).toBe(3);
	expect(await boxOf(marks.nth(0))).toEqual(await boxOf(page.locator('.pr-product-reviews[data-display]')));
	expect(await boxOf(marks.nth(1))).toEqual(await boxOf(page.locator('.pr-star-rating')));
	await toggle.press('Space');
	expect(await marks.count()).toBe(0);

	const hidden = await visit('/hidden');
	await hidden.getByRole('switch', { name: 'Outlines' }).press('Space');
	expect(await hidden.locator('.outline-name[data-is-hidden]').allTextContents()).toEqual([
		'<ProductReviews>, hidden',
		'<ReviewSchema>',
	]);
	const schema = await boxOf(hidden.locator('astro-dev-toolbar-highlight').nth(1));
	const before = await boxOf(page.getByRole('button', { name: 'Add to basket' }));
	expect(schema?.y).toBeCloseTo((before?.y ?? 0) + (before?.height ?? 0), 0);
	await hidden.getByRole('switch', { name: 'Outlines' }).press('Space');
});

test('axe finds nothing in it, and it stays on the screen, narrow and wide', async () => {
	await page.setViewportSize({ width: 360, height: 800 });
	const app = await visit('/hidden');
	await app.getByText(/^Rules: /).click();
	const dialog = app.locator('astro-dev-toolbar-window');
	for (const width of [360, 1280]) {
		await page.setViewportSize({ width, height: 800 });
		expect(await findViolations(page, ['astro-dev-toolbar'])).toEqual([]);
		const box = (await dialog.boundingBox()) ?? expect.fail();
		expect(box.x).toBeGreaterThanOrEqual(0);
		expect(box.x + box.width).toBeLessThanOrEqual(width);
		const overflow = (element: Element) => element.scrollWidth - element.clientWidth;
		expect(await dialog.evaluate(overflow)).toBeLessThanOrEqual(0);
	}
});

test('without an address of the service and a website ID, the app says what to set', async () => {
	const bare = createProject('product-page', RUN);
	onTestFinished(bare.remove);
	const dev = await bare.dev();
	onTestFinished(dev.stop);
	await page.goto(`${dev.url}/visible`);
	expect(await page.getByRole('heading', { name: 'Enamel Kettle' }).count()).toBe(1);
	const app = await openToolbar(page);
	const setup = app.locator('section').filter({ hasText: /^Not set/ });
	expect(await setup.textContent()).toContain(
		'REVIEWS_BASE_URL in the environment or in the file .env in the folder "product-page-',
	);
	expect(await setup.textContent()).toContain('REVIEWS_WSID');
	expect(await badges(app).allTextContents()).toEqual(['not requested']);
});
