import { fill, readAsset } from './assets.js';
import drawings from './data/drawings.json' with { type: 'json' };
import { type Answer, type Call, HttpError, lastModified } from './http.js';
import { drawMotif, drawScene, paletteOf } from './illustration.js';
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
	'/media/products/:file': {
		GET({ path }, { database }) {
			const product = database.productWithPicture(path);
			if (!product) throw unknown();
			return svg(drawScene(looksLike(product)), product.changedAt);
		},
	},
	'/media/reviews/:id/:file': {
		GET(call, { database }) {
			const { params, path } = call;
			const review = database.review(params.id);
			const product = review && database.product(review.pid);
			if (!review || !product) throw unknown();
			if (review.videos.includes(path)) return video(call, review.updatedAt);
			if (review.images.includes(path)) return svg(drawPhoto(looksLike(product), path), review.updatedAt);
			throw unknown();
		},
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

const { materials, places, tones } = drawings.photos;

/** The backgrounds are wider than every photo: each shows another part. */
const BACKGROUND_WIDTH = 1_300;

/**
 * Draws a customer's snapshot of a product, as an SVG document of 900 by 1,200 pixels or the other way round. The place,
 * the tilt and the light vary with `key`; the same key always results in the same picture.
 */
function drawPhoto(product: SeedProduct, key: string): string {
	const random = createRandom(key);
	const [width, height] = random.chance(0.6) ? [900, 1200] : [1200, 900];
	const [background, material] = random.pick(places[product.category] as [string, keyof typeof materials][]);
	const { fills, grain, depth, texture } = materials[material];
	// From the top to the edge between background and surface.
	const horizon = Math.round(height * (0.5 + random.next() * 0.14));
	return fill(readAsset('photo.svg').toString(), {
		width,
		height,
		midX: width / 2,
		midY: height / 2,
		tilt: random.between(-3, 3),
		horizon,
		background: readAsset(`backgrounds/${background}.svg`).toString(),
		shift: random.between(width - BACKGROUND_WIDTH, 0),
		surface: random.pick(fills),
		surfaceWidth: width + 120,
		surfaceHeight: height - horizon + 60,
		depth,
		texture,
		grain: grain.join(' '),
		seed: random.between(1, 999),
		product: drawMotif(product.motif, paletteOf(product)),
		x: width * (0.4 + random.next() * 0.2),
		foot: horizon + (height - horizon) * (0.42 + random.next() * 0.22),
		size: Math.min(width, height * 0.82) * (0.0022 + random.next() * 0.0008),
		lean: random.between(-4, 4),
		mirror: random.chance(0.3) ? -1 : 1,
		sunX: random.chance(0.5) ? 0.12 : 0.88,
		sunY: random.next() * 0.35,
		blur: random.between(9, 17),
		tone: random.pick(tones),
		strength: 0.1 + random.next() * 0.12,
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
