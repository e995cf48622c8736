import { startSandbox } from 'product-reviews-sandbox';
import { expect, test } from 'vitest';
import { installStore } from '../support/packed-store.ts';

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
