import react from '@astrojs/react';
import svelte from '@astrojs/svelte';
import vue from '@astrojs/vue';
import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
import { PRODUCTS } from './src/products.ts';

export default defineConfig({
	site: 'https://shop.example',
	integrations: [react(), vue(), svelte(), productReviews({ products: PRODUCTS.map(({ id }) => id) })],
});
