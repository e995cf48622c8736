import { join } from 'node:path';
import { serve } from 'product-reviews-playground/serve.mjs';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { type Browser, openBrowser, openPage } from 'product-reviews-test-support/browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleIn, installStore, manifestOf, type PackedStore } from '../support/packed-store.ts';

let store: PackedStore;
let service: Sandbox;
let site: Awaited<ReturnType<typeof serve>>;
let browser: Browser;

beforeAll(async () => {
	const reviewsOf = (index: number) => Array.from({ length: index + 2 }, () => ({ rating: 3 + index / 2 }));
	service = await startSandbox({
		seed: false,
		products: ['p-1', 'p-2', 'p-3'].map((pid, index) => ({ pid, name: pid, reviews: reviewsOf(index) })),
	});
	store = await installStore(manifestOf('cards').dependencies);
	store.become(exampleIn('cards'));
	// Pages with cards of another framework differ in what they import.
	for (const name of ['vue', 'svelte'])
		for (const path of ['react.astro', 'react/later.astro'])
			store.write(
				`src/pages/${path.replace('react', name)}`,
				store.read(`src/pages/${path}`).replaceAll('/react/', `/${name}/`).replaceAll('.jsx', `.${name}`),
			);
	// Browsers ask for one, and its absence would be in the console.
	store.write('public/favicon.ico', '');
	const { status, output } = await store.build({ REVIEWS_BASE_URL: service.url, REVIEWS_WSID: service.wsid });
	expect(status, output).toBe(0);
	expect(output).toContain('3 products in');
	site = await serve(join(store.root, 'dist'));
	browser = await openBrowser();
});

afterAll(async () => {
	await browser?.close();
	await site?.close();
	await service?.close();
	store?.remove();
});

const open = (path: string) => openPage(browser.context, `${site.url}${path}`, 1280);
/** How many reviews each card says that its product has. */
const counts = (html: string) =>
	[...html.matchAll(/pr-count[^>]*>\D*(\d+)/g)].map(([, count]) => count ?? '');

test.each(['react', 'vue', 'svelte'])(
	'%s: stars are in the html and stay when a card comes to life, also in a named slot far down the page',
	async (framework) => {
		const built = store.read(`dist/${framework}/index.html`);
		expect(built).toMatch(/client="load"/);
		const linked = [...built.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path]) =>
			store.read(`dist${path}`),
		);
		expect([built, ...linked].join('')).toMatch(/\.pr-star-rating[^{]*\{/);
		for (const [path, index] of [
			[framework, 1],
			[`${framework}/later`, 2],
		] as const) {
			const html = store.read(`dist/${path}/index.html`);
			expect(counts(html)).toEqual(['2', '3', '4']);
			const { page, problems } = await open(`/${path}/`);
			const card = page.locator('article').nth(index);
			await card.scrollIntoViewIfNeeded();
			await expect.poll(() => page.locator('astro-island[ssr]').count()).toBe(0);
			await card.getByRole('button').click();
			await expect.poll(() => card.getByRole('button').textContent()).toContain('1 in the basket');
			for (const stars of await page.locator('article .pr-star-rating').all())
				expect((await stars.boundingBox())?.width).toBeGreaterThan(60);
			const [before, after] = await page.evaluate((text) => {
				const starsOf = (document: Document) =>
					[...document.querySelectorAll('.pr-star-rating')].map((element) => element.outerHTML);
				return [starsOf(new DOMParser().parseFromString(text, 'text/html')), starsOf(document)];
			}, html);
			expect(before).toHaveLength(3);
			if (path === framework) expect(after).toEqual(before);
			expect(after).toHaveLength(3);
			expect(problems).toEqual([]);
		}
	},
);

test('a grid that draws its own cards gets the numbers; nothing of reviews is in the scripts of the site', async () => {
	const { page, problems } = await open('/react/grid/');
	expect(store.read('dist/react/grid/index.html')).toContain('★ 3.5 (3)');
	await expect.poll(() => page.locator('astro-island[ssr]').count()).toBe(0);
	await page.getByRole('button', { name: 'Best first' }).click();
	await expect
		.poll(() => page.getByRole('listitem').allTextContents())
		.toEqual(['Oak Chopping Board ★ 4 (4)', 'Cast Iron Skillet ★ 3.5 (3)', 'Enamel Kettle ★ 3 (2)']);
	expect(problems).toEqual([]);
	const scripts = store.files('dist').filter((path) => path.endsWith('.js'));
	expect(scripts.length).toBeGreaterThan(5);
	const withReviews = scripts.filter((path) =>
		/pr-star-rating|pr-product-reviews/.test(store.read(`dist/${path}`)),
	);
	expect(withReviews).toEqual([]);
});
