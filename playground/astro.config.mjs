import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
import { PRODUCTS } from './src/catalog/products.ts';

export default defineConfig({
	site: 'https://fjell-and-form.example',
	// Concurrent builds, as in the tests, each need their own cache.
	cacheDir: process.env.PLAYGROUND_CACHE_DIR ?? './node_modules/.astro',
	devToolbar: { enabled: false },
	integrations: [
		productReviews({
			products: PRODUCTS.map(({ pid }) => pid),
			// The same reviews for agents and shopping engines.
			feeds: { markdown: true, ratings: true, productRatings: { publisher: 'Fjell & Form' } },
		}),
	],
});
