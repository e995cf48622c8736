import { getEventListeners } from 'node:events';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { errorOf } from 'product-reviews-test-support/promises';
import { describe, expect, test } from 'vitest';
import { ReviewsResponseError, ReviewsTimeoutError } from '../../src/index.js';
import { crawlerPayload } from '../support/payloads.js';
import { answerWell, type Behaviour, sendStatus, startServer } from '../support/server.js';
import { useSetup } from '../support/setup.js';
import { startStub } from '../support/stub.js';

const setup = useSetup();
const MEBIBYTE = 1024 * 1024;

/** Begins an answer with this status, of which a blank comes now and then, for ever. */
const trickling =
	(status: number): Behaviour =>
	(response) => {
		response.writeHead(status, { 'content-type': 'application/json' });
		const timer = setInterval(() => response.write(' '), 10);
		response.on('close', () => clearInterval(timer));
	};

describe('time', () => {
	test('no headers ever: each try ends after the time-out', async () => {
		setup.server.answer(() => {});
		const error = await errorOf(setup.client({ timeout: 100, retries: 2 }).getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsTimeoutError);
		expect(error).toMatchObject({ scope: 'try', limit: 100, attempts: 3 });
		expect(error).not.toHaveProperty('cause');
		expect(setup.events).toHaveLength(3);
	});

	test('an endless trickle: the time-out covers the body', async () => {
		setup.server.answer(trickling(200));
		const error = await errorOf(setup.client({ timeout: 1_000, retries: 0 }).getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsTimeoutError', scope: 'try', attempts: 1, status: 200 });
		expect(setup.events[0]?.bytes).toBeGreaterThan(0);
	});

	test('an endless error body does not hide its status', async () => {
		setup.server.answer(trickling(403));
		const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsHttpError', status: 403, attempts: 1 });
	});

	test('the deadline ends an operation in the middle of a try', async () => {
		setup.server.answer(() => {});
		const error = await errorOf(setup.client({ deadline: 100 }).getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsTimeoutError', scope: 'deadline', limit: 100, attempts: 1 });
		expect(setup.events).toHaveLength(1);
		expect(setup.events[0]?.error).toBe(error);
	});

	test('the deadline ends a token function that never answers, and a fetch that takes no notice', async () => {
		const never = () => new Promise<never>(() => {});
		const noToken = await errorOf(setup.client({ token: never, deadline: 20 }).getProductReviewData('p-1'));
		expect(noToken).toMatchObject({ scope: 'deadline', attempts: 0 });
		const deaf = await errorOf(setup.client({ fetch: never, deadline: 20 }).getCrawlerReviews('p-1'));
		expect(deaf).toMatchObject({ scope: 'deadline', attempts: 1 });
	});
});

describe('size', () => {
	test('a body of 50 MB is left at the limit', async () => {
		const left = Promise.withResolvers<boolean>();
		setup.server.answer((response) => {
			response.on('close', () => left.resolve(!response.writableFinished));
			response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(50 * MEBIBYTE, ' '));
		});
		const error = await errorOf(setup.client({ maxResponseBytes: 2 * MEBIBYTE }).getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ reason: 'too-large', attempts: 1 });
		expect(setup.events[0]?.bytes).toBeLessThan(3 * MEBIBYTE);
		expect(await left.promise).toBe(true);
	});

	test.each([
		['gzip', gzipSync(Buffer.alloc(50 * MEBIBYTE))],
		['br', brotliCompressSync(Buffer.alloc(20 * MEBIBYTE))],
	])('a %s bomb is counted after decompression', async (encoding, bomb) => {
		expect(bomb.length).toBeLessThan(MEBIBYTE);
		setup.server.answer((response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb));
		const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ reason: 'too-large' });
		expect(setup.events[0]?.bytes).toBeLessThan(9 * MEBIBYTE);
	});

	test('a body of exactly the limit is read', async () => {
		const limit = Buffer.byteLength(JSON.stringify(crawlerPayload('p-1')));
		await setup.client({ maxResponseBytes: limit }).getCrawlerReviews('p-1');
		const tooLarge = setup.client({ maxResponseBytes: limit - 1 }).getCrawlerReviews('p-1');
		expect(await errorOf(tooLarge)).toMatchObject({ reason: 'too-large' });
	});
});

describe('content', () => {
	test.each<[string, Record<string, string>, Buffer | string, string]>([
		['an html page', { 'content-type': 'text/html' }, '<!doctype html><p>Hello', 'not-json'],
		['nothing', { 'content-type': 'application/json' }, '', 'not-json'],
		['half of a JSON', { 'content-type': 'application/json' }, '{"pid":', 'not-json'],
		['a JSON string', {}, '"hello"', 'schema'],
		['null', {}, 'null', 'schema'],
		['bytes that are not UTF-8', {}, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 'not-utf8'],
		['a cut UTF-8 sequence', {}, Buffer.from([0x22, 0xe2, 0x82]), 'not-utf8'],
		['chained encodings', { 'content-encoding': 'gzip, gzip' }, gzipSync(gzipSync('{}')), 'content-encoding'],
	])('%s is refused, and not asked for again', async (_what, headers, body, reason) => {
		setup.server.answer((response) => response.writeHead(200, headers).end(body));
		const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsResponseError);
		expect(error).toMatchObject({ reason, attempts: 1, status: 200 });
		expect(setup.server.calls).toHaveLength(1);
	});

	test.each([
		['gzip', gzipSync],
		['br', brotliCompressSync],
	])('%s is read', async (encoding, compress) => {
		const body = compress(JSON.stringify(crawlerPayload('p-é')));
		setup.server.answer((response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
		expect(await setup.client().getCrawlerReviews('p-é')).toMatchObject({ pid: 'p-é' });
	});
});

describe('"no reviews" is believed only from the service itself', () => {
	const sendNotFound = (body: string, type = 'application/json') =>
		setup.server.answer((response) => response.writeHead(404, { 'content-type': type }).end(body));

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
	test.each([301, 302, 303, 307, 308])(
		'%i is not followed: no host gets request or token',
		async (status) => {
			const other = await startServer();
			setup.server.answer((response) =>
				sendStatus(response, status, { location: `${other.origin}/api/llmRvwHTML?secret=1` }),
			);
			const client = setup.client({ sendTokenForReviews: true });
			for (const asked of [client.getCrawlerReviews('p-1'), client.getProductReviewData('p-1')]) {
				const error = await errorOf(asked);
				expect(error).toMatchObject({ reason: 'redirect', status, attempts: 1 });
				expect(error.message).toContain(`the service redirects to ${other.origin}, which is not followed`);
				expect(String(error)).not.toContain('secret=1');
			}
			expect(other.calls).toHaveLength(0);
			expect(setup.server.calls).toHaveLength(2);
			await other.close();
		},
	);

	test.each([undefined, 'http://'])('to %j, too', async (location) => {
		setup.server.answer((response) => sendStatus(response, 302, location ? { location } : {}));
		const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
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
		expect(setup.server.calls).toHaveLength(0);
	});

	test('aborted in a request: its reason, and no retry', async () => {
		const controller = new AbortController();
		setup.server.answer(() => controller.abort());
		const error = await errorOf(setup.client().getProductReviewData('p-1', { signal: controller.signal }));
		expect(error).toBe(controller.signal.reason);
		expect(setup.server.calls).toHaveLength(1);
	});

	test('aborted in a wait: at once', async () => {
		setup.server.answer((response) => sendStatus(response, 503, { 'retry-after': '30' }));
		const controller = new AbortController();
		const onRequest = () => setTimeout(() => controller.abort('over'), 10);
		const client = setup.client({ now: Date.now, sleep: undefined, onRequest });
		expect(await errorOf(client.getCrawlerReviews('p-1', { signal: controller.signal }))).toBe('over');
		expect(setup.server.calls).toHaveLength(1);
	});
});

test('no listener is left on the signal, and no timer that keeps the process alive', async () => {
	setup.server.answer((response, call, count) =>
		count % 2 === 1 ? sendStatus(response, 503) : answerWell(response, call, count),
	);
	const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
	const before = timers();
	const { signal } = new AbortController();
	const patient = { timeout: 2_000_000_000, deadline: 2_000_000_000 };
	const client = setup.client({ ...patient, now: Date.now, sleep: undefined, random: () => 0.01 });
	await client.getCrawlerReviews('p-1', { signal });
	await client.getStarRatings(['p-1'], { signal });
	expect(setup.server.calls).toHaveLength(4);
	expect(getEventListeners(signal, 'abort')).toEqual([]);
	expect(timers()).toBeLessThanOrEqual(before);
});

test('answers of 404 keep their connection for the next request', async () => {
	const sockets = new Set<unknown>();
	setup.server.answer((response) => {
		sockets.add(response.socket);
		response.writeHead(404).write('{"error":');
		setTimeout(() => response.end('"not found"}'), 3);
	});
	const client = setup.client();
	for (let index = 0; index < 20; index += 1) await client.getCrawlerReviews(`p-${index}`);
	// A runtime may open a second one before it has put the first one back.
	expect(sockets.size).toBeLessThanOrEqual(2);
});

/** A client whose service sends this body. */
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
