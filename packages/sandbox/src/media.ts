import { readFileSync } from 'node:fs';
import { drawScene } from './drawings/illustration.js';
import { drawPhoto } from './drawings/photo.js';
import { type Answer, type Call, HttpError, lastModified } from './http/http.js';
import { looksLike } from './seed/products.js';
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

function svg(picture: string, changedAt: string): Answer {
	const headers = { ...HEADERS, 'content-type': 'image/svg+xml', ...lastModified(changedAt) };
	return { status: 200, headers, body: Buffer.from(picture) };
}

/** Supports range requests: players load a video in parts, and some refuse to play without. */
function video(call: Call, changedAt: string): Answer {
	const size = VIDEO.length;
	const range = byteRange(call.headers.range, size);
	const headers = { ...HEADERS, 'content-type': 'video/webm', 'accept-ranges': 'bytes' };
	if (range === 'unsatisfiable')
		throw new HttpError(416, 'The requested range is beyond the end of the video.', {
			'content-range': `bytes */${size}`,
		});
	if (!range) return { status: 200, headers: { ...headers, ...lastModified(changedAt) }, body: VIDEO };
	const part = { 'content-range': `bytes ${range.start}-${range.end}/${size}` };
	return { status: 206, headers: { ...headers, ...part }, body: VIDEO.subarray(range.start, range.end + 1) };
}

const unknown = () => new HttpError(404, 'Unknown picture or video.');

/** The video of every review that has one: a few seconds of unpacking. */
const VIDEO: Buffer = readFileSync(new URL('../assets/unpacking.webm', import.meta.url));

/**
 * The positions of the first and the last byte of a `Range` header. RFC 9110 lets a server send the whole body for a header
 * that is malformed, in another unit, or has several ranges: these are `undefined`.
 */
function byteRange(header: string | undefined, size: number) {
	const [matched, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
	if (matched === undefined || (first === '' && last === '')) return undefined;
	// Without a first position, it is a suffix range: the last n bytes.
	if (first === '') {
		const length = Math.min(Number(last), size);
		return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
	}
	const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
	if (last !== '' && Number(last) < start) return undefined;
	return start < size ? { start, end } : 'unsatisfiable';
}
