import { fill, readAsset } from './assets.js';
import { type Answer, type Call, HttpError, lastModified } from './http.js';
import { drawMotif, drawScene, sceneOf } from './illustration.js';
import { createRandom } from './random.js';
import type { Product } from './records.js';
import { SEED_PRODUCTS, type SeedProduct } from './seed.js';
import type { Routes } from './service.js';

/** As with a hosted service, pages of any origin may show media. An SVG opened directly cannot run or load anything. */
const HEADERS = {
	'cache-control': 'public, max-age=86400',
	'cross-origin-resource-policy': 'cross-origin',
	'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
	'x-content-type-options': 'nosniff',
};

/** Routes of pictures and videos. Only media of existing products and reviews are served; paths never refer to files. */
export const mediaRoutes: Routes = {
	'GET /media/products/:file'({ path }, { database }) {
		const product = database.productWithPicture(path);
		if (!product) throw unknown();
		return svg(drawScene(looksLike(product)), product.changedAt);
	},
	'GET /media/reviews/:id/:file'(call, { database }) {
		const { params, path } = call;
		const review = database.review(params.id);
		const product = review && database.product(review.pid);
		if (!review || !product) throw unknown();
		if (review.videos.includes(path)) return video(call, review.updatedAt);
		if (review.images.includes(path)) return svg(drawPhoto(looksLike(product), path), review.updatedAt);
		throw unknown();
	},
};

const unknown = () => new HttpError(404, 'Unknown picture or video.');

/** Returns the seeded product to draw for a product: itself, or else a fixed one of its category. */
function looksLike({ pid, category }: Product): SeedProduct {
	const own = SEED_PRODUCTS.find((product) => product.pid === pid);
	const siblings = SEED_PRODUCTS.filter((product) => product.category === category);
	return own ?? createRandom(pid).pick(siblings.length > 0 ? siblings : SEED_PRODUCTS);
}

function svg(picture: string, changedAt: string): Answer {
	const headers = { ...HEADERS, 'content-type': 'image/svg+xml', ...lastModified(changedAt) };
	return { status: 200, headers, body: Buffer.from(picture) };
}

/** By category and path: the place, the tilt and the light of a customer's snapshot. */
const PHOTOS: Readonly<Record<string, Readonly<Record<string, Record<string, string | number>>>>> =
	JSON.parse(readAsset('photos.json').toString());

/** Draws a customer's snapshot of a product, as an SVG document. At an unknown path, it's one of those of its category. */
function drawPhoto({ pid, category, motif }: SeedProduct, path: string): string {
	const known = PHOTOS[category] ?? {};
	const values = known[path] ?? createRandom(path).pick(Object.values(known));
	return fill(readAsset('photo.svg').toString(), {
		...values,
		background: readAsset(`backgrounds/${values.background}.svg`).toString(),
		product: drawMotif(motif, sceneOf(pid)),
	});
}

/** The video of every review that has one: a few seconds of unpacking. */
const VIDEO = readAsset('unpacking.webm');

/** Supports range requests: players load a video in parts, and some refuse to play without. */
function video(call: Call, changedAt: string): Answer {
	const size = VIDEO.length;
	const headers = { ...HEADERS, 'content-type': 'video/webm', 'accept-ranges': 'bytes' };
	const whole = { status: 200, headers: { ...headers, ...lastModified(changedAt) }, body: VIDEO };
	// RFC 9110 lets a server send all for a header that is malformed, in another unit, or has several ranges.
	const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(call.headers.range?.trim() ?? '') ?? [];
	if (first + last === '' || (first !== '' && last !== '' && Number(last) < Number(first))) return whole;
	// Without a first position, it is the last n bytes.
	const start = first === '' ? size - Math.min(Number(last), size) : Number(first);
	const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
	if (start >= size) {
		const range = { 'content-range': `bytes */${size}` };
		throw new HttpError(416, 'The requested range is beyond the end of the video.', range);
	}
	const part = { 'content-range': `bytes ${start}-${end}/${size}` };
	return { status: 206, headers: { ...headers, ...part }, body: VIDEO.subarray(start, end + 1) };
}
