import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
import pids from './src/pids.json' with { type: 'json' };

const { STORE_ADAPTER, STORE_CONFIG = '{}', STORE_OPTIONS = '{}' } = process.env;

/** Each in its default configuration; the one of Node cannot do without a mode. */
const ADAPTERS = {
	cloudflare: async () => (await import('@astrojs/cloudflare')).default(),
	netlify: async () => (await import('@astrojs/netlify')).default(),
	vercel: async () => (await import('@astrojs/vercel')).default(),
	node: async () => (await import('@astrojs/node')).default({ mode: 'standalone' }),
};

export default defineConfig({
	site: 'https://shop.example',
	...JSON.parse(STORE_CONFIG),
	adapter: !STORE_ADAPTER ? undefined : await ADAPTERS[STORE_ADAPTER](),
	integrations: [productReviews({ products: pids, ...JSON.parse(STORE_OPTIONS) })],
});
