import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSandbox } from 'product-reviews-sandbox';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { installStore } from '../support/packed-store.ts';

const ADD = fileURLToPath(new URL('../../scripts/add-to-store.mjs', import.meta.url));

const FILES = {
	'tsconfig.json': '{ "extends": "astro/tsconfigs/strict" }',
	'astro.config.mjs': `import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';

export default defineConfig({ integrations: [productReviews()] });
`,
	'src/pages/index.astro': `---
import { ProductReviews, ReviewSchema } from 'astro-product-reviews/components';
---
<html lang="en">
	<body>
		<h1>Astro</h1>
		<ProductReviews pid="p-1" />
		<ReviewSchema pid="p-1" />
	</body>
</html>
`,
};

test.concurrent.each(['npm run add', 'pnpm'] as const)(
	'with %s, an empty folder becomes a page with reviews, in five lines',
	async (manager) => {
		const service = await startSandbox();
		const store = await installStore({ astro: '^7.3.5' }, manager);
		try {
			for (const [path, content] of Object.entries(FILES)) store.write(path, content);
			const { output } = await store.build({ REVIEWS_BASE_URL: service.url, REVIEWS_WSID: service.wsid });
			// A build whose output is not a terminal leaves a readable log.
			for (const text of ['\u001b', '\r', 'error']) expect(output.toLowerCase()).not.toContain(text);
			const page = store.read('dist/index.html');
			expect(page.match(/class="pr-review"/g)?.length).toBeGreaterThan(5);
			const [, schema = ''] = /<script type="application\/ld\+json"[^>]*>([^<]+)</.exec(page) ?? [];
			expect(JSON.parse(schema)).toMatchObject({ '@type': 'Product', name: 'Enamel Kettle 1.2 l' });
		} finally {
			store.remove();
			await service.close();
		}
	},
	400_000,
);

test('with npm run new, a new folder becomes a store whose pages have reviews', async () => {
	const { folder: root, remove } = createLastingFolder('new-store');
	try {
		const inside = { cwd: root, env: { ...process.env, INIT_CWD: root }, maxBuffer: 16 * 1024 * 1024 };
		await promisify(execFile)(process.execPath, [ADD, '--new', 'shop'], inside);
		const shop = join(root, 'shop');
		await promisify(execFile)('npm', ['run', 'build'], { ...inside, cwd: shop });
		const page = readFileSync(join(shop, 'dist/products/p-1/index.html'), 'utf8');
		expect(page.match(/class="pr-review"/g)?.length).toBeGreaterThan(2);
		expect(readFileSync(join(shop, 'package.json'), 'utf8')).toContain(
			'product-reviews/astro-product-reviews-',
		);
	} finally {
		remove();
	}
}, 400_000);
