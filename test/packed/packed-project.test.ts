import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGES, pack } from '../../scripts/pack.mjs';

const CONCURRENCY = 6;
const PIDS = Array.from({ length: 200 }, (_, index) => `p-${index + 1}`);
let folder: string;
let service: Sandbox;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'packed-project-'));
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
	const tarballs = PACKAGES.map(({ directory }) => pack(directory, folder));
	write('package.json', {
		name: 'an-empty-store',
		private: true,
		type: 'module',
		dependencies: {
			astro: '7.3.5',
			...Object.fromEntries(tarballs.map(({ name, file }) => [name, `file:${file}`])),
		},
	});
	write(
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
	write(
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
	execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
		cwd: folder,
		stdio: 'pipe',
	});
}, 300_000);

afterAll(async () => {
	rmSync(folder, { recursive: true, force: true });
	await service.close();
});

function write(path: string, content: string | object) {
	mkdirSync(join(folder, path, '..'), { recursive: true });
	writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
}

function build(): Promise<{ status: number | null; output: string }> {
	const { NODE_ENV: _mode, VITEST: _runner, ...environment } = process.env;
	const child = spawn(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build'], {
		cwd: folder,
		env: {
			...environment,
			NO_COLOR: '1',
			ASTRO_TELEMETRY_DISABLED: '1',
			REVIEWS_BASE_URL: service.url,
			REVIEWS_WSID: service.wsid,
		},
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk) => {
			output += chunk;
		});
	}
	return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })));
}

function expectOwnReviewsOnly() {
	for (const pid of PIDS) {
		const page = readFileSync(join(folder, 'dist/products', pid, 'index.html'), 'utf8');
		const block = page.slice(page.indexOf('data-block-handle'), page.indexOf('<script'));
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
	expect(
		readdirSync(join(folder, 'dist'), { recursive: true }).filter((path) => /\.m?js$/.test(String(path))),
	).toEqual([]);
	const progress = output.split('\n').filter((line) => /\d+\/200 products/.test(line));
	expect(progress.length).toBeGreaterThan(0);
	expect(progress.length).toBeLessThanOrEqual(10);

	service.requests.reset();
	const again = await build();
	expect(again.status).toBe(0);
	expect(again.output).toContain('0 fetched, 200 unchanged');
	expect(service.requests.count()).toBe(0);
	expectOwnReviewsOnly();
});

test('a slower service, nothing stored: five or six requests are in flight most of the time', async () => {
	// So slow that what the machine does besides counts for little.
	service.faults.add({ kind: 'latency', ms: 180 });
	service.requests.reset();
	rmSync(join(folder, 'node_modules/.astro'), { recursive: true });

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
