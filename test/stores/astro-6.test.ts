import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finished, installStore, type PackedStore } from '../support/packed-store.ts';

/** Tests of the build suite for what Astro decides: routes, servers, modules, types, the log. */
const CORE = ['adapter', 'dev-server', 'on-demand', 'own-markup', 'site-shapes'];

const WORKSPACE = fileURLToPath(new URL('../..', import.meta.url));

let store: PackedStore;

beforeAll(async () => {
	store = await installStore('empty', {
		dependencies: { astro: '6', '@astrojs/node': '10', '@astrojs/check': '0.9', typescript: '6' },
	});
});

afterAll(() => store?.remove());

test('the core of the build suite passes on the newest Astro 6', async () => {
	const suite = store.start(
		[
			process.execPath,
			`${WORKSPACE}/node_modules/vitest/vitest.mjs`,
			'run',
			'--root',
			WORKSPACE,
			'--project',
			'build',
			'--maxWorkers',
			'2',
			...CORE.map((name) => `packages/integration/test/build/${name}.test.ts`),
		],
		{ ASTRO_HOME: store.root },
	);
	const { status, output } = await finished(suite);
	expect(JSON.parse(store.read('node_modules/astro/package.json')).version).toMatch(/^6\./);
	expect(status, output).toBe(0);
}, 600_000);
