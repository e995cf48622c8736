import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { listenInTest } from 'product-reviews-test-support/listen';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fetchWhole } from '../../../src/service/fetch-whole.js';
import { rawReply, startRawSockets } from '../../support/service/raw-sockets.js';

const MEBIBYTE = 1_024 * 1_024;
const TEXT = JSON.stringify({ text: 'Größe: 5 ★ '.repeat(500) });
const LARGE = randomBytes(2 * MEBIBYTE).toString('base64');
const GZIP = { 'content-encoding': 'gzip' };

/** Gzip ends with the length of its content. */
function withLength(gzip: Buffer, length: number): Buffer {
	gzip.writeUInt32LE(length, gzip.length - 4);
	return gzip;
}

async function serve(answer: RequestListener): Promise<{ url: string; sockets: ReadonlySet<Socket> }> {
	const sockets = new Set<Socket>();
	const server = createServer(answer).on('connection', (socket) => sockets.add(socket));
	const { url } = await listenInTest(server);
	onTestFinished(() => server.closeAllConnections());
	return { url, sockets };
}

/** What comes of a request, whichever way it is sent. */
async function outcome(fetch: typeof fetchWhole, url: string, init: RequestInit = {}) {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const { status, statusText, headers } = response;
	const seen = {
		status,
		statusText,
		type: headers.get('content-type'),
		encoding: headers.get('content-encoding'),
		location: headers.get('location'),
		cookies: headers.getSetCookie(),
		hasBody: response.body !== null,
	};
	return { ...seen, text: await response.text().catch(() => 'an error') };
}

const builtIn = fetch as typeof fetchWhole;

describe('an answer is what the built-in fetch gives', () => {
	test.each<[string, number, Record<string, string | string[]>, (string | Buffer)?]>([
		['a text', 200, { 'content-type': 'application/json' }, TEXT],
		['nothing', 200, {}, ''],
		['gzip', 200, GZIP, gzipSync(TEXT)],
		['gzip by its old name', 200, { 'content-encoding': 'X-GZIP' }, gzipSync(TEXT)],
		['gzip in two parts', 200, GZIP, Buffer.concat([gzipSync(LARGE), gzipSync('end')])],
		['gzip that says it is shorter', 200, GZIP, withLength(gzipSync(TEXT), 3)],
		['gzip that says it is longer', 200, GZIP, withLength(gzipSync(TEXT), 2 ** 32 - 1)],
		['nothing that says it is gzip', 200, GZIP, ''],
		['what is no gzip', 200, GZIP, 'no gzip at all, but long enough for a header'],
		['brotli', 200, { 'content-encoding': 'br' }, brotliCompressSync(TEXT)],
		['deflate', 200, { 'content-encoding': 'deflate' }, deflateSync(TEXT)],
		['an encoding that nobody knows', 200, { 'content-encoding': 'rot13' }, TEXT],
		['a large text', 200, {}, LARGE],
		['a large text in gzip', 200, GZIP, gzipSync(LARGE)],
		['a text that is large when decompressed', 200, GZIP, gzipSync(Buffer.alloc(12 * MEBIBYTE, 'a'))],
		['a product that is not known', 404, { 'content-type': 'text/plain' }, 'There is no such product.'],
		['nothing new', 304, { etag: '"a"' }],
		['no content', 204, {}],
		['a redirect', 302, { location: '/elsewhere' }, 'moved'],
		['two cookies', 200, { 'set-cookie': ['a=1', 'b=2'] }, TEXT],
		['an error', 503, { 'retry-after': '5' }, 'busy'],
	])('%s', async (_what, status, headers, body) => {
		const { url } = await serve((_request, response) => response.writeHead(status, headers).end(body));
		const given = await outcome(fetchWhole, url);
		expect(given).toEqual(await outcome(builtIn, url));
		expect(given.status).toBe(status);
	});

	test('what is sent arrives', async () => {
		const { url } = await serve(async (request, response) => {
			let body = '';
			for await (const part of request) body += part;
			const { authorization, accept } = request.headers;
			response.end(JSON.stringify([request.method, request.url, authorization, accept, body]));
		});
		const headers = {
			authorization: 'Bearer a',
			accept: 'application/json',
			'content-type': 'application/json',
		};
		const init = { method: 'POST', headers, body: TEXT };
		const given = await outcome(fetchWhole, `${url}/a?b=%C3%A9`, init);
		expect(given).toEqual(await outcome(builtIn, `${url}/a?b=%C3%A9`, init));
		expect(JSON.parse(given.text)).toEqual(['POST', '/a?b=%C3%A9', 'Bearer a', 'application/json', TEXT]);
	});

	test.each([
		['a body', '1000', '{'],
		['a large body', String(LARGE.length + 1), LARGE],
	])(
		'%s that is cut short is an error of the body, also for one who reads it later',
		async (_what, length, sent) => {
			const { url } = await serve((_request, response) => {
				response.writeHead(200, { 'content-length': length }).write(sent, () => response.destroy());
			});
			expect(await outcome(fetchWhole, url)).toMatchObject({ status: 200, text: 'an error' });
			const response = await fetchWhole(url);
			await new Promise((resolve) => setTimeout(resolve, 20));
			await expect(response.text()).rejects.toThrow();
		},
	);
});

test.each([
	['a status above all', '999 x', ''],
	['a status below all', '099 x', ''],
	['a status of zeros', '000 x', ''],
	['a status of four digits', '1000 x', ''],
	['a reason with bytes that none may have', '200 a\x7fb\xff', ''],
	['a long reason', `200 ${'x'.repeat(5_000)}`, ''],
	['no reason', '200 ', ''],
	['an encoding with the name of a property', '200 OK', 'content-encoding: constructor\r\n'],
	['an encoding without a name', '200 OK', 'content-encoding: \r\n'],
	['an encoding of the transfer that nobody knows', '200 OK', 'transfer-encoding: rot13\r\n'],
	['a header without a name', '200 OK', ': x\r\n'],
	['a header with NUL', '200 OK', 'a: \0\r\n'],
	['headers without end', '200 OK', `a: ${'x'.repeat(70_000)}\r\n`],
	['two lengths', '200 OK', 'content-length: 3\r\n'],
	['a length below zero', '200 OK', 'content-length: -1\r\n'],
])('%s of a raw answer throws nothing outside of its promise', async (_what, statusLine, headers) => {
	const { url } = await startRawSockets(() => rawReply(statusLine, '{"a":1}', headers));
	const read = async (fetch: typeof fetchWhole) => {
		const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
		return [response.status, await response.text()];
	};
	const given = await read(fetchWhole).catch(() => undefined);
	// The built-in fetch throws at some that can be read.
	const expected = await read(builtIn).catch(() => given && [Number(statusLine.slice(0, 3)), '{"a":1}']);
	expect(given).toEqual(expected);
});

test('a connection that fails is an error with its code', async () => {
	const { url } = await serve((request) => request.socket.destroy());
	await expect(fetchWhole(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('answers that are read leave their connection to the next request', async () => {
	const { url, sockets } = await serve((_request, response) => response.writeHead(200).end(TEXT));
	for (let count = 0; count < 5; count++) await (await fetchWhole(url)).text();
	expect(sockets.size).toBe(1);
});

test('of a bomb no more is decompressed than its reader takes', async () => {
	const bomb = gzipSync(Buffer.alloc(100 * MEBIBYTE));
	const { url } = await serve((_request, response) => response.writeHead(200, GZIP).end(bomb));
	const reader = ((await fetchWhole(url)).body as ReadableStream<Uint8Array>).getReader();
	let bytes = 0;
	while (bytes < 2 * MEBIBYTE) bytes += (await reader.read()).value?.length ?? 0;
	await reader.cancel();
	expect(bytes).toBeLessThan(9 * MEBIBYTE);
});

test('a body that is cancelled closes its connection', async () => {
	const closed = Promise.withResolvers<void>();
	const { url } = await serve((_request, response) => {
		response.on('close', () => closed.resolve());
		response.writeHead(403).write('for ever');
	});
	const { status, body } = await fetchWhole(url);
	expect(status).toBe(403);
	await body?.cancel();
	await closed.promise;
});

describe('the signal', () => {
	const reason = new Error('enough');

	test.each<[string, RequestListener]>([
		['before there are headers', () => {}],
		['while the body comes', (_request, response) => void response.writeHead(200).write('{')],
		['while a large body comes', (_request, response) => void response.writeHead(200).write(LARGE)],
	])('ends a request %s', async (_when, answer) => {
		const { url } = await serve(answer);
		const read = async () => (await fetchWhole(url, { signal: AbortSignal.timeout(50) })).text();
		await expect(read()).rejects.toThrow();
	});

	test('is the reason of a request that it ends', async () => {
		const { url, sockets } = await serve(() => {});
		await expect(fetchWhole(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		expect(sockets.size).toBe(0);
	});
});
