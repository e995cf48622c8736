import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
import { products } from './src/products.mjs';

export default defineConfig({
	site: 'https://shop.example',
	integrations: [
		productReviews({
			products: products.map(({ id }) => id),
			// In `astro dev`, open pages reload when reviews change.
			webhook: true,
		}),
	],
});
