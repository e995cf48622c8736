import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installStore, type PackedStore } from '../support/packed-store.ts';

const CONCURRENCY = 6;
const PIDS = Array.from({ length: 200 }, (_, index) => `p-${index + 1}`);
let store: PackedStore;
let service: Sandbox;

beforeAll(async () => {
	service = await startSandbox({
		seed: false,
		latency: 20,
		products: PIDS.map((pid) => ({
			pid,
			name: `Product ${pid}`,
			reviews: [
				{ rating: 5, author: 'Ada', body: `Only of ${pid}.`, status: 'published' as const },
				{ rating: 4, author: 'Ben', body: `Also of ${pid}.`, status: 'published' as const },
			],
		})),
	});
	store = await installStore('empty', { dependencies: { astro: '7.3.5' } });
	store.write(
		'astro.config.mjs',
		`import { defineConfig } from 'astro/config';
import productReviews from 'astro-product-reviews';
export default defineConfig({
	site: 'https://shop.example',
	integrations: [
		productReviews({ concurrency: ${CONCURRENCY}, products: async () => ${JSON.stringify(PIDS)} }),
	],
});`,
	);
	store.write(
		'src/pages/products/[pid].astro',
		`---
import { ProductReviews, ReviewSchema, StarRating } from 'astro-product-reviews/components';
export const getStaticPaths = () => ${JSON.stringify(PIDS)}.map((pid) => ({ params: { pid } }));
const { pid } = Astro.params;
---
<html lang="en"><head><title>{pid}</title></head><body>
<StarRating pid={pid} />
<ProductReviews pid={pid} />
<ReviewSchema pid={pid} product={{ sku: pid, offers: { price: 19.9, priceCurrency: 'EUR' } }} />
</body></html>`,
	);
}, 300_000);

afterAll(async () => {
	store?.remove();
	await service.close();
});

const build = () => store.build({ REVIEWS_BASE_URL: service.url, REVIEWS_WSID: service.wsid });

function expectOwnReviewsOnly() {
	for (const pid of PIDS) {
		const page = store.read(`dist/products/${pid}/index.html`);
		const block = page.slice(page.indexOf('data-display="visible"'), page.indexOf('<script'));
		expect(new Set(block.match(/(?:Only|Also) of [^.]+\./g))).toEqual(
			new Set([`Only of ${pid}.`, `Also of ${pid}.`]),
		);
		const schema = JSON.parse(/<script type="application\/ld\+json"[^>]*>([^<]+)</.exec(page)?.[1] ?? '');
		expect(schema).toMatchObject({
			'@type': 'Product',
			name: `Product ${pid}`,
			sku: pid,
			offers: { '@type': 'Offer', price: 19.9, priceCurrency: 'EUR' },
			aggregateRating: { ratingValue: 4.5, reviewCount: 2 },
		});
		expect(schema.review.map((review: { reviewBody: string }) => review.reviewBody).sort()).toEqual([
			`Also of ${pid}.`,
			`Only of ${pid}.`,
		]);
	}
}

test('200 products: bounded, each page its own reviews, nothing asked twice', async () => {
	const { status, output } = await build();

	expect(output).toContain('200 products');
	expect(status).toBe(0);
	expect(service.requests.count()).toBe(200);
	expect(service.requests.maxInFlight).toBe(CONCURRENCY);
	expectOwnReviewsOnly();
	expect(store.files('dist').filter((path) => /\.m?js$/.test(path))).toEqual([]);
	const progress = output.split('\n').filter((line) => /\d+\/200 products/.test(line));
	expect(progress.length).toBeGreaterThan(0);
	expect(progress.length).toBeLessThanOrEqual(10);

	service.requests.reset();
	const again = await build();
	expect(again.status).toBe(0);
	expect(again.output).toContain('200 products from the store: 200 unchanged');
	expect(service.requests.count()).toBe(0);
	expectOwnReviewsOnly();
});

test('a slower service, nothing stored: five or six requests are in flight most of the time', async () => {
	// So slow that what the machine does besides counts for little.
	service.faults.add({ kind: 'latency', ms: 180 });
	service.requests.reset();
	store.clear('node_modules/.astro');

	const { status } = await build();

	expect(status).toBe(0);
	expect(service.requests.maxInFlight).toBe(CONCURRENCY);
	const times = Object.entries(service.requests.inFlightTimes).map(
		([number, time]) => [Number(number), time] as const,
	);
	const total = (least: number) =>
		times.reduce((sum, [number, time]) => sum + (number >= least ? time : 0), 0);
	expect(total(CONCURRENCY - 1)).toBeGreaterThan(0.7 * total(1));
});
