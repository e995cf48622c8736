import { createServer } from 'node:http';
import { listenInTest } from 'product-reviews-test-support/listen';
import { messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { createMemoryLog, standardWebhooks } from '../../../src/index.js';
import { startReceiver } from '../../../src/node/index.js';
import { changeOf } from '../../support/collecting.js';
import { receiving, talk } from '../../support/receiving.js';

test('an event ends in a rebuild', async () => {
	const { url, rebuilds } = await receiving({ quiet: 20 });
	expect(await send(url)).toBe(202);
	await expect.poll(() => rebuilds).toMatchObject([{ pids: ['p-1'], all: false }]);
});

test('status and healthz say how it is, and hold no secret', async () => {
	const { url, port } = await receiving({
		quiet: 20,
		retryAfter: 60_000,
		rebuild: () => Promise.reject(new Error('The command ended with 1.\ncanary of the output')),
	});
	const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
	expect(await (await at('/healthz')).json()).toEqual({ status: 'ok' });
	await send(url);
	await expect
		.poll(async () => (await at('/status')).json())
		.toMatchObject({
			waiting: { products: 1, all: false },
			isRebuilding: false,
			nextRebuildAt: expect.stringMatching(/^\d{4}-.*Z$/),
			lastRebuild: { products: 1, error: 'The command ended with 1.', endedAt: expect.stringMatching(/Z$/) },
			counts: { changes: 1, rebuilds: 0, failures: 1 },
		});
	const text = await (await at('/status')).text();
	expect(text).not.toContain('canary');
	expect(text).not.toContain(SECRET.slice(6));
	expect(text).not.toContain('p-1');
});

test.each(['/reviews', '/größe', '/a%20b', 'reviews'])(
	'events are taken at %s, and nowhere else',
	async (path) => {
		const { url, port } = await receiving({ path });
		expect(await send(url)).toBe(202);
		expect(await send(`http://127.0.0.1:${port}/`)).toBe(404);
		expect(await send(`http://127.0.0.1:${port}/healthz/`)).toBe(404);
	},
);

test('a receiver that cannot listen rebuilds nothing, and lets its log go', async () => {
	const { port } = await listenInTest(createServer());
	const memory = createMemoryLog();
	await memory.record(changeOf(['left'], Date.now() - 1_000_000));
	let rebuilds = 0;
	let isClosed = false;
	const start = startReceiver({
		verify: standardWebhooks(SECRET),
		log: {
			...memory,
			async close() {
				isClosed = true;
			},
		},
		async rebuild() {
			rebuilds += 1;
		},
		port,
	});
	await expect(start).rejects.toThrow('EADDRINUSE');
	await new Promise((resolve) => setTimeout(resolve, 50));
	expect(rebuilds).toBe(0);
	expect(isClosed).toBe(true);
});

test('a log of changes that cannot be read: nobody listens', async () => {
	const broken = { ...createMemoryLog(), waiting: () => Promise.reject(new Error('unreadable')) };
	await expect(receiving({ log: broken })).rejects.toThrow('unreadable');
});

test('an error that is no error is told, and answered 503', async () => {
	for (const thrown of [undefined, null, 'no disk', new Error('no disk')]) {
		const { url, lines } = await receiving({
			log: { ...createMemoryLog(), record: () => Promise.reject(thrown) },
		});
		expect(await send(url)).toBe(503);
		expect(lines).toEqual([expect.stringContaining(thrown ? 'no disk' : String(thrown))]);
	}
});

test('close refuses what comes, waits for the rebuild, and frees the port', async () => {
	let finish = () => {};
	const { url, close, collector } = await receiving({
		quiet: 10,
		rebuild: () => new Promise<void>((resolve) => (finish = resolve)),
	});
	await send(url);
	await expect.poll(async () => (await collector.status()).isRebuilding).toBe(true);
	let isClosed = false;
	const closed = close().then(() => (isClosed = true));
	await expect(send(url)).rejects.toThrow();
	expect(isClosed).toBe(false);
	finish();
	await closed;
	expect((await collector.status()).counts.rebuilds).toBe(1);
});

test('close does not wait for a connection that is kept open', async () => {
	const { url, close } = await receiving();
	await send(url, messageOfNow());
	const started = Date.now();
	await close();
	expect(Date.now() - started).toBeLessThan(2_000);
});

test('a sender that is slow is cut off when its time is over, not at the next look', async () => {
	const { port } = await receiving({ requestTimeout: 300 });
	for (const text of [
		'POST / HTTP/1.1\r\nHost: localhost\r\n',
		'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
	]) {
		const started = performance.now();
		expect(await talk(port, text, 8_000)).toContain('HTTP/1.1 408 Request Timeout');
		expect(performance.now() - started).toBeLessThan(2_500);
	}
});

test('the status is told to those who ask this machine by its own address', async () => {
	const { port } = await receiving();
	const ask = (host: string, path = '/status') =>
		talk(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
	for (const host of ['localhost', `127.0.0.1:${port}`, 'LOCALHOST:1', '[::1]:4500', '127.0.0.2']) {
		expect(await ask(host)).toMatch(/^HTTP\/1\.1 200 /);
	}
	// A name that its owner made point here, as in DNS rebinding.
	for (const host of [
		'attacker.example',
		`attacker.example:${port}`,
		'127.0.0.1.attacker.example',
		'192.168.1.5',
		'',
		'a b',
		'user@localhost',
	]) {
		const answer = await ask(host);
		expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
		expect(answer).not.toContain('waiting');
	}
	expect(await ask('attacker.example')).toContain('only available at localhost');
	expect(await ask('attacker.example', '/healthz')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a receiver that listens on every address is asked by any of them, and by no name', async () => {
	const { port } = await receiving({ host: '0.0.0.0' });
	const ask = (host: string) =>
		talk(port, `GET /status HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
	expect(await ask('192.168.1.5:4500')).toMatch(/^HTTP\/1\.1 200 /);
	expect(await ask('attacker.example')).toMatch(/^HTTP\/1\.1 403 /);
});
