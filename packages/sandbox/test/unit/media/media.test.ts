import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, SEED_PRODUCTS, startSandbox } from '../../../src/index.js';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

/** What the test reads of a review of operation 2. */
interface SentReview {
	readonly piu: string;
	readonly arrimg: readonly string[];
	readonly arrvdo: readonly string[];
}

let sandbox: Sandbox;
let sent: readonly SentReview[];
beforeAll(async () => {
	sandbox = await startSandbox();
	const answers = SEED_PRODUCTS.map(async ({ pid }) =>
		(await callsTo(sandbox).productReviewData(pid)).json(),
	);
	sent = (await Promise.all(answers)).flatMap(({ data }) => data);
});
afterAll(() => sandbox.close());

const picturesOf = (reviews: readonly SentReview[]) => reviews.flatMap(({ arrimg }) => arrimg);
const aVideo = () => sent.flatMap(({ arrvdo }) => arrvdo)[0] ?? '';

/** Sends a request as it is: `fetch` would choose the host and tidy the path up. */
function send(path: string, headers: Record<string, string>, body = '', method = 'GET') {
	return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
		const request = httpRequest(
			{ host: '127.0.0.1', port: sandbox.port, path, method, headers },
			(response) => {
				let text = '';
				response.setEncoding('utf8').on('data', (chunk) => {
					text += chunk;
				});
				response.on('end', () => resolve({ status: response.statusCode, text }));
			},
		);
		request.on('error', reject).end(body);
	});
}

const askVia = async (host: string) => {
	const headers = {
		host,
		authorization: `Bearer ${sandbox.token}`,
		'content-type': 'application/json',
	};
	const { text } = await send('/api/v1/getProductReviewData', headers, '{"productId":"p-1"}', 'POST');
	return picturesOf(JSON.parse(text).data).map((url) => new URL(url).origin);
};

describe('addresses of media', () => {
	it('are at the sandbox itself, for every review', () => {
		const all = sent.flatMap(({ piu, arrimg, arrvdo }) => [piu, ...arrimg, ...arrvdo]);
		expect(picturesOf(sent).length).toBeGreaterThan(100);
		expect(all.filter((url) => !url.startsWith(`${sandbox.url}/media/`))).toEqual([]);
	});

	it('are at the host that the request was sent to', async () => {
		expect(new Set(await askVia('localhost:8080'))).toEqual(new Set(['http://localhost:8080']));
		expect(new Set(await askVia('[::1]:4400'))).toEqual(new Set(['http://[::1]:4400']));
	});

	it.each(['a"b', 'user@localhost', 'localhost/path', 'localhost#', 'user@evil.test', 'evil.test'])(
		'take no host from %j',
		async (host) => {
			const { status, text } = await send('/api/llmRvwHTML?wsid=W-1001&pid=p-1&ihtml=true', { host });
			expect(status).toBe(403);
			expect(text).not.toContain('/media/');
		},
	);

	it('are at the public address where one is given, and those of others stay', async () => {
		const elsewhere = 'https://cdn.test/a.jpg';
		const other = await testSandbox({
			publicUrl: 'https://reviews.test:8443/',
		});
		other.store.addProduct({ pid: 'p', name: 'P' });
		const { id } = other.store.createReview('p', { rating: 5 });
		other.store.editReview(id, { images: [`/media/reviews/${id}/1.svg`, elsewhere] });
		const { data } = await (await callsTo(other).productReviewData('p')).json();
		expect(data[0].arrimg).toEqual([`https://reviews.test:8443/media/reviews/${id}/1.svg`, elsewhere]);
		expect(data[0].piu).toMatch(/^https:\/\/reviews\.test:8443\/media\/products\/[\da-f]{12}\.svg$/);
	});
});

describe('a picture', () => {
	it('is another one for every review and product, and the same at every request', async () => {
		const urls = [...new Set([...picturesOf(sent), ...sent.map(({ piu }) => piu)])];
		const bodies = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
		expect(new Set(bodies).size).toBe(urls.length);
		expect(
			bodies.filter((body) => !/^<svg xmlns="[^"]+" viewBox="[^"]+" width="\d+" height="\d+">/.test(body)),
		).toEqual([]);
		expect(bodies.filter((body) => /<script|<image|href|undefined|NaN/.test(body))).toEqual([]);
		expect(await (await fetch(urls[0] ?? '')).text()).toBe(bodies[0]);
	});

	it('may be shown by pages of any origin, and kept', async () => {
		const url = picturesOf(sent)[0] ?? '';
		const first = await fetch(url);
		expect(Object.fromEntries(first.headers)).toMatchObject({
			'content-type': 'image/svg+xml',
			'cross-origin-resource-policy': 'cross-origin',
			'cache-control': 'public, max-age=86400',
			'x-content-type-options': 'nosniff',
			'content-encoding': 'gzip',
		});
		const again = await fetch(url, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
		expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=86400']);
	});

	it('of a product outside the seed looks like one of its category', async () => {
		const products = [
			{ pid: '../x?', name: 'X', category: 'garden' },
			{ pid: 'y', name: 'Y', category: 'cars' },
		];
		const other = await testSandbox();
		for (const product of products) {
			const { imageUrl } = other.store.addProduct(product);
			expect((await fetch(other.url + imageUrl)).status).toBe(200);
		}
	});

	it('goes with its review', async () => {
		const { store, url } = await testSandbox({ seed: 1001 });
		const { id, details } =
			store.listReviews({ pid: 'p-1' }).find((review) => review.details.images.length > 0) ?? {};
		const picture = url + details?.images[0];
		expect((await fetch(picture)).status).toBe(200);
		store.deleteReview(id ?? '');
		expect((await fetch(picture)).status).toBe(404);
	});
});

it.each([
	'/media/',
	'/media/products/..%2f..%2fpackage.json',
	'/media/products/../../package.json',
	'/media/reviews/..%2f../unpacking.webm',
	'/media/reviews/0/../../../assets/unpacking.webm',
	'/media/reviews/abc/1.svg',
])('there is nothing at %s', async (path) => {
	expect((await send(path, {})).status).toBe(404);
});

it('a picture of a review is at no other number', async () => {
	const url = picturesOf(sent)[0] ?? '';
	expect((await fetch(url.replace(/\d+\.svg$/, '9.svg'))).status).toBe(404);
	expect((await fetch(url.replace(/\d+\.svg$/, '%31.svg'))).status).toBe(404);
});

describe('a video', () => {
	it('is whole by default, small, and not compressed again', async () => {
		const response = await fetch(aVideo());
		expect(Object.fromEntries(response.headers)).toMatchObject({
			'content-type': 'video/webm',
			'accept-ranges': 'bytes',
			'cross-origin-resource-policy': 'cross-origin',
		});
		expect(response.headers.get('content-encoding')).toBeNull();
		const bytes = Buffer.from(await response.arrayBuffer());
		expect(bytes.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
		expect(bytes.length).toBeLessThan(20_000);
	});

	it.each([
		['bytes=0-3', 0, 3],
		['bytes=100-', 100, undefined],
		['bytes=-10', -10, undefined],
		['bytes=5-9999999', 5, undefined],
	])('answers %s with that part', async (range, start, end) => {
		const whole = Buffer.from(await (await fetch(aVideo())).arrayBuffer());
		const response = await fetch(aVideo(), { headers: { range } });
		const part = whole.subarray(start, end === undefined ? undefined : end + 1);
		const first = start < 0 ? whole.length + start : start;
		expect(response.status).toBe(206);
		expect(response.headers.get('content-range')).toBe(
			`bytes ${first}-${first + part.length - 1}/${whole.length}`,
		);
		expect(Buffer.from(await response.arrayBuffer())).toEqual(part);
	});

	it.each([
		['bytes=9999999-', 416],
		['bytes=-0', 416],
		['bytes=5-2', 200],
		['bytes=0-1,4-5', 200],
		['lines=1-2', 200],
		['bytes=-', 200],
	])('answers %s with %i', async (range, status) => {
		expect((await fetch(aVideo(), { headers: { range } })).status).toBe(status);
	});
});
