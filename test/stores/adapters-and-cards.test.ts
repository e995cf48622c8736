import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from 'product-reviews-playground/serve.mjs';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { openBrowser, openPage } from 'product-reviews-test-support/browser';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { exampleIn, installStore, manifestOf, type PackedStore } from '../support/packed-store.ts';

const STORE = fileURLToPath(new URL('adapters', import.meta.url));
const DEPENDENCIES = {
	...manifestOf('cards').dependencies,
	'@astrojs/cloudflare': '14',
	'@astrojs/netlify': '8',
	'@astrojs/node': '11',
	'@astrojs/vercel': '11',
};
const PIDS = ['p-1', 'p-2', 'p-3'];
let store: PackedStore;
let service: Sandbox;
/** The pages that the adapter before has, after its update. */
let reference: Record<string, string> | undefined;

beforeAll(async () => {
	service = await startSandbox();
	store = await installStore(DEPENDENCIES);
});

afterAll(async () => {
	await service?.close();
	store?.remove();
});

const environment = (adapter: string) => ({
	REVIEWS_BASE_URL: service.url,
	REVIEWS_WSID: service.wsid,
	REVIEWS_TOKEN: service.token,
	STORE_ADAPTER: adapter,
});

const UPDATE = ['node_modules/astro-product-reviews/bin/astro-product-reviews.js', 'update', '--json'];

// Each with the folder that is deployed, and where that is a copy.
test.each([
	['node', 'dist/client', []],
	['netlify', 'dist', []],
	['vercel', '.vercel/output/static', ['.vercel/output/static']],
	['cloudflare', 'dist/client', []],
])(
	'@astrojs/%s: what is deployed has reviews, and after an update new ones',
	async (adapter, folder, copies) => {
		store.become(STORE);
		const { status, output } = await store.build(environment(adapter));
		expect(status, output).toBe(0);
		const names = ['index', 'reviews/index', ...PIDS.map((pid) => `products/${pid}/index`)];
		// Adapters minify stylesheets in their own way, and name them by what is in them.
		const read = (name: string) =>
			store.read(`${folder}/${name}.html`).replaceAll(/_astro\/[^"]+\.css/g, 'css');
		const deployed = () => Object.fromEntries(names.map((name) => [name, read(name)]));

		const pages = deployed();
		expect(pages['index']?.match(/class="pr-star-rating"/g)).toHaveLength(PIDS.length);
		for (const pid of PIDS) {
			const page = pages[`products/${pid}/index`];
			expect(page).toContain('class="pr-review-section"');
			expect(page).toContain('application/ld+json');
			expect(page).toMatch(/class="own">\d\S* \d+</);
		}
		// Updates of the others wrote what this build does.
		expect(pages).toEqual(reference ?? pages);
		const report = JSON.parse(store.read('node_modules/.astro/product-reviews/product-reviews-report.json'));
		expect(report.audit).toEqual({ pages: names.length, findings: [] });

		const [review] = service.store.listReviews({ pid: 'p-4' });
		service.store.editReview(review?.id ?? '', { body: `Edited with ${adapter}.` });
		const printed = await store.run([process.execPath, ...UPDATE, 'p-4'], environment(adapter));
		// What comes after it is the progress of a slow machine.
		const [result = ''] = printed.split('\n');
		expect(JSON.parse(result)).toMatchObject({ files: ['reviews/index.html'], copies, rebuild: [] });
		reference = deployed();
		expect(reference['reviews/index']).toContain(`Edited with ${adapter}.`);
		expect({ ...reference, 'reviews/index': '' }).toEqual({ ...pages, 'reviews/index': '' });
		if (adapter === 'cloudflare')
			expect(await servedByWrangler(folder, '/reviews/')).toContain(`Edited with ${adapter}.`);
	},
);

/** Returns a page as the host's own tool serves the folder. It is a dependency of the adapter, and works without a network. */
async function servedByWrangler(folder: string, path: string): Promise<string> {
	const config = { name: 'shop', compatibility_date: '2026-01-01', assets: { directory: folder } };
	store.write('deployed.json', JSON.stringify(config));
	const wrangler = join(store.root, 'node_modules/.pnpm/node_modules/wrangler/bin/wrangler.js');
	const { says, end } = runNode([wrangler, 'dev', '--config=deployed.json', '--ip=127.0.0.1', '--port=0'], {
		cwd: store.root,
		env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
	});
	try {
		const [, url] = await says(/Ready on (http:\S+)/);
		const response = await fetch(`${url}${path}`);
		return await response.text();
	} finally {
		await end();
	}
}

test('a dev server whose pages run in workerd shows reviews', async () => {
	store.become(STORE);
	const server = await store.dev(environment('cloudflare'));
	try {
		// Vite finds dependencies while the first page is made, and starts it again then.
		const page = await vi.waitUntil(
			async () => {
				const response = await fetch(`${server.url}/products/p-1/`);
				return response.ok && (await response.text());
			},
			{ timeout: 60_000, interval: 500 },
		);
		expect(page).toContain('class="pr-review-section"');
		expect(page).toContain('application/ld+json');
	} finally {
		await server.stop();
	}
});

describe('the example of cards', () => {
	let open: (path: string) => ReturnType<typeof openPage>;
	const closing: (() => unknown)[] = [];

	beforeAll(async () => {
		const reviewsOf = (index: number) => Array.from({ length: index + 2 }, () => ({ rating: 3 + index / 2 }));
		const service = await startSandbox({
			seed: false,
			products: ['p-1', 'p-2', 'p-3'].map((pid, index) => ({ pid, name: pid, reviews: reviewsOf(index) })),
		});
		closing.push(service.close);
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
		const { status, output } = await store.build({
			REVIEWS_BASE_URL: service.url,
			REVIEWS_WSID: service.wsid,
		});
		expect(status, output).toBe(0);
		expect(output).toContain('3 products in');
		const site = await serve(join(store.root, 'dist'));
		closing.push(site.close);
		const browser = await openBrowser();
		closing.push(browser.close);
		open = (path) => openPage(browser.context, `${site.url}${path}`, 1280);
	});

	afterAll(async () => {
		for (const close of closing.reverse()) await close();
	});

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
});
