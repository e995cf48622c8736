import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { runNode } from 'product-reviews-test-support/node-program';
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
