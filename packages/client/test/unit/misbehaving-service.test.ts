import { brotliCompressSync, gzipSync } from 'node:zlib';
import { errorOf } from 'product-reviews-test-support/error-of';
import { collectGarbage } from 'product-reviews-test-support/memory';
import { describe, expect, test, vi } from 'vitest';
import { ReviewsResponseError, ReviewsTimeoutError } from '../../src/index.js';
import { crawlerPayload } from '../support/payloads.js';
import { answerWell, sendStatus, startServer } from '../support/server.js';
import { useSetup } from '../support/setup.js';

const setup = useSetup();
const MEBIBYTE = 1024 * 1024;

describe('time', () => {
	test('no headers ever: each try ends after the time-out', async () => {
		setup.server.answer(() => {});
		const error = await errorOf(setup.client({ timeout: 300, retries: 2 }).getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsTimeoutError);
		expect(error).toMatchObject({ scope: 'try', limit: 300, attempts: 3 });
		expect(error).not.toHaveProperty('cause');
		expect(setup.server.calls).toHaveLength(3);
	});

	test('an endless trickle: the time-out covers the body', async () => {
		setup.server.answer((response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const timer = setInterval(() => response.write(' '), 10);
			response.on('close', () => clearInterval(timer));
		});
		const error = await errorOf(setup.client({ timeout: 400, retries: 1 }).getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsTimeoutError', attempts: 2, status: 200 });
		expect(setup.events[0]?.bytes).toBeGreaterThan(0);
	});

	test('an endless error body does not hide its status', async () => {
		setup.server.answer((response) => {
			response.writeHead(403);
			const timer = setInterval(() => response.write(' '), 10);
			response.on('close', () => clearInterval(timer));
		});
		expect(await errorOf(setup.client().getCrawlerReviews('p-1'))).toMatchObject({
			status: 403,
			attempts: 1,
		});
	});

	test('the deadline ends an operation in the middle of a try', async () => {
		setup.server.answer(() => {});
		const error = await errorOf(setup.client({ deadline: 300 }).getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsTimeoutError', scope: 'deadline', limit: 300, attempts: 1 });
		expect(setup.server.calls).toHaveLength(1);
		expect(setup.events[0]?.error).toBe(error);
	});

	test('the deadline ends a token function that never answers, and a fetch that takes no notice', async () => {
		const never = () => new Promise<never>(() => {});
		const noToken = setup.client({ token: never, deadline: 20 });
		expect(await errorOf(noToken.getProductReviewData('p-1'))).toMatchObject({
			scope: 'deadline',
			attempts: 0,
		});
		const deaf = setup.client({ fetch: never, deadline: 20 });
		expect(await errorOf(deaf.getCrawlerReviews('p-1'))).toMatchObject({ scope: 'deadline', attempts: 1 });
	});
});

describe('size', () => {
	test('a body of 20 MB is left at the limit', async () => {
		const chunk = Buffer.alloc(MEBIBYTE, ' ');
		let sent = 0;
		setup.server.answer((response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const write = () => {
				while (sent < 20 && !response.destroyed) {
					sent += 1;
					if (!response.write(chunk)) return void response.once('drain', write);
				}
				response.end();
			};
			write();
		});
		const error = await errorOf(setup.client({ maxResponseBytes: 2 * MEBIBYTE }).getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ reason: 'too-large', attempts: 1 });
		expect(setup.events[0]?.bytes).toBeLessThan(3 * MEBIBYTE);
		expect(sent).toBeLessThan(20);
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
		const maxResponseBytes = Buffer.byteLength(JSON.stringify(crawlerPayload('p-1')));
		await setup.client({ maxResponseBytes }).getCrawlerReviews('p-1');
		const error = await errorOf(
			setup.client({ maxResponseBytes: maxResponseBytes - 1 }).getCrawlerReviews('p-1'),
		);
		expect(error).toMatchObject({ reason: 'too-large' });
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

	test.each(['gzip', 'br'] as const)('%s is read', async (encoding) => {
		const compress = encoding === 'gzip' ? gzipSync : brotliCompressSync;
		const body = compress(JSON.stringify(crawlerPayload('p-é')));
		setup.server.answer((response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
		expect(await setup.client().getCrawlerReviews('p-é')).toMatchObject({ pid: 'p-é' });
	});
});

describe('"no reviews" is believed only from the service itself', () => {
	const sendNotFound = (body: string, type?: string) =>
		setup.server.answer((response) =>
			response.writeHead(404, type === undefined ? {} : { 'content-type': type }).end(body),
		);

	test.each<[string, string, string?]>([
		["a gateway's page", '<html><center>nginx</center></html>', 'text/html'],
		['nothing', ''],
		['nothing that says it is JSON', '', 'application/json'],
		['a sentence', 'default backend - 404', 'text/plain'],
		['JSON that is only the status', '404', 'application/json'],
		['a JSON string', '"not found"', 'application/json'],
		['a JSON list', '[]', 'application/json'],
		['null', 'null', 'application/json'],
		['half of a JSON', '{"error":', 'application/json'],
		['more than a sentence', JSON.stringify({ page: 'x'.repeat(70_000) }), 'application/json'],
	])('a 404 with %s is a failure of every operation, and not asked for again', async (_what, body, type) => {
		sendNotFound(body, type);
		const client = setup.client();
		for (const asked of [
			client.getCrawlerReviews('p-1'),
			client.getProductReviewData('p-1'),
			client.getStarRatings(['p-1']),
		]) {
			const error = await errorOf(asked);
			expect(error).toBeInstanceOf(ReviewsResponseError);
			expect(error).toMatchObject({ reason: 'foreign', status: 404, attempts: 1 });
			expect((error as Error).message).toContain('404 from something other than the service');
		}
	});

	test('a 404 with a JSON object is believed, whatever its content type', async () => {
		sendNotFound('{"message":"no such product"}', 'text/plain');
		expect((await setup.client().getCrawlerReviews('p-1')).aggregate.count).toBe(0);
	});
});

describe('redirects', () => {
	const redirect = (status: number, location: string) =>
		setup.server.answer((response, call, count) => {
			if (call.url.startsWith('/moved'))
				return answerWell(response, { ...call, path: '/api/llmRvwHTML' }, count);
			sendStatus(response, status, { location });
		});

	test.each([301, 302, 303, 307, 308])('a GET follows %i to the same origin', async (status) => {
		redirect(status, '/moved?pid=p-1');
		expect(await setup.client().getCrawlerReviews('p-1')).toMatchObject({ pid: 'p-1' });
		expect(setup.server.calls.map((call) => call.method)).toEqual(['GET', 'GET']);
	});

	test.each([307, 308])('a POST follows %i and stays one', async (status) => {
		setup.server.answer((response, call, count) => {
			if (call.path === '/v2') {
				return answerWell(response, { ...call, path: '/api/v1/getProductReviewData' }, count);
			}
			sendStatus(response, status, { location: `${setup.server.origin}/v2` });
		});
		expect(await setup.client().getProductReviewData('p-1')).toMatchObject({ pid: 'p-1' });
		expect(setup.server.calls[1]).toMatchObject({ method: 'POST', body: { productId: 'p-1' } });
	});

	test.each([301, 302, 303])('a POST does not follow %i', async (status) => {
		redirect(status, '/moved');
		const error = await errorOf(setup.client().getProductReviewData('p-1'));
		expect(error).toMatchObject({ reason: 'redirect', status, attempts: 1 });
		expect(setup.server.calls).toHaveLength(1);
	});

	test('another host gets neither request nor token', async () => {
		const other = await startServer();
		redirect(307, `${other.origin}/api/llmRvwHTML?secret=1`);
		const client = setup.client({ authorizeCrawlerReviews: true });
		const error = await errorOf(client.getCrawlerReviews('p-1'));
		expect(error).toMatchObject({
			reason: 'redirect',
			attempts: 1,
			message: expect.stringContaining(other.origin),
		});
		expect(String(error)).not.toContain('secret=1');
		expect(other.calls).toHaveLength(0);
		expect(setup.server.calls).toHaveLength(1);
		await other.close();
	});

	test.each([
		['', 'with no address'],
		['http://', 'with no address'],
		['ftp://127.0.0.1/', 'to another origin'],
		['//evil.example/', 'to another origin, http://evil.example'],
		['https://127.0.0.1/', 'to another origin'],
	])('%j is not followed', async (location, said) => {
		setup.server.answer((response) => sendStatus(response, 302, location ? { location } : {}));
		const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
		expect(error).toMatchObject({ reason: 'redirect', message: expect.stringContaining(said) });
	});

	test('a circle ends after three redirects', async () => {
		redirect(302, '/around');
		expect(await errorOf(setup.client().getCrawlerReviews('p-1'))).toMatchObject({ reason: 'redirect' });
		expect(setup.server.calls).toHaveLength(4);
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
		setup.server.answer(() => controller.abort());
		const controller = new AbortController();
		const error = await errorOf(setup.client().getProductReviewData('p-1', { signal: controller.signal }));
		expect(error).toBe(controller.signal.reason);
		expect(setup.server.calls).toHaveLength(1);
	});

	test('aborted in a wait: at once', async () => {
		setup.server.answer((response) => sendStatus(response, 503, { 'retry-after': '30' }));
		const controller = new AbortController();
		const client = setup.client({
			now: Date.now,
			sleep: undefined,
			onRequest: () => setTimeout(() => controller.abort('over'), 10),
		});
		expect(await errorOf(client.getCrawlerReviews('p-1', { signal: controller.signal }))).toBe('over');
	});
});

test('no timer and no listener is left behind', async () => {
	setup.server.answer((response, call, count) =>
		count === 1 ? sendStatus(response, 500) : answerWell(response, call, count),
	);
	const set = vi.spyOn(globalThis, 'setTimeout');
	const clear = vi.spyOn(globalThis, 'clearTimeout');
	const { signal } = new AbortController();
	const listen = vi.spyOn(signal, 'addEventListener');
	const unlisten = vi.spyOn(signal, 'removeEventListener');
	const client = setup.client({
		timeout: 7_777,
		deadline: 8_888,
		sleep: async () => {},
		now: () => 0,
		random: () => 0,
	});
	await client.getCrawlerReviews('p-1', { signal });
	await new Promise((resolve) => setImmediate(resolve));
	const ours = set.mock.calls.flatMap(([, delay], index) =>
		[7_777, 8_888, 250].includes(delay ?? 0) ? [set.mock.results[index]?.value] : [],
	);
	const cleared = new Set(clear.mock.calls.map(([timer]) => timer));
	vi.restoreAllMocks();
	expect(ours).toHaveLength(4);
	expect(ours.filter((timer) => !cleared.has(timer))).toEqual([]);
	expect(listen).toHaveBeenCalled();
	const listeners = (spy: { mock: { calls: unknown[][] } }) =>
		new Set(spy.mock.calls.map(([, listener]) => listener));
	expect(listeners(unlisten)).toEqual(listeners(listen));
});

test('what was removed from the signal reaches no answer: Node may hold on to it', async () => {
	setup.server.answer(answerWell);
	const { signal } = new AbortController();
	const listeners: unknown[] = [];
	signal.addEventListener = (...given: Parameters<EventTarget['addEventListener']>) => {
		listeners.push(given[1]);
		EventTarget.prototype.addEventListener.apply(signal, given);
	};
	const client = setup.client();
	const ask = async () => new WeakRef(await client.getCrawlerReviews('p-1', { signal }));
	const answer = await ask();
	const isThere = () => {
		collectGarbage();
		return answer.deref() !== undefined;
	};
	await expect.poll(isThere).toBe(false);
	expect(listeners).not.toEqual([]);
});

test('answers of 404 and 503 keep their connection for the next request', async () => {
	const sockets = new Set<unknown>();
	setup.server.answer((response, _call, count) => {
		sockets.add(response.socket);
		response.writeHead(count < 4 ? 503 : 404).write('{"error":');
		setTimeout(() => response.end('"not found"}'), 3);
	});
	const client = setup.client();
	for (let index = 0; index < 20; index += 1) await client.getCrawlerReviews(`p-${index}`);
	// A runtime may open a second one before it has put the first one back.
	expect(sockets.size).toBeLessThanOrEqual(2);
});

test('what onRequest throws ends the operation', async () => {
	const client = setup.client({
		onRequest: () => {
			throw new Error('observer');
		},
	});
	expect(await errorOf(client.getCrawlerReviews('p-1'))).toMatchObject({ message: 'observer' });
});
