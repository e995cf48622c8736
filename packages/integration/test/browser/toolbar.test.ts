import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import type { DevServer } from 'product-reviews-test-support/astro';
import { findViolations } from 'product-reviews-test-support/find-violations';
import { type Browser, openBrowser } from 'product-reviews-test-support/open-browser';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openToolbar, toolbarOn, WITH_TOOLBAR } from '../support/browser/toolbar.js';
import { type BuildProject, createProject } from '../support/build/project.js';

const HOSTILE = '<img src=x onerror="window.wasRun = true">';
const RUN = { pages: ['p-1'], config: WITH_TOOLBAR };

let service: Sandbox;
let project: BuildProject;
let server: DevServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	service = await startSandbox({
		seed: false,
		products: [
			{
				pid: 'p-1',
				name: `Kettle ${HOSTILE}`,
				reviews: [
					{ rating: 5, author: HOSTILE, body: 'Boils fast.', status: 'published' },
					{ rating: 4, author: 'Ben', body: 'Looks good.', status: 'published' },
				],
			},
		],
	});
	project = createProject('product-page');
	[server, browser] = await Promise.all([
		project.dev({ ...RUN, service: service.url, options: { retries: 0, maxStale: '1d' } }),
		openBrowser(),
	]);
});

beforeEach(async () => {
	service.faults.clear();
	await page?.close();
	page = await browser.context.newPage();
});

afterAll(async () => {
	await browser?.close();
	await server?.stop();
	project?.remove();
	await service?.close();
});

const visit = async (path: string): Promise<Locator> => {
	await page.goto(server.url + path);
	return openToolbar(page);
};
const badges = (app: Locator) => app.locator('li:has(> .row) astro-dev-toolbar-badge');

test('it shows the products of the page, where each answer came from and how old it is', async () => {
	const first = await visit('/visible');
	await expect.poll(() => badges(first).allTextContents()).toEqual(['service, just now']);
	expect(await first.getByRole('heading', { level: 4 }).allTextContents()).toEqual(['Product "p-1"']);
	expect(await first.locator('astro-dev-toolbar-card p').first().textContent()).toBe(
		'4.5 of 5, 2 ratings · <ReviewSchema>, <ProductReviews>, <StarRating>',
	);

	const again = await visit('/visible');
	await expect.poll(() => badges(again).allTextContents()).toEqual(['store, fresh']);
	expect(await again.locator('.note').allTextContents()).toContainEqual(expect.stringMatching(/^\d+ s ago$/));
});

test('what a stranger wrote is text', async () => {
	const app = await visit('/visible');
	await app.getByText('JSON-LD script 1 of 1').click();
	const shown = await app.locator('pre').textContent();
	// The escaped letters of the script, read as JSON and written again.
	expect(shown).toContain(JSON.stringify(HOSTILE));
	expect(await app.locator('img').count()).toBe(0);
	expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
});

describe('the rules', () => {
	test('each is there, and what the page breaks comes with what to do', async () => {
		const app = await visit('/hidden');
		const findings = app.locator('section').filter({ hasText: /^Findings/ });
		expect(await findings.textContent()).toContain('nobody can see them');
		expect(await findings.textContent()).toContain('display="visible"');
		expect(await findings.textContent()).toContain('Here: p-1. Builds check this, too.');
		expect(await app.getByText(/^Rules: \d+ kept, 1 broken, \d+ not applicable$/).count()).toBe(1);
		expect(await page.locator('astro-dev-toolbar .item.active .notification[data-active]').count()).toBe(1);
	});

	test('a page that keeps them all has no findings, and no mark at its button', async () => {
		const app = await visit('/visible');
		expect(await app.getByText('This page breaks no rule.').count()).toBe(1);
		await app.getByText(/^Rules: /).click();
		expect(await app.getByText('Every review has an author', { exact: false }).isVisible()).toBe(true);
		expect(await page.locator('astro-dev-toolbar .item.active .notification[data-active]').count()).toBe(0);
	});
});

test('with view transitions, the next page is asked about without a load', async () => {
	const app = await visit('/hidden');
	await app.getByRole('heading', { name: 'Findings (1)' }).waitFor();
	await page.evaluate(() => {
		history.replaceState(null, '', '/visible');
		document.dispatchEvent(new Event('astro:page-load'));
	});
	await app.getByRole('heading', { name: 'Findings (0)' }).waitFor();
});

test('refetching brings a new review onto the page, and the app opens again', async () => {
	const app = await visit('/visible');
	await expect.poll(() => badges(app).allTextContents()).toEqual(['store, fresh']);
	service.store.createReview('p-1', {
		rating: 3,
		author: 'Cem cem@example.com',
		body: 'Just in.',
		status: 'published',
	});
	await page.reload();
	expect(await page.getByText('Just in.').count()).toBe(0);

	await openToolbar(page);
	await toolbarOn(page).getByRole('button', { name: 'Refetch product "p-1"' }).press('Enter');
	await page.getByText('Just in.').first().waitFor();
	await expect.poll(() => badges(toolbarOn(page)).allTextContents()).toEqual(['service, just now']);
	expect(await toolbarOn(page).getByText('4 of 5, 3 ratings').isVisible()).toBe(true);
	expect(
		await toolbarOn(page)
			.getByText(/^Left out: e-mail address or phone number in a name/)
			.count(),
	).toBe(1);
});

test('a failure is named, and refetching after it does not wait', async () => {
	service.faults.add({ kind: 'status', status: 500 });
	const app = await visit('/visible');
	await app.getByRole('button', { name: 'Refetch all' }).click();
	await expect.poll(() => badges(toolbarOn(page)).allTextContents()).toEqual(['store, stale']);
	expect(
		await toolbarOn(page)
			.getByText(/^The service failed: .*500/)
			.isVisible(),
	).toBe(true);
	service.faults.clear();
	await toolbarOn(page).getByRole('button', { name: 'Refetch all' }).click();
	await expect.poll(() => badges(toolbarOn(page)).allTextContents()).toEqual(['service, just now']);
});

describe('outlines', () => {
	const boxOf = (target: Locator) => target.boundingBox();

	test('are around what is visible, and off again', async () => {
		const app = await visit('/visible');
		const toggle = app.getByRole('switch', { name: 'Outlines' });
		await toggle.press('Space');
		expect(await app.getByRole('status').textContent()).toBe(
			'Outlined: <ProductReviews>; <StarRating>; <ReviewSchema>.',
		);
		const marks = app.locator('astro-dev-toolbar-highlight');
		expect(await marks.count()).toBe(3);
		expect(await boxOf(marks.nth(0))).toEqual(await boxOf(page.locator('.product-reviews[data-display]')));
		expect(await boxOf(marks.nth(1))).toEqual(await boxOf(page.locator('.star-rating')));
		await toggle.press('Space');
		expect(await marks.count()).toBe(0);
	});

	test('mark where hidden reviews and JSON-LD stand', async () => {
		const app = await visit('/hidden');
		await app.getByRole('switch', { name: 'Outlines' }).press('Space');
		expect(await app.locator('.outline-name[data-is-hidden]').allTextContents()).toEqual([
			'<ProductReviews>, hidden',
			'<ReviewSchema>',
		]);
		const mark = await boxOf(app.locator('astro-dev-toolbar-highlight').nth(1));
		const before = await boxOf(page.getByRole('button', { name: 'Add to basket' }));
		expect(mark?.y).toBeCloseTo((before?.y ?? 0) + (before?.height ?? 0), 0);
		await app.getByRole('switch', { name: 'Outlines' }).press('Space');
	});
});

test.each([360, 1280])('axe finds nothing in it at %i pixels, and it stays on the screen', async (width) => {
	await page.setViewportSize({ width, height: 800 });
	const app = await visit('/hidden');
	await app.getByText(/^Rules: /).click();
	expect(await findViolations(page, ['astro-dev-toolbar'])).toEqual([]);
	const box = await app.locator('astro-dev-toolbar-window').boundingBox();
	expect(box?.x).toBeGreaterThanOrEqual(0);
	expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
	const overflow = (element: Element) => element.scrollWidth - element.clientWidth;
	expect(await app.locator('astro-dev-toolbar-window').evaluate(overflow)).toBeLessThanOrEqual(0);
});

test('a built site has nothing of it', async () => {
	const built = createProject('product-page');
	const { status, output } = await built.build({ ...RUN, service: service.url });
	expect(status, output).toBe(0);
	for (const file of built.files()) {
		expect(readFileSync(join(built.root, 'dist', file), 'utf8')).not.toMatch(
			/toolbar|astro-product-reviews/i,
		);
	}
	built.remove();
});

describe('without an address of the service and a website id', () => {
	let bare: BuildProject;
	let dev: DevServer;

	beforeAll(async () => {
		bare = createProject('product-page');
		dev = await bare.dev(RUN);
	});

	afterAll(async () => {
		await dev?.stop();
		bare?.remove();
	});

	test('the site works without reviews, and the app says what to set', async () => {
		const response = await page.goto(`${dev.url}/visible`);
		expect(response?.status()).toBe(200);
		expect(await page.locator('.product-reviews, .star-rating, script#ServiceReviewSchemaJson').count()).toBe(
			0,
		);
		expect(await page.getByRole('heading', { name: 'Enamel Kettle' }).count()).toBe(1);
		const app = await openToolbar(page);
		const setup = app.locator('section').filter({ hasText: /^Not set/ });
		expect(await setup.textContent()).toContain('REVIEWS_BASE_URL in the environment or in .env.');
		expect(await setup.textContent()).toContain('REVIEWS_WSID');
		expect(await badges(app).allTextContents()).toEqual(['not requested']);
	});
});
