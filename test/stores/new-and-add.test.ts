import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox } from 'product-reviews-sandbox';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { exampleIn, makeNewStore, manifestOf, type PackedStore } from '../support/packed-store.ts';

let store: PackedStore;

beforeAll(async () => {
	store = await makeNewStore();
});

afterAll(() => store?.remove());

test('npm run new makes a store of the starter, and npm run build its pages with reviews, from its own service', async () => {
	const log = await store.run(['npm', 'run', 'build']);
	expect(log).toContain('3 products in');
	const page = store.read('dist/products/p-1/index.html');
	expect(page).toContain('class="pr-review-section"');
	expect(page).toContain('"@type":"Product"');
	expect(page.match(/class="pr-review"/g)?.length).toBeGreaterThan(2);
	expect(store.read('dist/index.html').match(/class="pr-star-rating"/g)).toHaveLength(3);
	expect(store.read('package.json')).toContain('product-reviews/astro-product-reviews-');
	// The versions that the starter names are those of the packages.
	const { dependencies, devDependencies } = manifestOf('starter');
	for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies }))
		if (name !== 'astro')
			expect(range).toBe(`^${JSON.parse(store.read(`node_modules/${name}/package.json`)).version}`);
});
test('npm run dev shows a review as soon as it is written', async () => {
	const server = runNode(['with-sandbox.mjs', 'dev'], { cwd: store.root, env: cleanEnvironment() });
	try {
		const [, service = ''] = await server.says(/Write a review at (\S+),/);
		const [, port = ''] = await server.says(/http:\/\/localhost:(\d+)/);
		const page = async () => (await fetch(`http://localhost:${port}/products/p-2/`)).text();
		expect(await page()).toContain('class="pr-review-section"');
		await fetch(`${service}/__sandbox/products/p-2/reviews`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ rating: 5, title: 'Written just now', author: 'Ada', body: 'New.' }),
		});
		await expect.poll(page, { interval: 500 }).toContain('Written just now');
	} finally {
		await server.end('SIGKILL');
	}
});

test('a review is published into the pages of a build, its report becomes a page, and doctor finds nothing wrong', async () => {
	const service = await startSandbox();
	onTestFinished(service.close);
	const environment = {
		REVIEWS_BASE_URL: service.url,
		REVIEWS_WSID: service.wsid,
		REVIEWS_TOKEN: service.token,
		REVIEWS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
	};
	const run = (...command: string[]) => store.run(['npx', ...command], environment);
	await run('astro', 'build');
	service.store.createReview('p-3', { rating: 5, title: 'Published at once', author: 'Ada', body: 'New.' });
	expect(await run('astro-product-reviews', 'update', 'p-3')).toContain('  products/p-3/index.html\n');
	expect(store.read('dist/products/p-3/index.html')).toContain('Published at once');
	const [, page = ''] = /Wrote "([^"]+)"/.exec(await run('astro-product-reviews', 'report', '--html')) ?? [];
	expect(store.read(page)).toContain('<h1>Product reviews of a build</h1>');
	const diagnosis = await run('astro-product-reviews', 'doctor', '--product', 'p-3');
	expect(diagnosis).toContain(`✓ Reachable     ${service.url} responds`);
	expect(diagnosis).not.toContain('✗');
});

// The other ones are built by the tests of product sources.
test('a store of the catalog is built by the command of its README', async () => {
	const service = await startSandbox();
	onTestFinished(service.close);
	// Below the starter, whose packages are the same.
	cpSync(exampleIn('catalog'), join(store.root, 'catalog'), { recursive: true });
	expect(Object.keys(manifestOf('starter').dependencies)).toEqual(
		Object.keys(manifestOf('catalog').dependencies),
	);
	const environment = { REVIEWS_BASE_URL: service.url, REVIEWS_WSID: service.wsid };
	await store.run(['npx', 'astro', 'build', '--root', 'catalog/collection'], environment);
	expect(store.files('catalog/collection/dist/products')).toContain('enamel-kettle/index.html');
});
