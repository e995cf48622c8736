import { Agent, createServer, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { listenInTest } from 'product-reviews-test-support/listen';
import { messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhookHandler, standardWebhooks } from '../../../src/index.js';
import { type NodeHandlerOptions, toNodeHandler } from '../../../src/node/index.js';
import { talk } from '../../support/receiving.js';

async function serve(handler: (request: Request) => Promise<Response>, options?: NodeHandlerOptions) {
	const server = createServer(toNodeHandler(handler, options));
	const { port, url } = await listenInTest(server);
	return { server, port, url: `${url}/` };
}

const webhook = () => createWebhookHandler({ verify: standardWebhooks(SECRET), onChange: () => {} });
const events = () => serve(webhook());

/** Sends a body as fast as it is taken, and reads the answer when it comes, as most senders do. */
function upload(url: string, bytes: number, isAnnounced: boolean): Promise<{ status: number; sent: number }> {
	return new Promise((resolve, reject) => {
		const headers = { ...messageOfNow().headers, ...(isAnnounced && { 'content-length': bytes }) };
		const request = httpRequest(url, { method: 'POST', headers, agent: false });
		let sent = 0;
		let isAnswered = false;
		const piece = Buffer.alloc(65_536);
		const write = () => {
			while (sent < bytes && !isAnswered) {
				const size = Math.min(piece.length, bytes - sent);
				sent += size;
				if (!request.write(piece.subarray(0, size))) return;
			}
			request.end();
		};
		request.on('drain', write);
		request.on('response', (response) => {
			isAnswered = true;
			response.resume();
			resolve({ status: response.statusCode ?? 0, sent });
			request.destroy();
		});
		request.on('error', reject);
		write();
	});
}

test.each([
	['announced', true],
	['not announced', false],
])(
	'a sender of a body that is too large (%s) reads the 413, and need not send all of it',
	async (_how, isAnnounced) => {
		const { url } = await events();
		for (let time = 0; time < 5; time += 1) {
			const { status, sent } = await upload(url, 100_000_000, isAnnounced);
			expect(status).toBe(413);
			expect(sent).toBeLessThan(50_000_000);
		}
		expect(await send(url)).toBe(202);
	},
);

test.each([
	['a wrong path', 'POST', async () => new Response(null, { status: 404 }), 404],
	['a wrong method', 'PUT', webhook(), 405],
] as const)(
	'the answer to %s with a body arrives, and the connection is used again',
	async (_name, method, handler, status) => {
		const { url, server } = await serve(handler);
		const connections = new Set<unknown>();
		server.on('connection', (socket) => connections.add(socket));
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		onTestFinished(() => agent.destroy());
		for (let time = 0; time < 10; time += 1) {
			const answered = await new Promise((resolve, reject) => {
				const request = httpRequest(
					url,
					{ method, agent, headers: { 'content-length': 200_000 } },
					(response) => {
						response.resume().on('end', () => resolve(response.statusCode));
					},
				);
				request.on('error', reject);
				request.end(Buffer.alloc(200_000));
			});
			expect(answered).toBe(status);
		}
		expect(connections.size).toBe(1);
	},
);

test('two requests in a row on one connection are two, though the body of the first was not read', async () => {
	const { port } = await events();
	const second = 'GET /two HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
	const body = 'POST /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
	const first = `PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
	const answers = await talk(port, first + second);
	expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 405']);
});

test('a sender that never ends its body is answered, and then left alone', async () => {
	const { port } = await events();
	const started = Date.now();
	const answer = await talk(port, 'PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf', 8_000);
	expect(answer).toContain('405 Method Not Allowed');
	expect(Date.now() - started).toBeLessThan(6_000);
});

test('a sender that goes away in the middle harms nobody, and nobody hears of it', async () => {
	const errors: unknown[] = [];
	const { port, url, server } = await serve(webhook(), { onError: (error) => void errors.push(error) });
	const headers = Object.entries(messageOfNow().headers).map(([name, value]) => `${name}: ${value}\r\n`);
	for (let time = 0; time < 20; time += 1) {
		const socket = connect(port, '127.0.0.1');
		socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${headers.join('')}content-length: 100\r\n\r\n{"data"`);
		await new Promise((resolve) => setTimeout(resolve, 2));
		socket.resetAndDestroy();
	}
	expect(await send(url)).toBe(202);
	await expect
		.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))))
		.toBeLessThan(3);
	expect(errors).toEqual([]);
});

test('a handler that throws is answered 500 without a word of why, and the log is told', async () => {
	const errors: unknown[] = [];
	const { url } = await serve(
		async () => {
			throw new Error('canary');
		},
		{ onError: (error) => void errors.push(error) },
	);
	const response = await fetch(url, { method: 'POST', body: '{}' });
	expect(response.status).toBe(500);
	expect(await response.text()).toBe('');
	expect(errors).toEqual([new Error('canary')]);
});

test.each(['POST // HTTP/1.1', 'TRACE / HTTP/1.1', 'POST http://a:99999/ HTTP/1.1'])(
	'%s cannot be a request: 400',
	async (line) => {
		const { port, url } = await events();
		expect(await talk(port, `${line}\r\nhost: x\r\nconnection: close\r\n\r\n`)).toContain('HTTP/1.1 400');
		expect(await send(url)).toBe(202);
	},
);

test('a header that comes twice is seen as two values', async () => {
	const { port } = await serve(async ({ headers }) => new Response(headers.get('webhook-id')));
	const head = 'POST / HTTP/1.1\r\nhost: x\r\nwebhook-id: a\r\nwebhook-id: b\r\nconnection: close\r\n\r\n';
	expect(await talk(port, head)).toContain('a, b');
});

test('a body comes through byte by byte', async () => {
	const { url } = await serve(async (request) => new Response(await request.arrayBuffer()));
	const body = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
	const response = await fetch(url, { method: 'POST', body });
	expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
});
