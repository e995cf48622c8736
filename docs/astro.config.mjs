import { satteri } from '@astrojs/markdown-satteri';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
import starlightLinksValidator from 'starlight-links-validator';
import workspace from '../package.json' with { type: 'json' };
import { PRODUCTS } from './example/products.ts';
import { reviewService } from './example/review-service.ts';
import { figures } from './reference/figures.ts';
import { pageLinks } from './reference/page-links.ts';
import { referencePages } from './reference/reference-pages.ts';

/** Not Astro's own: a reader has the store there. */
const PORT = 4330;

/** A table that is wider than the page scrolls, so keys have to reach it. */
const REACH_TABLES = `
	for (const table of document.querySelectorAll('.sl-markdown-content table')) {
		if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
	}
`;

export default defineConfig({
	site: workspace.release.site ?? `http://localhost:${PORT}`,
	server: { port: PORT },
	// Builds in tests each need their own cache.
	cacheDir: process.env.DOCS_CACHE_DIR ?? './node_modules/.astro',
	devToolbar: { enabled: false },
	markdown: { processor: satteri({ mdastPlugins: [figures(), pageLinks()] }) },
	integrations: [
		referencePages(),
		reviewService(),
		productReviews({ products: PRODUCTS.map(({ pid }) => pid) }),
		starlight({
			title: 'astro-product-reviews',
			description: 'Product reviews in the static pages of an Astro store.',
			customCss: ['./src/styles/site.css'],
			head: [{ tag: 'script', attrs: { type: 'module' }, content: REACH_TABLES }],
			// It only knows pages of the collection. The tests open this one.
			plugins: [starlightLinksValidator({ exclude: ['/example/'] })],
			sidebar: [
				{
					label: 'Start here',
					items: [
						'start/get-started',
						'start/tutorial',
						'start/how-it-works',
						'start/which-services',
						'start/other-services',
						'start/connection',
						'start/compare',
					],
				},
				{
					label: 'Components',
					items: [
						'components/choose',
						'components/review-section',
						'components/cards',
						'components/style',
						'components/own-markup',
						{ label: 'Example', link: '/example/' },
					],
				},
				{
					label: 'Connect your catalog',
					items: ['catalog/ids', 'catalog/systems'],
				},
				{
					label: 'Deploy',
					items: [
						'deploy/overview',
						'deploy/netlify',
						'deploy/vercel',
						'deploy/cloudflare',
						'deploy/your-server',
					],
				},
				{
					label: 'Keep reviews fresh',
					items: ['fresh/overview', 'fresh/update', 'fresh/webhooks', 'fresh/on-demand', 'fresh/testing'],
				},
				{
					label: 'SEO and trust',
					items: ['seo/structured-data', 'seo/feeds', 'seo/trust', 'seo/security'],
				},
				{ label: 'Troubleshooting', items: ['help/problems', 'errors', 'help/check'] },
				{ label: 'Scale', items: ['scale/cache', 'scale/large-stores', 'scale/shared-storage'] },
				{ label: 'Reference', items: [{ autogenerate: { directory: 'reference' } }] },
				{ label: 'Migrate', items: ['migrate/migrate'] },
			],
		}),
	],
});
