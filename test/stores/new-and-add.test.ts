import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox } from 'product-reviews-sandbox';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
	ADD,
	addToStore,
	exampleIn,
	makeNewStore,
	manifestOf,
	type PackedStore,
} from '../support/packed-store.ts';

const FIVE_LINES = fileURLToPath(new URL('five-lines', import.meta.url));

/** The one that `npm run new` makes, and one to which `npm run add` adds the packages. */
let store: PackedStore;
let other: PackedStore;
/** What the two commands printed. */
const printed = { new: '', add: '' };

beforeAll(async () => {
	({ store, printed: printed.new } = await makeNewStore('_My Shop'));
	({ store: other, printed: printed.add } = await addToStore(manifestOf('providers'), store));
});

afterAll(() => {
	store?.remove();
	other?.remove();
});

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

test('npm run new names the store after its folder, and says that its reviews are not real', () => {
	const manifest = JSON.parse(store.read('package.json'));
	expect(manifest.name).toBe('my-shop');
	expect(manifest).not.toHaveProperty('devDependencies');
	expect(printed.new).toContain('cd "_My Shop"\n');
	expect(printed.new).toMatch(/invented[\s\S]+\.env[\s\S]+"node with-sandbox\.mjs"/);
});

test('npm run add shows the structured data with a product, and names services that need no .env', () => {
	expect(printed.add).toMatch(
		/<ReviewSchema\s+pid=\{product\.id\}\s+product=\{\{ name: product\.name, offers:/,
	);
	const [page = ''] = /docs\/src\/content\/docs\/\S+\.md/.exec(printed.add) ?? [];
	expect(existsSync(fileURLToPath(new URL(`../../${page}`, import.meta.url))), page).toBe(true);
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

test('the example of providers is built by the command of its README', async () => {
	other.become(exampleIn('providers'));
	await other.run(['npm', 'run', 'build']);
	expect(other.read('dist/p-1/index.html')).toContain('Two minutes for a full kettle.');
});

test('a store becomes a page with reviews in five lines', async () => {
	const service = await startSandbox();
	onTestFinished(service.close);
	other.become(FIVE_LINES);
	const { output } = await other.build({ REVIEWS_BASE_URL: service.url, REVIEWS_WSID: service.wsid });
	// A build whose output is not a terminal leaves a readable log.
	for (const text of ['\u001b', '\r', 'error']) expect(output.toLowerCase()).not.toContain(text);
	const page = other.read('dist/index.html');
	expect(page.match(/class="pr-review"/g)?.length).toBeGreaterThan(5);
	const [, schema = ''] = /<script type="application\/ld\+json"[^>]*>([^<]+)</.exec(page) ?? [];
	expect(JSON.parse(schema)).toMatchObject({ '@type': 'Product', name: 'Enamel Kettle 1.2 l' });
});

test.each([
	{
		name: 'astro-product-reviews',
		call: `(await import('astro-product-reviews')).default({ products: [] })`,
		file: 'base/product-id',
		line: 'return new ProductReviewsConfigurationError(',
	},
	{
		name: 'product-reviews-client',
		call: `(await import('product-reviews-client')).createReviewsClient({})`,
		file: 'options',
		line: 'throw new ReviewsConfigurationError(',
	},
	{
		name: 'product-reviews-webhook',
		call: `(await import('product-reviews-webhook')).deployHook('http://shop.example')`,
		file: 'triggers',
		line: 'throw new WebhookConfigurationError(',
	},
	{
		name: 'product-reviews-sandbox',
		call: `await (await import('product-reviews-sandbox')).startSandbox({ port: -1 })`,
		file: 'server',
		line: 'await once(server.listen(',
	},
])(
	'an error of $name names a readable line of a module, and the line of its source if Node reads source maps',
	async ({ name, call, file, line }) => {
		const root = join(other.root, 'node_modules', name);
		for (const [path, ...flags] of [[`dist/${file}.js`], [`src/${file}.ts`, '--enable-source-maps']]) {
			const frame = await firstFrame(flags, call, root);
			expect(frame.path).toBe(path);
			// A minified line would begin with something else.
			expect(frame.text.trim().slice(0, line.length)).toBe(line);
		}
	},
);

/** Runs a call that fails, and returns the place of the package that its stack trace names first. */
async function firstFrame(flags: readonly string[], call: string, root: string) {
	const program = runNode([...flags, '--input-type=module', '--eval', call], { cwd: other.root });
	expect(await program.ended).toBe(1);
	const places = [...program.errors().matchAll(/^ +at .*?\(?(?:file:\/\/)?(\/[^()]+?):(\d+):\d+\)?$/gm)];
	const [, path = '', line] = places.find(([, path]) => path?.startsWith(root)) ?? [];
	expect(existsSync(path), program.errors()).toBe(true);
	return {
		path: path.slice(root.length + 1),
		text: readFileSync(path, 'utf8').split('\n')[Number(line) - 1] ?? '',
	};
}

test('with pnpm, what npm run add has changed is listed to be committed, also around the store; a failure says how to finish', () => {
	const folder = createFolder();
	const [store, bin] = [join(folder, 'apps/store'), join(folder, 'bin')];
	for (const path of [store, bin]) mkdirSync(path, { recursive: true });
	writeFileSync(join(store, 'package.json'), '{ "dependencies": { "astro": "^7.0.0" } }');
	for (const name of ['pnpm-workspace.yaml', 'pnpm-lock.yaml']) writeFileSync(join(folder, name), '');
	const add = (script: string) => {
		writeFileSync(join(bin, 'pnpm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
		const PATH = [bin, process.env['PATH']].join(delimiter);
		const env = { ...process.env, INIT_CWD: folder, PATH };
		return spawnSync(process.execPath, [ADD, 'apps/store'], { cwd: folder, encoding: 'utf8', env });
	};
	const failed = add('exit 1');
	expect(failed.status).toBe(1);
	expect(failed.stderr).toContain(
		`\`pnpm install\` failed. package.json has the packages: run \`pnpm install\` in ${store} to finish.`,
	);
	const { status, stdout } = add('exit 0');
	expect(status).toBe(0);
	expect(stdout).toContain(
		'4. Commit what has changed: package.json, product-reviews/, ../../pnpm-lock.yaml, ../../pnpm-workspace.yaml.',
	);
	expect(readFileSync(join(folder, 'pnpm-workspace.yaml'), 'utf8')).toContain(
		'astro-product-reviews: file:./apps/store/product-reviews/astro-product-reviews-',
	);
});
