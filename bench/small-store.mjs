// The store of the build tests, for benchmarks that are about requests: a payload for any product, and a build.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURE = fileURLToPath(new URL('../packages/integration/test/build/fixtures/store', import.meta.url));
const ASTRO = fileURLToPath(new URL('../node_modules/astro/bin/astro.mjs', import.meta.url));

/** What the service answers of a product: some reviews with the same text. */
export function payloadOf(pid, reviews, text) {
	const url = `https://shop.example/products/${pid}/`;
	const item = `<div class="review-item"><div class="review-product"><a class="review-product-link" href="${url}">${pid}</a></div><div class="review-author">Ada</div><div class="review-rating">Rating: 5/5</div><div class="review-title">Good</div><div class="review-body">${text}</div><div class="review-date">2026-01-02</div></div>`;
	return {
		status: 200,
		pid,
		dataCount: { prtng: reviews, avgrtng: 5 },
		html: `<div class="reviews_1" data-id="1" data-block-handle="reviews"><style>.reviews_1{position:absolute}</style><h2>Reviews</h2>${item.repeat(reviews)}</div>`,
		jsonld: `<script id="ServiceReviewSchemaJson" type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', '@id': url, url, name: pid })}</script>`,
	};
}

/**
 * Builds the store.
 * @param {{ service: string, folder: string, pages: readonly string[], options: object }} site address of the service, folder
 * of the output and the caches, products with a page, and options of the integration
 * @returns {Promise<number | null>} exit code
 */
export function buildStore({ service, folder, pages, options }) {
	const child = spawn(process.execPath, [ASTRO, 'build'], {
		cwd: FIXTURE,
		stdio: ['ignore', 'ignore', 'inherit'],
		env: {
			...process.env,
			ASTRO_TELEMETRY_DISABLED: '1',
			REVIEWS_BASE_URL: service,
			REVIEWS_WSID: 'W-1001',
			FIXTURE_PAGES: JSON.stringify(pages),
			FIXTURE_OPTIONS: JSON.stringify(options),
			FIXTURE_CONFIG: JSON.stringify({ outDir: join(folder, 'dist'), cacheDir: join(folder, 'cache') }),
		},
	});
	return new Promise((done) => child.once('close', done));
}
