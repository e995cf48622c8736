import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
import { products } from './src/products.mjs';

export default defineConfig({
	site: 'https://shop.example',
	integrations: [
		productReviews({
			products: products.map(({ id }) => id),
			// Open pages reload when reviews change. A build without an adapter receives no events.
			webhook: process.argv.includes('dev') || undefined,
		}),
	],
});
