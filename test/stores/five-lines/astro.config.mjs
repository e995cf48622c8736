import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';

export default defineConfig({ integrations: [productReviews()] });
