import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
import { PRODUCTS } from './src/catalogue/products.ts';

export default defineConfig({
	site: 'https://fjell-and-form.example',
	// Builds that run beside each other, as in the tests, each need a cache of their own.
	cacheDir: process.env.PLAYGROUND_CACHE_DIR ?? './node_modules/.astro',
	devToolbar: { enabled: false },
	integrations: [productReviews({ products: PRODUCTS.map(({ pid }) => pid) })],
});
