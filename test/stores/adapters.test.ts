import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { installStore, type PackedStore } from '../support/packed-store.ts';

const PIDS = ['p-1', 'p-2', 'p-3'];

/** Folder of the static files that each adapter makes. */
const ADAPTERS = [
	['node', 'dist/client'],
	['netlify', 'dist'],
	['vercel', '.vercel/output/static'],
	['cloudflare', 'dist/client'],
] as const;

let service: Sandbox;
let store: PackedStore;
let environment: Record<string, string>;
/** The pages of the first adapter. */
let reference: Record<string, string> | undefined;

beforeAll(async () => {
	service = await startSandbox();
	store = await installStore('adapters', {
		dependencies: {
			astro: '7',
			'@astrojs/cloudflare': '14',
			'@astrojs/netlify': '8',
			'@astrojs/node': '11',
			'@astrojs/vercel': '11',
		},
	});
	environment = { REVIEWS_BASE_URL: service.url, REVIEWS_WSID: service.wsid, REVIEWS_TOKEN: service.token };
});

afterAll(async () => {
	store?.remove();
	await service?.close();
});

describe.each(ADAPTERS)('@astrojs/%s in its default configuration', (adapter, folder) => {
	test('prerendered pages have their reviews, whatever runtime renders them', async () => {
		for (const path of ['dist', '.vercel', '.netlify', 'node_modules/.astro']) store.clear(path);
		const { status, output } = await store.build({ ...environment, STORE_ADAPTER: adapter });
		expect(status, output).toBe(0);

		const pages = Object.fromEntries(
			['index', ...PIDS.map((pid) => `products/${pid}/index`)].map((name) => [
				name,
				// Adapters minify stylesheets in their own way, and name them by what is in them.
				store.read(`${folder}/${name}.html`).replaceAll(/_astro\/[^"]+\.css/g, 'css'),
			]),
		);
		expect(pages['index']?.match(/class="star-rating"/g)).toHaveLength(PIDS.length);
		for (const pid of PIDS) {
			const page = pages[`products/${pid}/index`];
			expect(page).toContain('class="review-section"');
			expect(page).toContain('application/ld+json');
			expect(page).toMatch(/class="own">\d\S* \d+</);
		}
		reference ??= pages;
		expect(pages).toEqual(reference);
		const report = JSON.parse(store.read('node_modules/.astro/product-reviews/product-reviews-report.json'));
		expect(report.audit).toEqual({ pages: PIDS.length + 1, findings: [] });
	});
});

test('a dev server whose pages run in workerd shows reviews', async () => {
	const server = await store.dev({ ...environment, STORE_ADAPTER: 'cloudflare' });
	try {
		// Vite finds dependencies while the first page is made, and starts it again then.
		const page = await vi.waitUntil(
			async () => {
				const response = await fetch(`${server.url}/products/p-1/`);
				return response.ok && (await response.text());
			},
			{ timeout: 60_000, interval: 500 },
		);
		expect(page).toContain('class="review-section"');
		expect(page).toContain('application/ld+json');
	} finally {
		await server.stop();
	}
});
