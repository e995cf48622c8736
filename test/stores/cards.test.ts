import { join } from 'node:path';
import { serve } from 'product-reviews-playground/serve.mjs';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { type Browser, openBrowser } from 'product-reviews-test-support/open-browser';
import { openPage } from 'product-reviews-test-support/open-page';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installStore, type PackedStore } from '../support/packed-store.ts';

const DEPENDENCIES = {
	'@astrojs/react': '7.0.0',
	'@astrojs/svelte': '9.0.1',
	'@astrojs/vue': '7.0.3',
	astro: '7.3.5',
	react: '19.3.1',
	'react-dom': '19.3.1',
	svelte: '5.57.3',
	vue: '3.5.45',
};
const PIDS = ['p-1', 'p-2', 'p-3'];

let service: Sandbox;
let store: PackedStore;
let site: Awaited<ReturnType<typeof serve>>;
let browser: Browser;

beforeAll(async () => {
	browser = await openBrowser();
	service = await startSandbox({
		seed: false,
		products: PIDS.map((pid, index) => ({
			pid,
			name: pid,
			reviews: Array.from({ length: index + 2 }, () => ({ rating: 3 + index / 2 })),
		})),
	});
	store = await installStore('cards', { dependencies: DEPENDENCIES });
	// Browsers ask for one, and its absence would be in the console.
	store.write('public/favicon.ico', '');
	const { status, output } = await store.build({
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
	});
	expect(output).toContain('3 products in');
	expect(status).toBe(0);
	site = await serve(join(store.root, 'dist'));
});

afterAll(async () => {
	await browser?.close();
	await site?.close();
	store?.remove();
	await service?.close();
});

const open = (path: string) => openPage(browser.context, `${site.url}${path}`, 1280);

describe.each(['react', 'vue', 'svelte'])('cards of %s', (framework) => {
	test('have stars in the html of the page, and their stylesheet', () => {
		const page = store.read(`dist/${framework}/index.html`);
		expect(page).toMatch(/client="load"/);
		expect(counts(page)).toEqual(['2', '3', '4']);
		const linked = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path]) =>
			store.read(`dist${path}`),
		);
		expect([page, ...linked].join('')).toMatch(/\.star-rating[^{]*\{/);
	});

	test('keep them when they come to life', async () => {
		const { page, problems } = await open(`/${framework}/`);
		const card = page.locator('article').nth(1);
		await expect.poll(() => page.locator('astro-island[ssr]').count()).toBe(0);
		await card.getByRole('button').click();
		await expect.poll(() => card.getByRole('button').textContent()).toContain('1 in the basket');

		const stars = card.locator('.star-rating');
		expect(await stars.isVisible()).toBe(true);
		expect((await stars.boundingBox())?.width).toBeGreaterThan(60);
		const built = store.read(`dist/${framework}/index.html`);
		const [before, after] = await page.evaluate((html) => {
			const starsOf = (document: Document) =>
				[...document.querySelectorAll('.star-rating')].map((element) => element.outerHTML);
			return [starsOf(new DOMParser().parseFromString(html, 'text/html')), starsOf(document)];
		}, built);
		expect(before).toHaveLength(3);
		expect(after).toEqual(before);
		expect(problems).toEqual([]);
	});

	test('have them without a script, in a named slot, and far down the page', async () => {
		const { page, problems } = await open(`/${framework}/later/`);
		const built = store.read(`dist/${framework}/later/index.html`);
		expect(counts(built)).toEqual(['2', '3', '4']);
		expect(await page.locator('astro-island').count()).toBe(2);

		const last = page.locator('article').nth(2);
		await last.scrollIntoViewIfNeeded();
		await expect.poll(() => page.locator('astro-island[ssr]').count()).toBe(0);
		await last.getByRole('button').click();
		await expect.poll(() => last.getByRole('button').textContent()).toContain('1 in the basket');
		for (const card of await page.locator('article').all()) {
			expect(await card.locator('.star-rating').isVisible()).toBe(true);
		}
		expect(problems).toEqual([]);
	});
});

test('a grid that draws its own cards gets the numbers', async () => {
	const { page, problems } = await open('/react/grid/');
	expect(store.read('dist/react/grid/index.html')).toContain('★ 3.5 (3)');
	await expect.poll(() => page.locator('astro-island[ssr]').count()).toBe(0);
	await page.getByRole('button', { name: 'Best first' }).click();
	await expect
		.poll(() => page.getByRole('listitem').allTextContents())
		.toEqual(['Oak Chopping Board ★ 4 (4)', 'Cast Iron Skillet ★ 3.5 (3)', 'Enamel Kettle ★ 3 (2)']);
	expect(problems).toEqual([]);
});

test('nothing of reviews is in the scripts of the site', () => {
	const scripts = store.files('dist').filter((path) => path.endsWith('.js'));
	expect(scripts.length).toBeGreaterThan(5);
	expect(scripts.filter((path) => /star-rating|product-reviews/.test(store.read(`dist/${path}`)))).toEqual(
		[],
	);
});

/** How many reviews each card says that its product has. */
function counts(html: string): string[] {
	return [...html.matchAll(/star-rating-count[^>]*>\D*(\d+)/g)].map(([, count]) => count ?? '');
}
