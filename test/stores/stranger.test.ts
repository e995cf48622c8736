import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox } from 'product-reviews-sandbox';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addToStore, exampleIn, manifestOf, type PackedStore } from '../support/packed-store.ts';

const FIVE_LINES = fileURLToPath(new URL('five-lines', import.meta.url));

let store: PackedStore;

beforeAll(async () => {
	store = await addToStore(manifestOf('providers'));
});

afterAll(() => store?.remove());

test('the example of providers is built by the command of its README', async () => {
	store.become(exampleIn('providers'));
	await store.run(['npm', 'run', 'build']);
	expect(store.read('dist/p-1/index.html')).toContain('Two minutes for a full kettle.');
});

test('a store becomes a page with reviews in five lines', async () => {
	const service = await startSandbox();
	onTestFinished(service.close);
	store.become(FIVE_LINES);
	const { output } = await store.build({ REVIEWS_BASE_URL: service.url, REVIEWS_WSID: service.wsid });
	// A build whose output is not a terminal leaves a readable log.
	for (const text of ['\u001b', '\r', 'error']) expect(output.toLowerCase()).not.toContain(text);
	const page = store.read('dist/index.html');
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
		const root = join(store.root, 'node_modules', name);
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
	const program = runNode([...flags, '--input-type=module', '--eval', call], { cwd: store.root });
	expect(await program.ended).toBe(1);
	const places = [...program.errors().matchAll(/^ +at .*?\(?(?:file:\/\/)?(\/[^()]+?):(\d+):\d+\)?$/gm)];
	const [, path = '', line] = places.find(([, path]) => path?.startsWith(root)) ?? [];
	expect(existsSync(path), program.errors()).toBe(true);
	return {
		path: path.slice(root.length + 1),
		text: readFileSync(path, 'utf8').split('\n')[Number(line) - 1] ?? '',
	};
}
