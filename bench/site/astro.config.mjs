import { defineConfig } from 'astro/config';
import { productIds } from './shared/products.mjs';

// One project with a source folder for each way to get reviews into pages; BENCH_SITE selects it.
const {
	BENCH_SITE,
	BENCH_DIST,
	BENCH_CACHE,
	BENCH_OPTIONS: options,
	BENCH_INCREMENTAL: incremental,
	BENCH_CHUNKED: chunked,
	BENCH_BUILD_CONCURRENCY: concurrency,
} = process.env;

// Imported only if used: the reference is a site without it.
const productReviews = options && (await import('astro-product-reviews')).default;

export default defineConfig({
	site: 'https://shop.example',
	srcDir: `./${BENCH_SITE}`,
	outDir: BENCH_DIST,
	cacheDir: BENCH_CACHE,
	build: { concurrency: Number(concurrency ?? 1) },
	devToolbar: { enabled: false },
	experimental: {
		...(incremental && { incrementalBuild: true }),
		...(chunked && { collectionStorage: 'chunked' }),
	},
	integrations: productReviews
		? [productReviews({ ...JSON.parse(options), products: async () => productIds() })]
		: [],
});
