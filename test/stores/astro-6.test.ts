import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterEach, expect, test } from 'vitest';
import { installStore, type PackedStore } from '../support/packed-store.ts';

/** Tests for what Astro decides: routes, servers, modules, the log. */
const CORE = ['smoke/adapter', 'smoke/product-page'];
/** Many builds and `astro check`, which hardly ever differ. */
const FULL = ['smoke/collection', 'build/site-shapes', 'build/types'];
/** With `TEST_FULL=1`, all of them run, and the oldest Astro is installed: units say the same of its version. */
const isFull = process.env['TEST_FULL'] === '1';

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));

let store: PackedStore | undefined;

afterEach(() => store?.remove());

test('the core of the tests with real builds passes on the newest Astro 6', {
	timeout: 600_000,
}, async () => {
	// With npm: with pnpm, Rollup warns of comments in zod, which is bundled then.
	store = await installStore(
		{ astro: '6', '@astrojs/node': '10', ...(isFull && { '@astrojs/check': '0.9', typescript: '6' }) },
		'npm',
	);
	expect(JSON.parse(store.read('node_modules/astro/package.json')).version).toMatch(/^6\./);
	const files = [...CORE, ...(isFull ? FULL : [])];
	const suite = runNode(
		[
			...['node_modules/vitest/vitest.mjs', 'run', '--project', 'smoke', '--project', 'build'],
			...['--maxWorkers', '2', ...files.map((name) => `packages/integration/test/${name}.test.ts`)],
		],
		{ cwd: WORKSPACE, env: { ...cleanEnvironment(), NO_COLOR: '1', ASTRO_HOME: store.root } },
	);
	expect(await suite.ended, suite.output()).toBe(0);
	expect(suite.output()).toContain(`${files.length} passed (${files.length})`);
});

if (isFull)
	test('under an older Astro, the first thing that is said is what is needed', async () => {
		store = await installStore({ astro: '5' });
		store.write(
			'astro.config.mjs',
			`import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
export default defineConfig({ integrations: [productReviews({ products: ['p-1'] })] });
`,
		);
		store.write('src/pages/index.astro', '<p>A store</p>');
		const { status, output } = await store.build();
		expect(status).toBe(1);
		expect(output).toMatch(
			/Unable to load your Astro config\n\n\[ProductReviewsConfigurationError\] astro-product-reviews needs Astro 6 or 7, but this project has Astro 5\.\d+\.\d+\.\nUpgrade with `npx @astrojs\/upgrade`/,
		);
	});
