import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { ask, callsTo, testSandbox } from '../support/test-sandbox.js';

/** Addresses of media in reviews of operation 2. */
interface Media {
	readonly piu: string;
	readonly arrimg: readonly string[];
	readonly arrvdo: readonly string[];
}

const addressesOf = (reviews: readonly Media[]) =>
	reviews.flatMap(({ piu, arrimg, arrvdo }) => [piu, ...arrimg, ...arrvdo]);

let sandbox: Sandbox;
let all: readonly string[];
let [picture, video] = ['', ''];
beforeAll(async () => {
	sandbox = await startSandbox();
	const { data } = await (await callsTo(sandbox).productReviewData('p-1')).json();
	all = addressesOf(data);
	picture = all.find((url) => /\/media\/reviews\/.*\.svg$/.test(url)) ?? '';
	video = all.find((url) => url.endsWith('.webm')) ?? '';
});
afterAll(() => sandbox.close());

it('media are at the sandbox itself, or at the host that a request was sent to', async () => {
	expect(all.length).toBeGreaterThan(30);
	expect(all.filter((url) => !url.startsWith(`${sandbox.url}/media/`))).toEqual([]);
	const url = `http://localhost:${sandbox.port}`;
	const other = await callsTo({ ...sandbox, url }).productReviewData('p-1');
	const origins = addressesOf((await other.json()).data).map((url) => new URL(url).origin);
	expect(new Set(origins)).toEqual(new Set([url]));
});

it('media are at the public address where one is given, and those of others stay', async () => {
	const elsewhere = 'https://cdn.test/a.jpg';
	const other = await testSandbox({ publicUrl: 'https://reviews.test:8443/' });
	other.store.addProduct({ pid: 'p', name: 'P' });
	const { id } = other.store.createReview('p', { rating: 5 });
	other.store.editReview(id, { images: [`/media/reviews/${id}/1.svg`, elsewhere] });
	const { data } = await (await callsTo(other).productReviewData('p')).json();
	expect(data[0].arrimg).toEqual([`https://reviews.test:8443/media/reviews/${id}/1.svg`, elsewhere]);
	expect(data[0].piu).toMatch(/^https:\/\/reviews\.test:8443\/media\/products\/[\da-f]{12}\.svg$/);
});

it('pictures are drawings that run and load nothing, each another one, and the same at every request', async () => {
	const urls = [...new Set(all.filter((url) => url.endsWith('.svg')))];
	const textsOf = () => Promise.all(urls.map(async (url) => (await fetch(url)).text()));
	const texts = await textsOf();
	expect(new Set(texts).size).toBe(urls.length);
	for (const text of texts) {
		expect(text).toMatch(/^<svg xmlns="[^"]+" viewBox="[^"]+" width="\d+" /);
		expect(text).not.toMatch(/<script|<image|href|undefined|NaN/);
	}
	expect(await textsOf()).toEqual(texts);
});

it('pictures may be shown by pages of any origin, and kept', async () => {
	const first = await fetch(picture);
	expect(Object.fromEntries(first.headers)).toMatchObject({
		'content-type': 'image/svg+xml',
		'cross-origin-resource-policy': 'cross-origin',
		'cache-control': 'public, max-age=86400',
		'x-content-type-options': 'nosniff',
		'content-encoding': 'gzip',
	});
	const again = await fetch(picture, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
	expect([again.status, again.headers.get('cache-control')]).toEqual([304, 'public, max-age=86400']);
});

it('a product outside the seed has a picture, and that of a review goes with it', async () => {
	const { store, url } = await testSandbox({ seed: 1001 });
	const { imageUrl } = store.addProduct({ pid: '../x?', name: 'X', category: 'cars' });
	expect((await fetch(url + imageUrl)).status).toBe(200);
	const { pathname } = new URL(picture);
	expect((await fetch(url + pathname)).status).toBe(200);
	store.deleteReview(pathname.split('/')[3] ?? '');
	expect((await fetch(url + pathname)).status).toBe(404);
});

it('nothing else is there, whatever the path', async () => {
	const { pathname } = new URL(picture);
	for (const path of [
		'/media/',
		'/media/products/..%2f..%2fpackage.json',
		'/media/products/../../package.json',
		'/media/reviews/0/../../../assets/unpacking.webm',
		pathname.replace(/\d+\.svg$/, '9.svg'),
		pathname.replace(/\d+\.svg$/, '%31.svg'),
	])
		expect((await ask(sandbox, `GET ${path}`)).status, path).toBe(404);
});

it.each([
	['', 200],
	['bytes=0-3', 206, 0, 4],
	['bytes=100-', 206, 100, undefined],
	['bytes=-10', 206, -10, undefined],
	['bytes=5-9999999', 206, 5, undefined],
	['bytes=9999999-', 416],
	['bytes=-0', 416],
	['bytes=5-2', 200],
	['bytes=0-1,4-5', 200],
	['lines=1-2', 200],
])('of a video, %j is answered with %i', async (range, status, start = 0, end = undefined) => {
	const whole = Buffer.from(await (await fetch(video)).arrayBuffer());
	expect(whole.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
	const response = await fetch(video, { headers: { range } });
	expect(response.status).toBe(status);
	if (status === 416) return;
	const shared = { 'content-type': 'video/webm', 'accept-ranges': 'bytes' };
	expect(Object.fromEntries(response.headers)).toMatchObject(shared);
	expect(response.headers.get('content-encoding')).toBeNull();
	const part = whole.subarray(start, end);
	expect(Buffer.from(await response.arrayBuffer())).toEqual(part);
	const first = start < 0 ? whole.length + start : start;
	const sent = `bytes ${first}-${first + part.length - 1}/${whole.length}`;
	expect(response.headers.get('content-range')).toBe(status === 206 ? sent : null);
});
