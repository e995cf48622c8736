import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { listenInTest } from 'product-reviews-test-support/listen';
import { eventOf, messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Change, createWebhookHandler, sharedHeader, standardWebhooks } from '../../../src/index.js';
import { toNodeHandler } from '../../../src/node/index.js';
import { talk } from '../../support/receiving.js';

const KEY = 'canary-key-of-the-tests';

async function serve(app: RequestListener) {
	const server = createServer(app);
	const { port, url } = await listenInTest(server);
	return { server, port, url: `${url}/` };
}

function webhook() {
	const changes: Change[] = [];
	const errors: unknown[] = [];
	const handler = createWebhookHandler({
		verify: [standardWebhooks(SECRET), sharedHeader('x-key', KEY)],
		onChange: (change) => void changes.push(change),
	});
	const nodeHandler = toNodeHandler(handler, (error) => void errors.push(error));
	return { changes, errors, handler, nodeHandler };
}

describe('a handler', () => {
	const start = async () => (await serve(webhook().nodeHandler)).url;

	test.each([
		['content-length: 100000000', '{'],
		['transfer-encoding: chunked', `${(300_000).toString(16)}\r\n${' '.repeat(300_000)}\r\n`],
	])('answers 413 to a body that is too large (%s), of which not all need be sent', async (header, part) => {
		const url = await start();
		const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n`;
		expect(await talk(Number(new URL(url).port), head + part)).toContain('HTTP/1.1 413 ');
		expect(await send(url)).toBe(202);
	});

	test('answers a request whose body it does not read, and uses the connection again', async () => {
		const url = await start();
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
		const { port } = new URL(await start());
		const body = 'POST /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
		const first = `PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
		const second = 'PUT / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
		const answers = await talk(Number(port), first + second);
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

test.each(['POST // HTTP/1.1', 'TRACE / HTTP/1.1', 'POST http://a:99999/ HTTP/1.1'])(
	'%s cannot be a request: 400',
	async (line) => {
		const { port, url } = await serve(webhook().nodeHandler);
		expect(await talk(port, `${line}\r\nhost: x\r\nconnection: close\r\n\r\n`)).toContain('HTTP/1.1 400');
		expect(await send(url)).toBe(202);
	},
);

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
	])(
		'a body that %s has read is an error that says so, and not a change of all products',
		async (_, parser) => {
			const { changes, errors, nodeHandler } = webhook();
			const { url } = await serve(express().use(parser).post('/', nodeHandler));
			expect([await sendWithKey(url), await send(url)]).toEqual([500, 500]);
			expect([errors, changes]).toEqual([[WAS_READ, WAS_READ], []]);
			// A body that is empty was not read: anything may have changed.
			expect(await send(url, messageOfNow({ body: '' }))).toBe(202);
			expect(changes).toMatchObject([{ all: true }]);
		},
	);

	test('the bytes that express.raw() has read are the body', async () => {
		const { changes, nodeHandler } = webhook();
		const raw = express.raw({ type: 'application/json' });
		const { url } = await serve(express().use(raw).post('/', nodeHandler));
		expect([await send(url), await sendWithKey(url)]).toEqual([202, 202]);
		expect(changes.map(({ pids }) => pids)).toEqual([['p-1'], ['p-7']]);
	});
});
