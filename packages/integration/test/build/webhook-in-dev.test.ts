import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevServer } from 'product-reviews-test-support/astro';
import { SECRET, send } from 'product-reviews-test-support/signing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markOf, productIds, publish, startShop } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const { project, service } = await startShop('store', productIds(3), {
	options: { maxAge: '1d', webhook: { path: '/hooks/reviews' } },
	config: { base: '/shop' },
});
let server: DevServer;
let origin: string;

beforeAll(async () => {
	writeFileSync(join(project.root, '.env'), `REVIEWS_WEBHOOK_SECRET=${SECRET}\n`);
	server = await project.dev();
	origin = server.url;
});

afterAll(() => server.stop());

const address = () => `${origin}/shop/hooks/reviews`;
const visit = async (number: number) => (await fetch(`${origin}/shop/products/n${number}`)).text();

/** Hears what the browser of somebody who looks at a page is told. */
async function watchReloads() {
	const client = await (await fetch(`${origin}/@vite/client`)).text();
	const token = /wsToken = "([^"]+)"/.exec(client)?.[1];
	const socket = new WebSocket(`${origin.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
	const reloads: unknown[] = [];
	socket.addEventListener('message', ({ data }) => {
		const message = JSON.parse(String(data));
		if (message.type === 'full-reload') reloads.push(message);
	});
	await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
	return { reloads, close: () => socket.close() };
}

test('an edit has its product asked for again, and open pages reload', async () => {
	const { webhooks } = service;
	const edit = (pid: string) => publish(service, pid, `New of ${pid}.`);
	for (const number of [1, 2]) expect(await visit(number)).toContain(markOf(number - 1));
	edit('p-2');
	expect(await visit(2)).not.toContain('New of p-2.');
	const page = await watchReloads();
	service.requests.reset();

	const named = webhooks.add({ url: address(), secret: SECRET });
	edit('p-1');
	await expect.poll(() => page.reloads).toHaveLength(1);
	await expect.poll(server.output).toContain('Reviews changed: "p-1". Open pages reload.');
	for (let visits = 0; visits < 2; visits++) expect(await visit(1)).toContain('New of p-1.');
	expect(await visit(2)).not.toContain('New of p-2.');
	expect(service.requests.count()).toBe(1);
	await webhooks.settled();
	webhooks.remove(named.id);

	const unnamed = webhooks.add({ url: address(), secret: SECRET, ids: '' });
	edit('p-3');
	await expect.poll(() => page.reloads).toHaveLength(2);
	expect(await visit(2)).toContain('New of p-2.');
	await webhooks.settled();
	webhooks.remove(unnamed.id);
	expect(webhooks.deliveries.map(({ status }) => status)).toEqual([202, 202]);
	page.close();
});

test('what is not genuine changes nothing, and other addresses are left alone', async () => {
	const signature = { 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` };
	const told = server.output().split('Reviews changed').length;
	expect(await send(address(), signedEvent('p-1', signature))).toBe(401);
	expect(server.output().split('Reviews changed')).toHaveLength(told);
	expect((await fetch(`${address()}/more`)).status).toBe(404);
	expect((await fetch(`${origin}/hooks/reviews`, { method: 'POST' })).status).toBe(404);
});
