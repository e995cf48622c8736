import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { installStore, type PackedStore } from '../support/packed-store.ts';

const STORE = fileURLToPath(new URL('adapters', import.meta.url));
const DEPENDENCIES = {
	astro: '^7.3.5',
	'@astrojs/cloudflare': '14',
	'@astrojs/netlify': '8',
	'@astrojs/node': '11',
	'@astrojs/vercel': '11',
};
const PIDS = ['p-1', 'p-2', 'p-3'];
let store: PackedStore;
let service: Sandbox;
/** The pages of the first adapter. */
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

// Each with the folder of its static files.
test.each([
	['node', 'dist/client'],
	['netlify', 'dist'],
	['vercel', '.vercel/output/static'],
	['cloudflare', 'dist/client'],
])('@astrojs/%s: prerendered pages have reviews, whatever renders them', async (adapter, folder) => {
	store.become(STORE);
	const { status, output } = await store.build(environment(adapter));
	expect(status, output).toBe(0);

	const pages = Object.fromEntries(
		['index', ...PIDS.map((pid) => `products/${pid}/index`)].map((name) => [
			name,
			// Adapters minify stylesheets in their own way, and name them by what is in them.
			store.read(`${folder}/${name}.html`).replaceAll(/_astro\/[^"]+\.css/g, 'css'),
		]),
	);
	expect(pages['index']?.match(/class="pr-star-rating"/g)).toHaveLength(PIDS.length);
	for (const pid of PIDS) {
		const page = pages[`products/${pid}/index`];
		expect(page).toContain('class="pr-review-section"');
		expect(page).toContain('application/ld+json');
		expect(page).toMatch(/class="own">\d\S* \d+</);
	}
	reference ??= pages;
	expect(pages).toEqual(reference);
	const report = JSON.parse(store.read('node_modules/.astro/product-reviews/product-reviews-report.json'));
	expect(report.audit).toEqual({ pages: PIDS.length + 1, findings: [] });
});

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
