import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import express from 'express';
import { listenInTest } from 'product-reviews-test-support/listen';
import { eventOf, messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
	type Change,
	createMemoryLog,
	createWebhookHandler,
	hmac,
	type RebuildRequest,
	sharedHeader,
	sharedQuery,
	standardWebhooks,
} from '../../../src/index.js';
import { type ReceiverOptions, startReceiver, toNodeHandler } from '../../../src/node/index.js';
import { changeOf } from '../../support/collecting.js';

const KEY = 'canary-key-of-the-tests';

const PATHS = ['/', '/reviews', '/größe', '/a%20b', 'reviews'];
test.each(PATHS)('an event at %s ends in a rebuild, and nothing else is taken', async (path) => {
	const { url, port, rebuilds } = await receiving({ path, debounce: 20 });
	expect(await send(url)).toBe(202);
	for (const other of ['other', 'healthz/'])
		expect(await send(`http://127.0.0.1:${port}/${other}`)).toBe(404);
	await expect.poll(() => rebuilds).toMatchObject([{ pids: ['p-1'], all: false }]);
});

describe('the status', () => {
	const ask = (port: number, host: string, path = '/status') =>
		talk(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

	test('says what waits and what failed, without output of the build, product or secret', async () => {
		const rebuild = () => Promise.reject(new Error('The command ended with 1.\ncanary of the output'));
		const { url, port } = await receiving({ debounce: 20, retryAfter: 60_000, rebuild });
		await send(url);
		const status = async () => (await fetch(`http://127.0.0.1:${port}/status`)).json();
		const time = expect.stringMatching(/^\d{4}-.*Z$/);
		await expect.poll(status).toMatchObject({
			...{ waiting: { products: 1, all: false }, isRebuilding: false, nextRebuildAt: time },
			lastRebuild: { products: 1, error: 'The command ended with 1.', endedAt: time },
			counts: { changes: 1, rebuilds: 0, failures: 1 },
		});
		const text = JSON.stringify(await status());
		for (const secret of ['canary', SECRET.slice(6), 'p-1']) expect(text).not.toContain(secret);
	});

	test.each([
		['127.0.0.1', ['localhost', '127.0.0.1:4500', 'LOCALHOST:1', '[::1]:4500', '192.168.1.5'], 200],
		// A name that its owner made point here, as in DNS rebinding.
		['127.0.0.1', ['attacker.example', '127.0.0.1.attacker.example', '', 'a b'], 403],
		['0.0.0.0', ['192.168.1.5:4500', 'localhost'], 200],
		['0.0.0.0', ['attacker.example', 'attacker.example:4500'], 403],
	])('of a receiver at %s is told to those who ask for %j: %i', async (host, names, status) => {
		const { port } = await receiving({ host });
		for (const name of names) {
			const answer = await ask(port, name);
			expect(answer.includes('waiting')).toBe(status === 200);
			expect(answer).toMatch(status === 200 ? /^HTTP\/1\.1 200 / : /^HTTP\/1\.1 40[03] /);
			if (name.includes('.')) expect(await ask(port, name, '/healthz')).toMatch(/ 200 .*"status":"ok"/s);
		}
	});
});

test('a receiver that cannot listen rebuilds nothing, and lets its log go', async () => {
	const { port } = await listenInTest(createServer());
	const memory = createMemoryLog();
	await memory.record(changeOf(['left'], Date.now() - 1_000_000));
	const events: string[] = [];
	const start = startReceiver({
		verify: standardWebhooks(SECRET),
		log: { ...memory, close: async () => void events.push('closed') },
		rebuild: async () => void events.push('rebuilt'),
		port,
	});
	await expect(start).rejects.toThrow('EADDRINUSE');
	expect(events).toEqual(['closed']);
});

test('a log of changes that cannot be read: the receiver is not healthy, and says so', async () => {
	const broken = { ...createMemoryLog(), waiting: () => Promise.reject(new Error('unreadable')) };
	const { url, lines } = await receiving({ log: broken });
	for (const path of ['/healthz', '/status']) expect((await fetch(new URL(path, url))).status).toBe(503);
	expect(lines).toEqual(['The waiting changes cannot be used: unreadable. Trying again every 10.0 s.']);
});

const THROWN = [undefined, null, 'no disk', new Error('no disk')];
test.each(THROWN)(
	'a change that cannot be taken down is answered 503, and the log says why: %s',
	async (thrown) => {
		const log = { ...createMemoryLog(), record: () => Promise.reject(thrown) };
		const { url, lines } = await receiving({ log });
		expect(await send(url)).toBe(503);
		expect(lines).toEqual([expect.stringContaining(thrown ? 'no disk' : String(thrown))]);
	},
);

test('close refuses what comes, waits for the rebuild, and for no connection that is kept open', async () => {
	const rebuild = Promise.withResolvers<void>();
	const { url, close, collector } = await receiving({ debounce: 10, rebuild: () => rebuild.promise });
	await send(url);
	await expect.poll(async () => (await collector.status()).isRebuilding).toBe(true);
	const events: string[] = [];
	const closed = close().then(() => events.push('closed'));
	await expect(send(url)).rejects.toThrow();
	events.push('refused');
	rebuild.resolve();
	await closed;
	expect(events).toEqual(['refused', 'closed']);
	expect((await collector.status()).counts.rebuilds).toBe(1);
});

test.each([
	'POST / HTTP/1.1\r\nHost: localhost\r\n',
	'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
])('a slow sender is cut off when its time is over, not at the next look of Node: %j', async (text) => {
	const { port } = await receiving({ requestTimeout: 300 });
	expect(await talk(port, text)).toContain('HTTP/1.1 408 Request Timeout');
});

describe('with another receiver to forward to', () => {
	async function startSite() {
		const { changes, nodeHandler } = webhook();
		const site = { changes, seen: [] as Record<string, unknown>[], paths: [] as unknown[], isAway: false };
		const { url } = await serve(async (request, response) => {
			site.seen.push(request.headers);
			site.paths.push(request.url);
			if (!site.isAway) return nodeHandler(request, response);
			await buffer(request);
			response.writeHead(500).end();
		});
		return Object.assign(site, { url });
	}

	test('it gets genuine events at once, and verifies them again', async () => {
		const site = await startSite();
		const { url } = await receiving({ forward: site.url, debounce: 60_000 });
		expect(await send(url)).toBe(202);
		expect(site.changes).toMatchObject([{ pids: ['p-1'] }]);
		const forged = messageOfNow();
		expect(await send(url, { ...forged, headers: { ...forged.headers, 'webhook-id': 'other' } })).toBe(401);
		expect(site.seen).toHaveLength(1);
	});

	test('if that is away, the change is rebuilt, and the sender tries again', async () => {
		const site = await startSite();
		const forward = `${site.url}canary-path`;
		const { url, rebuilds, lines } = await receiving({ forward, debounce: 20 });
		const message = messageOfNow();
		site.isAway = true;
		expect(await send(url, message)).toBe(503);
		await expect.poll(() => rebuilds).toHaveLength(1);
		site.isAway = false;
		expect(await send(url, message)).toBe(202);
		expect(site.changes).toMatchObject([{ pids: ['p-1'] }]);
		expect(lines.join()).toMatch(/http:\/\/127\.0\.0\.1:\d+\/… answered 500\. \[PR_FORWARD_FAILED\]/);
		expect(lines.join()).not.toContain('canary-path');
	});

	test('a fixed key is passed on, and no other header', async () => {
		const site = await startSite();
		const { url } = await receiving({ verify: sharedHeader('x-key', KEY), forward: site.url });
		const headers = { 'content-type': 'application/json', 'x-key': KEY, cookie: 'canary-cookie' };
		expect(await send(url, { ...messageOfNow(), headers })).toBe(202);
		expect(site.changes).toMatchObject([{ pids: ['p-1'] }]);
		expect(JSON.stringify(site.seen)).not.toContain('canary-cookie');
	});

	test('the signature and the id of a service are passed on', async () => {
		const site = await startSite();
		const verify = hmac({ header: 'x-sign', encoding: 'hex', id: 'x-delivery' }, KEY);
		const { url } = await receiving({ verify, forward: site.url });
		const { body } = messageOfNow();
		const signature = createHmac('sha256', KEY).update(body).digest('hex');
		const json = { 'content-type': 'application/json' };
		// The stand-in for the site verifies in other ways, so it refuses what it gets.
		const headers = { ...json, 'x-sign': signature, 'x-delivery': 'd-1', 'x-other': 'canary' };
		expect(await send(url, { body, headers })).toBe(503);
		expect(site.seen).toMatchObject([{ ...json, 'x-sign': signature, 'x-delivery': 'd-1' }]);
		expect(JSON.stringify(site.seen)).not.toContain('canary');
	});

	test('a key in the URL is passed on, and stands in no line of the log', async () => {
		const site = await startSite();
		const verify = sharedQuery('secret', KEY);
		const fails = () => Promise.reject(new Error(`Cannot read http://shop.example/?secret=${KEY} now`));
		const forward = `${site.url}?a=1`;
		const broken = await receiving({ verify: [fails, verify], forward });
		const { headers, body } = messageOfNow();
		const unsigned = { body, headers: { 'content-type': headers['content-type'] ?? '' } };
		expect(await send(`${broken.url}?secret=${KEY}`, unsigned)).toBe(202);
		expect(await send(`${broken.url}?secret=wrong-key-of-the-tests`, unsigned)).toBe(401);
		expect(site.paths).toEqual([`/?a=1&secret=${KEY}`]);
		expect(broken.lines).toContainEqual(expect.stringContaining('Cannot read http://shop.example/?… now'));
		site.isAway = true;
		expect(await send(`${broken.url}?secret=${KEY}`, unsigned)).toBe(503);
		expect(broken.lines.join()).not.toContain(KEY);
	});

	test('its address has to be one', async () => {
		await expect(receiving({ forward: 'ftp://shop.example' })).rejects.toThrow('not an http(s) URL');
	});
});

async function serve(app: RequestListener) {
	const server = createServer(app);
	const { port, url } = await listenInTest(server);
	return { server, port, url: `${url}/` };
}

function webhook() {
	const changes: Change[] = [];
	const errors: unknown[] = [];
	const verify = [standardWebhooks(SECRET), sharedHeader('x-key', KEY), sharedQuery('secret', KEY)];
	const handler = createWebhookHandler({ verify, onChange: (change) => void changes.push(change) });
	const nodeHandler = toNodeHandler(handler, (error) => void errors.push(error));
	return { changes, errors, nodeHandler };
}

describe('a handler', () => {
	const start = () => serve(webhook().nodeHandler);

	test.each([
		['content-length: 100000000', '{'],
		['transfer-encoding: chunked', `${(300_000).toString(16)}\r\n${' '.repeat(300_000)}\r\n`],
	])('answers 413 to a body that is too large (%s), of which not all need be sent', async (header, part) => {
		const { port, url } = await start();
		const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n`;
		expect(await talk(port, head + part)).toContain('HTTP/1.1 413 ');
		expect(await send(url)).toBe(202);
	});

	test('answers a request whose body it does not read, and uses the connection again', async () => {
		const { url } = await start();
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		onTestFinished(() => agent.destroy());
		const ports = new Set<number | undefined>();
		for (let time = 0; time < 5; time += 1) {
			const headers = { 'content-length': 200_000 };
			const request = httpRequest(url, { method: 'PUT', agent, headers }).end(Buffer.alloc(200_000));
			const [response] = await once(request, 'response');
			expect(response.statusCode).toBe(405);
			ports.add(request.socket?.localPort);
			await once(response.resume(), 'end');
		}
		expect(ports.size).toBe(1);
	});

	test('takes no body that was not read for a second request', async () => {
		const { port } = await start();
		const body = 'POST /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
		const first = `PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
		const second = 'PUT / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
		const answers = await talk(port, first + second);
		expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 405']);
	});
});

test('a sender that goes away in the middle harms nobody, and nobody hears of it', async () => {
	const { errors, nodeHandler } = webhook();
	const { port, url, server } = await serve(nodeHandler);
	const headers = Object.entries(messageOfNow().headers).map(([name, value]) => `${name}: ${value}\r\n`);
	for (let time = 0; time < 20; time += 1) {
		const socket = connect(port, '127.0.0.1');
		socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers.join('')}content-length: 100\r\n\r\n{"data"`);
		const [incoming] = await once(server, 'request');
		socket.resetAndDestroy();
		await new Promise((resolve) => incoming.once('close', resolve));
	}
	expect(await send(url)).toBe(202);
	expect(errors).toEqual([]);
});

test('a handler that throws is answered 500 without a word of why, and the log is told', async () => {
	const errors: unknown[] = [];
	const fails = () => Promise.reject(new Error('canary'));
	const { url } = await serve(toNodeHandler(fails, (error) => void errors.push(error)));
	const response = await fetch(url, { method: 'POST', body: '{}' });
	expect([response.status, await response.text()]).toEqual([500, '']);
	expect(errors).toEqual([new Error('canary')]);
});

const REQUEST_LINES = ['POST // HTTP/1.1', 'TRACE / HTTP/1.1', 'POST http://a:99999/ HTTP/1.1'];
test.each(REQUEST_LINES)('%s cannot be a request: 400', async (line) => {
	const { port, url } = await serve(webhook().nodeHandler);
	expect(await talk(port, `${line}\r\nhost: x\r\nconnection: close\r\n\r\n`)).toContain('HTTP/1.1 400');
	expect(await send(url)).toBe(202);
});

describe('behind a body parser', () => {
	const WAS_READ = expect.objectContaining({
		name: 'WebhookConfigurationError',
		message: expect.stringContaining('before express.json()'),
	});
	/** An event of a sender that cannot sign: nothing but its body says what changed. */
	const sendWithKey = (url: string) => {
		const headers = { 'content-type': 'application/json', 'x-key': KEY };
		return send(url, { ...messageOfNow({ body: eventOf('p-7') }), headers });
	};

	test.each([
		['express.json()', express.json()],
		['express.text()', express.text({ type: 'application/json' })],
	])('a body that %s has read is an error that says so, not a change of all products', async (_, parser) => {
		const { changes, errors, nodeHandler } = webhook();
		const { url } = await serve(express().use(parser).post('/', nodeHandler));
		expect([await sendWithKey(url), await send(url)]).toEqual([500, 500]);
		expect([errors, changes]).toEqual([[WAS_READ, WAS_READ], []]);
		// A body that is empty was not read: anything may have changed.
		expect(await send(url, messageOfNow({ body: '' }))).toBe(202);
		expect(changes).toMatchObject([{ all: true }]);
	});

	test('the bytes that express.raw() has read are the body', async () => {
		const { changes, nodeHandler } = webhook();
		const raw = express.raw({ type: 'application/json' });
		const { url } = await serve(express().use(raw).post('/', nodeHandler));
		expect([await send(url), await sendWithKey(url)]).toEqual([202, 202]);
		expect(changes.map(({ pids }) => pids)).toEqual([['p-1'], ['p-7']]);
	});
});

/** A receiver on a free port, closed after the test. Its rebuilds are done at once. */
async function receiving(options: Partial<ReceiverOptions> = {}) {
	const rebuilds: RebuildRequest[] = [];
	const lines: string[] = [];
	const receiver = await startReceiver({
		verify: standardWebhooks(SECRET),
		log: createMemoryLog(),
		rebuild: async (request) => void rebuilds.push(request),
		onLog: (line) => void lines.push(line),
		port: 0,
		...options,
	});
	onTestFinished(() => receiver.close(0));
	return { ...receiver, rebuilds, lines };
}

/** Writes to a socket, and resolves with all that came back until the other side closed it. It has to. */
function talk(port: number, text: string): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	let answer = '';
	const socket = connect(port, '127.0.0.1', () => socket.write(text)).setEncoding('latin1');
	socket.setTimeout(20_000, () => {
		reject(new Error(`The connection stays open. So far, the answer is "${answer}".`));
		socket.destroy();
	});
	socket.on('data', (data) => {
		answer += data;
	});
	// A reset says as much as an end.
	socket.on('error', () => {}).on('close', () => resolve(answer));
	return promise;
}
