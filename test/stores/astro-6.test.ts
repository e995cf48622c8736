import { fileURLToPath } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installStore, type PackedStore } from '../support/packed-store.ts';

/** Tests of the build suite for what Astro decides: routes, servers, modules, types, the log. */
const CORE = ['adapter', 'dev-server', 'on-demand', 'own-markup'];
/** Many builds, which hardly ever differ. */
const FULL = ['site-shapes'];

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));

let store: PackedStore;

beforeAll(async () => {
	store = await installStore('empty', {
		dependencies: { astro: '6', '@astrojs/node': '10', '@astrojs/check': '0.9', typescript: '6' },
	});
});

afterAll(() => store?.remove());

test('the core of the build suite passes on the newest Astro 6', async () => {
	const suite = runNode(
		[
			'node_modules/vitest/vitest.mjs',
			'run',
			'--project',
			'build',
			'--maxWorkers',
			'2',
			...[...CORE, ...(process.env['TEST_FULL'] === '1' ? FULL : [])].map(
				(name) => `packages/integration/test/build/${name}.test.ts`,
			),
		],
		{ cwd: WORKSPACE, env: { ...cleanEnvironment(), ASTRO_HOME: store.root } },
	);
	const status = await suite.ended;
	expect(JSON.parse(store.read('node_modules/astro/package.json')).version).toMatch(/^6\./);
	expect(status, suite.output()).toBe(0);
}, 600_000);
