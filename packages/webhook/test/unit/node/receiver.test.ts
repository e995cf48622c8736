import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenInTest } from 'product-reviews-test-support/listen';
import { messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { createMemoryLog, createWebhookHandler, sharedHeader, standardWebhooks } from '../../../src/index.js';
import { startReceiver, toNodeHandler } from '../../../src/node/index.js';
import { changeOf } from '../../support/collecting.js';
import { receiving, talk } from '../../support/receiving.js';

const KEY = 'canary-key-of-the-tests';

test.each(['/', '/reviews', '/größe', '/a%20b', 'reviews'])(
	'an event at %s ends in a rebuild, and nothing else is taken',
	async (path) => {
		const { url, port, rebuilds } = await receiving({ path, debounce: 20 });
		expect(await send(url)).toBe(202);
		for (const other of ['other', 'healthz/'])
			expect(await send(`http://127.0.0.1:${port}/${other}`)).toBe(404);
		await expect.poll(() => rebuilds).toMatchObject([{ pids: ['p-1'], all: false }]);
	},
);

describe('the status', () => {
	const ask = (port: number, host: string, path = '/status') =>
		talk(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

	test('says what waits and what failed, without output of the build, product or secret', async () => {
		const { url, port } = await receiving({
			debounce: 20,
			retryAfter: 60_000,
			rebuild: () => Promise.reject(new Error('The command ended with 1.\ncanary of the output')),
		});
		await send(url);
		const status = async () => (await fetch(`http://127.0.0.1:${port}/status`)).json();
		const lastRebuild = {
			products: 1,
			error: 'The command ended with 1.',
			endedAt: expect.stringMatching(/Z$/),
		};
		await expect.poll(status).toMatchObject({
			waiting: { products: 1, all: false },
			isRebuilding: false,
			nextRebuildAt: expect.stringMatching(/^\d{4}-.*Z$/),
			lastRebuild,
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

test.each([undefined, null, 'no disk', new Error('no disk')])(
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
])(
	'a sender that is slow is cut off when its time is over, not at the next look of Node: %j',
	async (text) => {
		const { port } = await receiving({ requestTimeout: 300 });
		expect(await talk(port, text)).toContain('HTTP/1.1 408 Request Timeout');
	},
);

describe('with another receiver to forward to', () => {
	/** The endpoint of a site. */
	async function startSite() {
		const site = { pids: [] as string[], seen: [] as Record<string, unknown>[], isAway: false, url: '' };
		const handler = createWebhookHandler({
			verify: [standardWebhooks(SECRET), sharedHeader('x-key', KEY)],
			onChange: (change) => void site.pids.push(...change.pids),
		});
		const answer = toNodeHandler(handler);
		const server = createServer(async (request, response) => {
			site.seen.push(request.headers);
			if (!site.isAway) return answer(request, response);
			await buffer(request);
			response.writeHead(500).end();
		});
		site.url = (await listenInTest(server)).url;
		return site;
	}

	test('it gets genuine events at once, and verifies them again', async () => {
		const site = await startSite();
		const { url } = await receiving({ forward: { url: site.url }, debounce: 60_000 });
		expect(await send(url)).toBe(202);
		expect(site.pids).toEqual(['p-1']);
		const forged = messageOfNow();
		expect(await send(url, { ...forged, headers: { ...forged.headers, 'webhook-id': 'other' } })).toBe(401);
		expect(site.seen).toHaveLength(1);
	});

	test('if that is away, the change is rebuilt, and the sender tries again', async () => {
		const site = await startSite();
		const forward = { url: `${site.url}/canary-path` };
		const { url, rebuilds, lines } = await receiving({ forward, debounce: 20 });
		const message = messageOfNow();
		site.isAway = true;
		expect(await send(url, message)).toBe(503);
		await expect.poll(() => rebuilds).toHaveLength(1);
		site.isAway = false;
		expect(await send(url, message)).toBe(202);
		expect(site.pids).toEqual(['p-1']);
		expect(lines.join()).toMatch(/http:\/\/127\.0\.0\.1:\d+\/… answered 500\. \[PR_FORWARD_FAILED\]/);
		expect(lines.join()).not.toContain('canary-path');
	});

	test('a fixed key is passed on, and no other header', async () => {
		const site = await startSite();
		const forward = { url: site.url, keyHeader: 'x-key' };
		const { url } = await receiving({ verify: sharedHeader('x-key', KEY), forward });
		const headers = { 'content-type': 'application/json', 'x-key': KEY, cookie: 'canary-cookie' };
		expect(await send(url, { ...messageOfNow(), headers })).toBe(202);
		expect(site.pids).toEqual(['p-1']);
		expect(JSON.stringify(site.seen)).not.toContain('canary-cookie');
	});

	test('its address has to be one', async () => {
		await expect(receiving({ forward: { url: 'ftp://shop.example' } })).rejects.toThrow('not an http(s) URL');
	});
});
