// Measures what a shared storage saves a build in an empty folder: 4,000 products, 20 pages, and a service that answers after
// 100 ms. The storage is a folder, which needs no server. Prints the seconds of a build without the storage, of one that
// fills it, and of three that find it filled. Then measures what it costs a build that needs nothing of it, because its own
// store has everything: five builds with the storage, each beside one without. Exits with 1 if an empty folder is not filled
// 10 times faster, if a full one takes longer than the driver takes to load, or if a build does not request exactly what is lacking.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [PRODUCTS, PAGES, LATENCY, REVIEWS] = [4_000, 20, 100, 10];
/** How many times faster an empty folder has to be filled, and how many seconds longer a build may take that needs nothing. */
const [LEAST_RATIO, MOST_COST] = [10, 0.3];
const PIDS = Array.from({ length: PRODUCTS }, (_, index) => `p-${index + 1}`);
const FIXTURE = fileURLToPath(new URL('../packages/integration/test/build/fixtures/store', import.meta.url));
const ASTRO = fileURLToPath(new URL('../node_modules/astro/bin/astro.mjs', import.meta.url));

let requests = 0;
const server = createServer((request, response) => {
	requests += 1;
	const pid = new URL(request.url ?? '/', 'http://service').searchParams.get('pid') ?? '';
	setTimeout(() => {
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(payload(pid)));
	}, LATENCY);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const folder = mkdtempSync(join(tmpdir(), 'shared-storage-'));
const storage = { driver: 'fs', config: { base: join(folder, 'storage') } };

const filled = emptyFolder();
const without = await measure('without a storage', filled, {}, PRODUCTS);
await measure('fills the storage', emptyFolder(), { storage }, PRODUCTS);
const rounds = [];
for (let round = 1; round <= 3; round++)
	rounds.push(await measure('finds the storage filled', emptyFolder(), { storage }, 0));
const costs = [];
for (let round = 1; round <= 5; round++) {
	const alone = await measure('needs nothing, without a storage', filled, {}, 0);
	costs.push((await measure('needs nothing, with a storage', filled, { storage }, 0)) - alone);
}
server.close();
server.closeAllConnections();
rmSync(folder, { recursive: true, force: true });

const ratio = without / median(rounds);
console.log(`${ratio.toFixed(1)} times faster, at least ${LEAST_RATIO} expected`);
const cost = median(costs);
console.log(`${cost.toFixed(2)} s longer if nothing is needed, at most ${MOST_COST} s expected`);
if (ratio < LEAST_RATIO || cost > MOST_COST) process.exitCode = 1;

function median(values) {
	return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function emptyFolder() {
	return mkdtempSync(join(folder, 'build-'));
}

/** Builds in a folder of its own. @returns the seconds that it took. */
async function measure(what, own, options, expected) {
	requests = 0;
	const startedAt = performance.now();
	const status = await build(own, options);
	const seconds = (performance.now() - startedAt) / 1_000;
	console.log(`${what}: ${seconds.toFixed(1)} s, ${requests} requests`);
	if (status !== 0 || requests !== expected) process.exitCode = 1;
	return seconds;
}

function payload(pid) {
	const url = `https://shop.example/products/${pid}/`;
	const item = `<div class="review-item"><div class="review-product"><a class="review-product-link" href="${url}">${pid}</a></div><div class="review-author">Ada</div><div class="review-rating">Rating: 5/5</div><div class="review-title">Good</div><div class="review-body">${`A review of ${pid}. `.repeat(15)}</div><div class="review-date">2026-01-02</div></div>`;
	return {
		status: 200,
		pid,
		dataCount: { prtng: REVIEWS, avgrtng: 5 },
		html: `<div class="reviews_1" data-id="1" data-block-handle="reviews"><style>.reviews_1{position:absolute}</style><h2>Reviews</h2>${item.repeat(REVIEWS)}</div>`,
		jsonld: `<script id="ServiceReviewSchemaJson" type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', '@id': url, url, name: pid })}</script>`,
	};
}

function build(own, options) {
	const child = spawn(process.execPath, [ASTRO, 'build'], {
		cwd: FIXTURE,
		stdio: ['ignore', 'ignore', 'inherit'],
		env: {
			...process.env,
			ASTRO_TELEMETRY_DISABLED: '1',
			REVIEWS_BASE_URL: `http://127.0.0.1:${server.address().port}`,
			REVIEWS_WSID: 'W-1001',
			FIXTURE_PAGES: JSON.stringify(PIDS.slice(0, PAGES)),
			FIXTURE_OPTIONS: JSON.stringify({ products: PIDS, ...options }),
			FIXTURE_CONFIG: JSON.stringify({ outDir: join(own, 'dist'), cacheDir: join(own, 'cache') }),
		},
	});
	return new Promise((done) => child.once('close', done));
}
