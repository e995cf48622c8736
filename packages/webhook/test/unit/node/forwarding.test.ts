import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenInTest } from 'product-reviews-test-support/listen';
import { messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { createWebhookHandler, sharedHeader, standardWebhooks } from '../../../src/index.js';
import { startReceiver, toNodeHandler } from '../../../src/node/index.js';
import { receiving } from '../../support/receiving.js';

const KEY = 'canary-key-of-the-tests';

/** The endpoint of a site. */
async function startSite() {
	const pids: string[] = [];
	const site = { pids, isAway: false, url: '' };
	const handler = createWebhookHandler({
		verify: [standardWebhooks(SECRET), sharedHeader('x-key', KEY)],
		onChange: (change) => void pids.push(...change.pids),
		onError: () => {},
	});
	const answer = toNodeHandler(handler);
	const { url } = await listenInTest(
		createServer((request, response) => {
			if (site.isAway) response.writeHead(500).end();
			else void answer(request, response);
		}),
	);
	site.url = url;
	return site;
}

test('another receiver gets genuine events at once, and verifies them again', async () => {
	const site = await startSite();
	const { url } = await receiving({ forward: { url: site.url }, quiet: 60_000 });
	expect(await send(url)).toBe(202);
	expect(site.pids).toEqual(['p-1']);
	const forged = messageOfNow();
	expect(await send(url, { ...forged, headers: { ...forged.headers, 'webhook-id': 'other' } })).toBe(401);
	expect(site.pids).toEqual(['p-1']);
});

test('if it is away, the sender tries again, and one rebuild is made', async () => {
	const site = await startSite();
	const { url, rebuilds, lines } = await receiving({
		forward: { url: `${site.url}/canary-path` },
		quiet: 20,
	});
	const message = messageOfNow();
	site.isAway = true;
	expect(await send(url, message)).toBe(503);
	await expect.poll(() => rebuilds).toHaveLength(1);
	site.isAway = false;
	expect(await send(url, message)).toBe(202);
	expect(site.pids).toEqual(['p-1']);
	expect(rebuilds).toHaveLength(1);
	expect(lines.join()).toMatch(/http:\/\/127\.0\.0\.1:\d+\/… answered 500\. The sender tries again\./);
	expect(lines.join()).not.toContain('canary-path');
});

test('a fixed key is passed on, and no other header', async () => {
	const received: Record<string, unknown>[] = [];
	const { url: other } = await listenInTest(
		createServer(async (request, response) => {
			received.push({ ...request.headers, body: String(await buffer(request)) });
			response.end();
		}),
	);
	const { url } = await receiving({
		verify: sharedHeader('x-key', KEY),
		forward: { url: other, keyHeader: 'x-key' },
	});
	const headers = { 'content-type': 'application/json', 'x-key': KEY, cookie: 'canary-cookie' };
	const { status } = await fetch(url, { method: 'POST', headers, body: '{"pid":"p-1"}' });
	expect(status).toBe(202);
	expect(received).toMatchObject([{ 'x-key': KEY, body: '{"pid":"p-1"}' }]);
	expect(JSON.stringify(received)).not.toContain('canary-cookie');
});

test('an address that is none is refused', async () => {
	const options = { verify: standardWebhooks(SECRET), port: 0, forward: { url: 'ftp://shop.example' } };
	await expect(startReceiver(options as never)).rejects.toThrow('not an http(s) URL');
});
