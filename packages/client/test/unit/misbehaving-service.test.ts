import { getEventListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { errorOf } from 'product-reviews-test-support/clock';
import { listenInTest } from 'product-reviews-test-support/listen';
import { describe, expect, test } from 'vitest';
import {
	type ReviewsClientOptions,
	ReviewsHttpError,
	ReviewsNetworkError,
	ReviewsResponseError,
	ReviewsTimeoutError,
} from '../../src/index.js';
import { crawlerPayload, payloadAt } from '../support/payloads.js';
import { answering, never, REAL_TIME, startStub, useSetup } from '../support/setup.js';

const setup = useSetup();
const MEBIBYTE = 1024 * 1024;

/** Answers over a socket; `count` is 1 for the first request. */
type Behavior = (response: ServerResponse, count: number) => void;

/** A service on a free port of this machine that answers every request so, until the running test ends. */
async function serve(behavior: Behavior) {
	let count = 0;
	const server = createServer((_request, response) => behavior(response, ++count));
	const { url } = await listenInTest(server);
	const client = (options: Partial<ReviewsClientOptions> = {}) =>
		setup.client({ baseUrl: url, fetch: undefined, ...options });
	return { url, client, requests: () => count };
}

/** Begins an answer with this status, of which a blank comes now and then, for ever. */
const trickling =
	(status: number): Behavior =>
	(response) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		const timer = setInterval(() => response.write(' '), 10);
		response.on('close', () => clearInterval(timer));
	};

const sending =
	(body: Buffer, encoding: string): Behavior =>
	(response) =>
		response.writeHead(200, { 'content-encoding': encoding }).end(body);

describe('time', () => {
	test('no headers ever: each try ends after the time-out', async () => {
		const error = await setup.failure(never, { timeout: 100, retries: 2 });
		expect(error).toBeInstanceOf(ReviewsTimeoutError);
		expect(error).toMatchObject({ scope: 'try', limit: 100, attempts: 3 });
		expect(error).not.toHaveProperty('cause');
		expect(setup.events).toHaveLength(3);
	});

	test('an endless trickle: the time-out covers the body', async () => {
		const { client } = await serve(trickling(200));
		const error = await errorOf(client({ timeout: 1_000, retries: 0 }).getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsTimeoutError', scope: 'try', attempts: 1, status: 200 });
		expect(setup.events[0]?.bytes).toBeGreaterThan(0);
	});

	test('an endless error body does not hide its status', async () => {
		const { client } = await serve(trickling(403));
		const error = await errorOf(client().getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsHttpError', status: 403, attempts: 1 });
	});

	test('the deadline ends an operation in the middle of a try', async () => {
		const error = await setup.failure(never, { deadline: 100 });
		expect(error).toMatchObject({ name: 'ReviewsTimeoutError', scope: 'deadline', limit: 100, attempts: 1 });
		expect(setup.events).toHaveLength(1);
		expect(setup.events[0]?.error).toBe(error);
	});

	test('the deadline ends a token function that never answers, and a fetch that takes no notice', async () => {
		const silence = () => new Promise<never>(() => {});
		const noToken = await errorOf(setup.client({ token: silence, deadline: 20 }).getProductReviewData('p-1'));
		expect(noToken).toMatchObject({ scope: 'deadline', attempts: 0 });
		const deaf = await errorOf(setup.client({ fetch: silence, deadline: 20 }).getCrawlerReviews('p-1'));
		expect(deaf).toMatchObject({ scope: 'deadline', attempts: 1 });
	});
});

describe('size', () => {
	test('a body of 50 MB is left at the limit', async () => {
		const left = Promise.withResolvers<boolean>();
		const { client } = await serve((response) => {
			response.on('close', () => left.resolve(!response.writableFinished));
			response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(50 * MEBIBYTE, ' '));
		});
		const error = await errorOf(client({ maxResponseBytes: 2 * MEBIBYTE }).getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ reason: 'too-large', attempts: 1 });
		expect(setup.events[0]?.bytes).toBeLessThan(3 * MEBIBYTE);
		expect(await left.promise).toBe(true);
	});

	test.each([
		['gzip', gzipSync(Buffer.alloc(50 * MEBIBYTE))],
		['br', brotliCompressSync(Buffer.alloc(20 * MEBIBYTE))],
	])('a %s bomb is counted after decompression', async (encoding, bomb) => {
		expect(bomb.length).toBeLessThan(MEBIBYTE);
		const { client } = await serve(sending(bomb, encoding));
		const error = await errorOf(client().getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ reason: 'too-large' });
		expect(setup.events[0]?.bytes).toBeLessThan(9 * MEBIBYTE);
	});

	test.each(['[', '{"a":'])('a body of a million times %s is not parsed', async (part) => {
		const { client } = await serve(sending(gzipSync(`{"data":${part.repeat(1_000_001)}`), 'gzip'));
		const error = await errorOf(client().getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ reason: 'schema', attempts: 1 });
		expect(error.message).toContain('the body has more than 1,000,000 lists and objects');
	});

	test('a body of exactly the limit is read', async () => {
		const limit = Buffer.byteLength(JSON.stringify(crawlerPayload('p-1')));
		await setup.client({ maxResponseBytes: limit }).getCrawlerReviews('p-1');
		const tooLarge = setup.client({ maxResponseBytes: limit - 1 }).getCrawlerReviews('p-1');
		expect(await errorOf(tooLarge)).toMatchObject({ reason: 'too-large' });
	});
});

describe('content', () => {
	test.each<[string, Record<string, string>, BodyInit, string]>([
		['an html page', { 'content-type': 'text/html' }, '<!doctype html><p>Hello', 'not-json'],
		['nothing', { 'content-type': 'application/json' }, '', 'not-json'],
		['half of a JSON', { 'content-type': 'application/json' }, '{"pid":', 'not-json'],
		['a JSON string', {}, '"hello"', 'schema'],
		['null', {}, 'null', 'schema'],
		['bytes that are not UTF-8', {}, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'not-utf8'],
		['a cut UTF-8 sequence', {}, Buffer.from([0x22, 0xe2, 0x82]), 'not-json'],
		['a compressed page', { 'content-encoding': 'gzip' }, '<p>', 'not-json'],
		['chained encodings', { 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync('{}')), 'content-encoding'],
	])('%s is refused, and not asked for again', async (_what, headers, body, reason) => {
		const error = await setup.failure(() => new Response(body, { headers }));
		expect(error).toBeInstanceOf(ReviewsResponseError);
		expect(error).toMatchObject({ reason, attempts: 1, status: 200 });
		expect(setup.calls).toHaveLength(1);
	});

	test.each([
		['gzip', gzipSync],
		['br', brotliCompressSync],
	])('%s is read', async (encoding, compress) => {
		const body = compress(JSON.stringify(crawlerPayload('p-é')));
		const { client } = await serve(sending(body, encoding));
		expect(await client().getCrawlerReviews('p-é')).toMatchObject({ pid: 'p-é' });
	});
});

describe('"no reviews" is believed only from the service itself', () => {
	const sendNotFound = (body: string, type = 'application/json') =>
		setup.answer(() => new Response(body, { status: 404, headers: { 'content-type': type } }));

	test.each<[string, string, string?]>([
		["a gateway's page", '<html><center>nginx</center></html>', 'text/html'],
		['nothing', ''],
		['a sentence', 'default backend - 404', 'text/plain'],
		['JSON that is only the status', '404'],
		['a JSON string', '"not found"'],
		['a JSON list', '[]'],
		['null', 'null'],
		['half of a JSON', '{"error":'],
		['more than a sentence', JSON.stringify({ page: 'x'.repeat(70_000) })],
	])('a 404 with %s is a failure of every operation, and not asked for again', async (_what, body, type) => {
		sendNotFound(body, type);
		const client = setup.client();
		const asked = [
			client.getCrawlerReviews('p-1'),
			client.getProductReviewData('p-1'),
			client.getStarRatings(['p-1']),
		];
		for (const error of await Promise.all(asked.map(errorOf))) {
			expect(error).toBeInstanceOf(ReviewsResponseError);
			expect(error).toMatchObject({ reason: 'foreign', status: 404, attempts: 1 });
			expect(error.message).toContain('404 from something other than the service');
		}
	});

	test('a 404 with a JSON object is believed, whatever its content type', async () => {
		sendNotFound('{"message":"no such product"}', 'text/plain');
		expect((await setup.client().getCrawlerReviews('p-1')).aggregate.count).toBe(0);
	});
});

describe('redirects', () => {
	test.each([301, 302, 303, 307, 308])('%i is not followed: none gets request or token', async (status) => {
		const other = await serve((response) => response.end());
		const location = `${other.url}/api/llmRvwHTML?secret=1`;
		const service = await serve((response) => response.writeHead(status, { location }).end('{}'));
		const client = service.client({ sendTokenForReviews: true });
		for (const asked of [client.getCrawlerReviews('p-1'), client.getProductReviewData('p-1')]) {
			const error = await errorOf(asked);
			expect(error).toMatchObject({ reason: 'redirect', status, attempts: 1 });
			expect(error.message).toContain(`the service redirects to ${other.url}, which is not followed`);
			expect(String(error)).not.toContain('secret=1');
		}
		expect([other.requests(), service.requests()]).toEqual([0, 2]);
	});

	test.each([undefined, 'http://'])('to %j, too', async (location) => {
		const error = await setup.failure(answering(302, location ? { location } : {}));
		const message = expect.stringContaining('to an address that cannot be read');
		expect(error).toMatchObject({ reason: 'redirect', message });
	});
});

describe("the caller's signal", () => {
	test('aborted before: no request, and its reason', async () => {
		const reason = new Error('enough');
		const signal = AbortSignal.abort(reason);
		const client = setup.client();
		expect(await errorOf(client.getCrawlerReviews('p-1', { signal }))).toBe(reason);
		expect(await errorOf(client.getStarRatings(['p-1'], { signal }))).toBe(reason);
		expect(setup.calls).toHaveLength(0);
	});

	test('aborted in a request: its reason, and no retry', async () => {
		const controller = new AbortController();
		setup.answer((call, count) => {
			controller.abort();
			return never(call, count);
		});
		const error = await errorOf(setup.client().getProductReviewData('p-1', { signal: controller.signal }));
		expect(error).toBe(controller.signal.reason);
		expect(setup.calls).toHaveLength(1);
	});

	test('aborted in a wait: at once', async () => {
		setup.answer(answering(503, { 'retry-after': '30' }));
		const controller = new AbortController();
		const onRequest = () => setTimeout(() => controller.abort('over'), 10);
		const client = setup.client({ ...REAL_TIME, onRequest });
		expect(await errorOf(client.getCrawlerReviews('p-1', { signal: controller.signal }))).toBe('over');
		expect(setup.calls).toHaveLength(1);
	});
});

const LONG = JSON.stringify({ ...crawlerPayload('p-1'), more: Array.from({ length: 999 }, (_, id) => id) });
const WITHIN_LETTER = Buffer.from('{"pid":"é').subarray(0, -1);
const FLUSHED = { finishFlush: constants.Z_SYNC_FLUSH };

test.each<[string, Behavior, object]>([
	['a 500', (response) => response.writeHead(500).end('{}'), { status: 500, bytes: 0 }],
	['a connection that is reset', (response) => response.socket?.resetAndDestroy(), {}],
	[
		'a body that is cut short',
		(response) => {
			response.writeHead(200, { 'content-length': '1000' });
			response.write('{"pid":', () => response.socket?.destroy());
		},
		{},
	],
	['gzip that is cut short', sending(gzipSync(LONG).subarray(0, -20), 'gzip'), {}],
	['gzip without data', sending(gzipSync(LONG).subarray(0, 10), 'gzip'), {}],
	[
		'gzip that is cut within a letter',
		sending(gzipSync(WITHIN_LETTER, FLUSHED).subarray(0, -10), 'gzip'),
		{},
	],
	['brotli that is cut short', sending(brotliCompressSync(LONG).subarray(0, -20), 'br'), {}],
	['deflate that is cut short', sending(deflateSync(LONG).subarray(0, -20), 'deflate'), {}],
])('%s is tried again, and the next answer counts', async (_name, once, event) => {
	const { client, requests } = await serve((response, count) =>
		count === 1 ? once(response, count) : response.end(JSON.stringify(crawlerPayload('p-1'))),
	);
	expect(await client().getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
	expect(requests()).toBe(2);
	expect(setup.events).toMatchObject([
		{ attempt: 1, operation: 'crawlerReviews', pids: ['p-1'], ...event },
		{ attempt: 2, status: 200, bytes: expect.any(Number) },
	]);
	const [first, second] = setup.events;
	expect(first?.error).toBeInstanceOf('status' in event ? ReviewsHttpError : ReviewsNetworkError);
	expect(second).not.toHaveProperty('error');
	expect(second?.bytes).toBeGreaterThan(50);
});

test('no listener is left on the signal, and no timer that keeps the process alive', async () => {
	const service = await serve((response, count) => {
		const body = count > 2 ? payloadAt('/api/v1/getStarRating', ['p-1']) : crawlerPayload('p-1');
		response.writeHead(count % 2 ? 503 : 200).end(JSON.stringify(body));
	});
	const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
	const before = timers();
	const { signal } = new AbortController();
	const patient = { timeout: 2_000_000_000, deadline: 2_000_000_000 };
	const client = service.client({ ...patient, ...REAL_TIME, random: () => 0.01 });
	await client.getCrawlerReviews('p-1', { signal });
	await client.getStarRatings(['p-1'], { signal });
	expect(service.requests()).toBe(4);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	expect(timers()).toBeLessThanOrEqual(before);
});

test('answers of 404 keep their connection for the next request', async () => {
	const sockets = new Set<unknown>();
	const service = await serve((response) => {
		sockets.add(response.socket);
		response.writeHead(404).write('{"error":');
		setTimeout(() => response.end('"not found"}'), 3);
	});
	const client = service.client();
	for (let index = 0; index < 20; index += 1) await client.getCrawlerReviews(`p-${index}`);
	// A runtime may open a second one before it has put the first one back.
	expect(sockets.size).toBeLessThanOrEqual(2);
});

function clientOf(body: string) {
	const { client, answer } = startStub();
	answer(() => new Response(body));
	return client;
}

const names = Array.from({ length: 60_000 }, (_, index) => `"k${index}":0`);

test.each([
	['empty objects', `{"data":[${'{},'.repeat(340_000)}{}]}`],
	['zeros', `{"data":[${'0,'.repeat(510_000)}0]}`],
	['nested lists', `{"data":${'['.repeat(510_000)}${']'.repeat(510_000)}}`],
	['names of fields', `{${names}}`],
])('a megabyte of %s is refused, and at most a few problems are named', async (_name, body) => {
	const client = clientOf(body);
	const asked = [client.getProductReviewData('p-1'), client.getStarRatings(['p-1'])];
	for (const error of await Promise.all([...asked, client.getCrawlerReviews('p-1')].map(errorOf))) {
		expect(error).toMatchObject({ reason: 'schema', attempts: 1 });
		expect(error.message.match(/Invalid input/g)?.length).toBeLessThanOrEqual(3);
	}
});

test('of more than 10,000 reviews the first are read and the others counted', async () => {
	const data = Array.from({ length: 10_050 }, (_, index) => ({ _id: `r-${index}`, pid: 'p-1', rtng: 5 }));
	const client = clientOf(JSON.stringify({ data, dataCount: { prtng: 10_050 } }));
	const { reviews, unreadableReviews, summary } = await client.getProductReviewData('p-1');
	expect(reviews).toHaveLength(10_000);
	expect(unreadableReviews).toBe(50);
	expect(summary.count).toBe(10_050);
});
