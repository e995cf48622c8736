import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { fetchWhole } from '../../../src/service/fetch-whole.js';
import { rawReply, startRawSockets } from '../../support/service/raw-sockets.js';

const MEBIBYTE = 1_024 * 1_024;
const TEXT = JSON.stringify({ text: 'Größe: 5 ★ '.repeat(500) });
const LARGE = randomBytes(2 * MEBIBYTE).toString('base64');

/** Gzip ends with the length of its content. */
function withLength(gzip: Buffer, length: number): Buffer {
	gzip.writeUInt32LE(length, gzip.length - 4);
	return gzip;
}

const closers: (() => void)[] = [];
afterEach(() => {
	for (const close of closers.splice(0)) close();
});

async function serve(answer: RequestListener): Promise<{ url: string; sockets: ReadonlySet<Socket> }> {
	const sockets = new Set<Socket>();
	const server = createServer(answer).on('connection', (socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	closers.push(() => {
		server.close();
		server.closeAllConnections();
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
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

describe('an answer is what the built-in fetch gives', () => {
	test.each<[string, number, Record<string, string | string[]>, (string | Buffer)?]>([
		['a text', 200, { 'content-type': 'application/json' }, TEXT],
		['nothing', 200, {}, ''],
		['gzip', 200, { 'content-encoding': 'gzip' }, gzipSync(TEXT)],
		['gzip by its old name', 200, { 'content-encoding': 'X-GZIP' }, gzipSync(TEXT)],
		[
			'gzip in two parts',
			200,
			{ 'content-encoding': 'gzip' },
			Buffer.concat([gzipSync(LARGE), gzipSync('end')]),
		],
		['gzip that says it is shorter', 200, { 'content-encoding': 'gzip' }, withLength(gzipSync(TEXT), 3)],
		[
			'gzip that says it is longer',
			200,
			{ 'content-encoding': 'gzip' },
			withLength(gzipSync(TEXT), 2 ** 32 - 1),
		],
		['nothing that says it is gzip', 200, { 'content-encoding': 'gzip' }, ''],
		['brotli', 200, { 'content-encoding': 'br' }, brotliCompressSync(TEXT)],
		['deflate', 200, { 'content-encoding': 'deflate' }, deflateSync(TEXT)],
		['an encoding that nobody knows', 200, { 'content-encoding': 'rot13' }, TEXT],
		['what is no gzip', 200, { 'content-encoding': 'gzip' }, 'no gzip at all, but long enough for a header'],
		['a large text', 200, {}, LARGE],
		['a large text in gzip', 200, { 'content-encoding': 'gzip' }, gzipSync(LARGE)],
		[
			'a text that is large when it is decompressed',
			200,
			{ 'content-encoding': 'gzip' },
			gzipSync(Buffer.alloc(12 * MEBIBYTE, 'a')),
		],
		['a product that is not known', 404, { 'content-type': 'text/plain' }, 'There is no such product.'],
		['nothing new', 304, { etag: '"a"' }],
		['no content', 204, {}],
		['a redirect', 302, { location: '/elsewhere' }, 'moved'],
		['two cookies', 200, { 'set-cookie': ['a=1', 'b=2'] }, TEXT],
		['an error', 503, { 'retry-after': '5' }, 'busy'],
	])('%s', async (_what, status, headers, body) => {
		const { url } = await serve((_request, response) => response.writeHead(status, headers).end(body));
		const given = await outcome(fetchWhole, url);
		expect(given).toEqual(await outcome(fetch as typeof fetchWhole, url));
		expect(given.status).toBe(status);
	});

	test('what is sent arrives', async () => {
		const { url } = await serve(async (request, response) => {
			let body = '';
			for await (const part of request) body += part;
			const { authorization, accept } = request.headers;
			response.end(JSON.stringify([request.method, request.url, authorization, accept, body]));
		});
		const init = {
			method: 'POST',
			headers: { authorization: 'Bearer a', accept: 'application/json', 'content-type': 'application/json' },
			body: TEXT,
		};
		const given = await outcome(fetchWhole, `${url}a?b=%C3%A9`, init);
		expect(given).toEqual(await outcome(fetch as typeof fetchWhole, `${url}a?b=%C3%A9`, init));
		expect(JSON.parse(given.text)).toEqual(['POST', '/a?b=%C3%A9', 'Bearer a', 'application/json', TEXT]);
	});

	test.each<[string, RequestListener]>([
		[
			'a body that is cut short',
			(_request, response) => {
				response.writeHead(200, { 'content-length': '1000' }).write('{');
				setTimeout(() => response.destroy(), 20);
			},
		],
		[
			'a large body that is cut short',
			(_request, response) => {
				response.writeHead(200, { 'content-length': String(LARGE.length + 1) }).write(LARGE);
				setTimeout(() => response.destroy(), 50);
			},
		],
	])('%s is an error of the body', async (_what, answer) => {
		const { url } = await serve(answer);
		expect(await outcome(fetchWhole, url)).toMatchObject({ status: 200, text: 'an error' });
	});
});

describe('nothing that a raw answer holds is thrown outside of its promise', () => {
	const BODY = '{"a":1}';

	test.each([600, 999])('the status %i is what the built-in fetch gives', async (status) => {
		const { url } = await startRawSockets(() => rawReply(`${status} x`, BODY));
		const given = await outcome(fetchWhole, url);
		expect(given).toEqual(await outcome(fetch as typeof fetchWhole, url));
		expect(given).toMatchObject({ status, text: BODY });
	});

	test.each([
		['000', 0],
		['099', 99],
	])('so is the status %s, which the built-in fetch throws at', async (sent, status) => {
		const { url } = await startRawSockets(() => rawReply(`${sent} x`, BODY));
		const response = await fetchWhole(url);
		expect([response.status, response.ok, await response.text()]).toEqual([status, false, BODY]);
	});

	test.each([
		['a\x7fb', 'ab'],
		['\x80\xff', '\x80\xff'],
		['\t', '\t'],
		['', ''],
		['x'.repeat(5_000), 'x'.repeat(5_000)],
	])('the reason %j', async (reason, statusText) => {
		const { url } = await startRawSockets(() => rawReply(`200 ${reason}`, BODY));
		const response = await fetchWhole(url);
		expect([response.status, response.statusText, await response.text()]).toEqual([200, statusText, BODY]);
	});

	test.each(['constructor', '__proto__', 'toString', 'gzip;q=1', '*', ''])(
		'an encoding of the name %j',
		async (encoding) => {
			const { url } = await startRawSockets(() =>
				rawReply('200 OK', BODY, `content-encoding: ${encoding}\r\n`),
			);
			expect(await (await fetchWhole(url)).text()).toBe(BODY);
		},
	);

	test.each([
		['a switch of protocols', '101 Switching Protocols', ''],
		['four digits', '1000 x', ''],
		['a header without a name', '200 OK', ': x\r\n'],
		['a header with a space in its name', '200 OK', 'a b: x\r\n'],
		['a header with NUL', '200 OK', 'a: \0\r\n'],
		['two lengths', '200 OK', 'content-length: 3\r\n'],
		['a length below zero', '200 OK', 'content-length: -1\r\n'],
		['a length that is no number', '200 OK', 'content-length: 0x10\r\n'],
		['an encoding of the transfer that nobody knows', '200 OK', 'transfer-encoding: rot13\r\n'],
		['headers without end', '200 OK', `a: ${'x'.repeat(70_000)}\r\n`],
	])('%s ends in its own promise', async (_what, statusLine, headers) => {
		const { url } = await startRawSockets(() => rawReply(statusLine, BODY, headers));
		const read = async () => (await fetchWhole(url, { signal: AbortSignal.timeout(2_000) })).text();
		await read().catch((error) => expect(error).toBeInstanceOf(Error));
	});

	test('an answer whose connection ends before anybody reads it', async () => {
		const { url } = await serve((_request, response) => {
			response.writeHead(200, { 'content-length': '1000' }).write('{');
			setTimeout(() => response.destroy(), 20);
		});
		const response = await fetchWhole(url, { signal: AbortSignal.timeout(2_000) });
		await new Promise((resolve) => setTimeout(resolve, 100));
		const started = performance.now();
		await expect(response.text()).rejects.toThrow();
		expect(performance.now() - started).toBeLessThan(1_000);
	});
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

test('answers that come together are read in turns, and others have theirs in between', async () => {
	const waiting: (() => void)[] = [];
	const { url } = await serve((_request, response) => {
		waiting.push(() => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(TEXT)));
		if (waiting.length === 8) for (const answer of waiting) answer();
	});
	let turns = 0;
	let isOver = false;
	const takeTurns = () => {
		turns += 1;
		if (!isOver) setImmediate(takeTurns);
	};
	const responses = await Promise.all(Array.from({ length: 8 }, () => fetchWhole(url)));
	takeTurns();
	const readIn = await Promise.all(responses.map((response) => response.text().then(() => turns)));
	isOver = true;
	expect(new Set(readIn).size).toBe(8);
});

test('of a bomb no more is decompressed than its reader takes', async () => {
	const { url } = await serve((_request, response) =>
		response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100 * MEBIBYTE))),
	);
	const { body } = await fetchWhole(url);
	const before = process.memoryUsage().rss;
	const reader = (body as ReadableStream<Uint8Array>).getReader();
	let bytes = 0;
	while (bytes < 2 * MEBIBYTE) bytes += (await reader.read()).value?.length ?? 0;
	await reader.cancel();
	expect(bytes).toBeLessThan(9 * MEBIBYTE);
	expect(process.memoryUsage().rss - before).toBeLessThan(60 * MEBIBYTE);
});

test('a body that is cancelled closes its connection', async () => {
	const closed = Promise.withResolvers<void>();
	const { url } = await serve((_request, response) => {
		response
			.on('close', () => closed.resolve())
			.writeHead(403)
			.write('for ever');
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
		const controller = new AbortController();
		setTimeout(() => controller.abort(reason), 50);
		const read = async () => (await fetchWhole(url, { signal: controller.signal })).text();
		await expect(read()).rejects.toThrow();
	});

	test('is the reason of a request that it ends', async () => {
		const { url, sockets } = await serve(() => {});
		await expect(fetchWhole(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
		expect(sockets.size).toBe(0);
	});
});
