import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';

export default defineConfig({
	site: 'https://shop.example',
	integrations: [
		productReviews({
			// Or './postgres.mjs', or './rest-api.mjs'.
			provider: process.env.PROVIDER ?? './json-files.mjs',
			products: ['p-1', 'p-2'],
		}),
	],
});
