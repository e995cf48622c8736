import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Message, messageOfNow, OTHER_SECRET, SECRET, send } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test } from 'vitest';
import type { CollectorStatus } from '../../../src/index.js';
import { talk } from '../../support/receiving.js';

const SCRIPT = join(import.meta.dirname, '../../fixtures/measured-receiver.mjs');
const COUNT = 10_000;

interface Hostile {
	readonly method?: string;
	readonly headers?: Record<string, string | undefined>;
	readonly body?: Uint8Array | string;
	readonly message?: Message;
	readonly status: number;
}

const accepted = messageOfNow();
const seconds = (offset: number) => String(Math.round(Date.now() / 1_000) + offset);
const withSignature = (change: (signature: string) => string): Hostile => {
	const message = messageOfNow();
	const signature = change(message.headers['webhook-signature'] ?? '');
	return { message, headers: { 'webhook-signature': signature }, status: 401 };
};
const large = Buffer.alloc(300_000, 0x20);
const nested = '['.repeat(5_000);

/** Each kind of request that nobody should send, and the answer to it. */
const KINDS: readonly (() => Hostile)[] = [
	() => ({ message: messageOfNow({ secret: OTHER_SECRET }), status: 401 }),
	() => ({ message: messageOfNow({ timestamp: seconds(-400) }), status: 401 }),
	() => ({ message: messageOfNow({ timestamp: seconds(400) }), status: 401 }),
	() => ({ message: messageOfNow({ id: 'a.b' }), status: 401 }),
	() => ({ message: messageOfNow({ timestamp: '1e9' }), status: 401 }),
	() => ({ message: accepted, status: 202 }),
	() => ({ message: accepted, headers: { 'webhook-id': 'msg_other' }, status: 401 }),
	() => ({ message: accepted, headers: { 'webhook-timestamp': seconds(1) }, status: 401 }),
	() => ({ headers: { 'webhook-signature': undefined }, status: 400 }),
	() => ({ headers: { 'webhook-id': undefined, 'webhook-timestamp': undefined }, status: 400 }),
	() => withSignature((signature) => signature.slice(0, -5)),
	() => withSignature((signature) => signature.replace('=', '')),
	() => withSignature((signature) => `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`),
	() => withSignature((signature) => `v1a,${signature.slice(3)}`),
	() => withSignature((signature) => `${'v1,AAAA '.repeat(500)}${signature}`),
	() => withSignature(() => 'x'.repeat(4_000)),
	() => ({ body: `{"data":{"pid":"${'x'.repeat(5_000)}"}}`, status: 401 }),
	() => ({ body: randomBytes(200), status: 401 }),
	() => ({ message: messageOfNow({ body: randomBytes(200) }), status: 400 }),
	() => ({ message: messageOfNow({ body: nested }), status: 400 }),
	() => ({ message: messageOfNow({ body: '{"__proto__":{"data":1}' }), status: 400 }),
	() => ({ headers: { 'content-type': 'text/xml' }, status: 415 }),
	() => ({ method: 'PUT', status: 405 }),
	() => ({ method: 'DELETE', status: 405 }),
	() => ({ method: 'OPTIONS', status: 405 }),
];

test('of 10,000 hostile requests none is accepted, and nothing of them is left in memory', async () => {
	const child = fork(SCRIPT, { execArgv: ['--expose-gc'], env: { SECRET, NODE_NO_WARNINGS: '1' } });
	onTestFinished(() => void child.kill('SIGKILL'));
	const message = <Value>() =>
		new Promise<Value>((resolve) => child.once('message', (value) => resolve(value as Value)));
	const { url, port } = await message<{ url: string; port: number }>();
	const look = () => {
		const answer = message<{ heapUsed: number; status: CollectorStatus }>();
		child.send('look');
		return answer;
	};
	const agent = new Agent({ keepAlive: true, maxSockets: 12 });
	onTestFinished(() => agent.destroy());
	const ask = ({ method = 'POST', headers, body, message = messageOfNow(), status }: Hostile) =>
		new Promise<string | undefined>((resolve, reject) => {
			const bytes = body ?? message.body;
			const all = { ...message.headers, 'content-length': Buffer.byteLength(bytes), ...headers };
			const given = Object.entries(all).flatMap(([name, value]) =>
				value === undefined ? [] : [[name, String(value)]],
			);
			const request = httpRequest(url, { method, agent, headers: Object.fromEntries(given) });
			request.on('response', (response) => {
				response.resume().on('end', () => {
					resolve(response.statusCode === status ? undefined : `${status} was ${response.statusCode}`);
				});
			});
			request.on('error', reject);
			request.end(bytes);
		});
	expect(await send(url, accepted)).toBe(202);

	let next = 0;
	const wrong: (string | undefined)[] = [];
	const sendUntil = (until: number) =>
		Promise.all(
			Array.from({ length: 12 }, async () => {
				while (next < until) {
					const index = next++;
					const kind = KINDS[index % KINDS.length] as () => Hostile;
					const hostile = index % 250 === 249 ? { body: large, status: 413 } : kind();
					const problem = await ask(hostile);
					if (problem) wrong.push(`${index % KINDS.length}: ${problem}`);
				}
			}),
		);
	// Some stay open with half a body for as long as they are let.
	const half = Array.from({ length: 10 }, () => {
		const socket = connect(port, '127.0.0.1');
		const head = Object.entries(messageOfNow().headers).map(([name, value]) => `${name}: ${value}\r\n`);
		socket.on('error', () => {});
		socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${head.join('')}content-length: 200000\r\n\r\n{"data"`);
		return socket;
	});
	onTestFinished(() => {
		for (const socket of half) socket.destroy();
	});
	const garbage = Promise.all(
		Array.from({ length: 30 }, (_, index) =>
			talk(port, index % 2 ? randomBytes(2_000) : `POST / HTTP/1.1\r\n${'x: y\r\n'.repeat(5_000)}`, 2_000),
		),
	);
	await sendUntil(2_000);
	const early = await look();
	await sendUntil(COUNT);
	await garbage;
	const late = await look();

	expect([...new Set(wrong)]).toEqual([]);
	expect(late.status.counts).toEqual({ changes: 1, rebuilds: 0, failures: 0 });
	expect(late.status.waiting).toEqual({ products: 1, all: false });
	expect((late.heapUsed - early.heapUsed) / 1e6).toBeLessThan(10);
	expect(await send(url)).toBe(202);
	expect((await look()).status.counts.changes).toBe(2);
	expect(child.exitCode).toBeNull();
});
