import { afterEach, expect, test } from 'vitest';
import { installStore, type PackedStore } from '../support/packed-store.ts';

let store: PackedStore | undefined;

afterEach(() => store?.remove());

const CONFIG = `import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
export default defineConfig({ integrations: [productReviews({ products: ['p-1'] })] });
`;

test.each([
	['5', 'npm', ['--legacy-peer-deps']],
	['4', 'pnpm', []],
] as const)(
	'under Astro %s, installed by %s, the first thing that is said is what is needed',
	async (astro, manager, installArguments) => {
		store = await installStore('empty', { dependencies: { astro }, manager, installArguments });
		store.write('astro.config.mjs', CONFIG);
		store.write('src/pages/index.astro', '<p>A store</p>');
		const { status, output } = await store.build();
		expect(status).toBe(1);
		expect(output).toMatch(
			new RegExp(
				`Unable to load your Astro config\n\n\\[UnsupportedVersionError\\] astro-product-reviews needs Astro 6 or 7, but this project has Astro ${astro}\\.\\d+\\.\\d+\\.\nUpgrade with \`npx @astrojs/upgrade\``,
			),
		);
	},
);
