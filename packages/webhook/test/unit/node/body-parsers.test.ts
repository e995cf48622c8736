import { createServer, type RequestListener } from 'node:http';
import express from 'express';
import { Hono } from 'hono';
import { listenInTest } from 'product-reviews-test-support/listen';
import { eventOf, messageOfNow, requestOf, SECRET, send } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { type Change, createWebhookHandler, sharedHeader, standardWebhooks } from '../../../src/index.js';
import { toNodeHandler } from '../../../src/node/index.js';

const KEY = 'canary-key-of-the-tests';
const WAS_READ = expect.objectContaining({
	name: 'WebhookConfigurationError',
	message: expect.stringContaining('before express.json()'),
});

function webhook() {
	const changes: Change[] = [];
	const errors: unknown[] = [];
	const handler = createWebhookHandler({
		verify: [standardWebhooks(SECRET), sharedHeader('x-key', KEY)],
		onChange: (change) => void changes.push(change),
	});
	return {
		changes,
		errors,
		handler,
		nodeHandler: toNodeHandler(handler, { onError: (error) => void errors.push(error) }),
	};
}

async function serve(app: RequestListener): Promise<string> {
	const server = createServer(app);
	const { url } = await listenInTest(server);
	return `${url}/`;
}

/** An event of a sender that cannot sign: nothing but its body says what changed. */
function sendWithKey(url: string): Promise<number> {
	const headers = { 'content-type': 'application/json', 'x-key': KEY };
	return send(url, { ...messageOfNow({ body: eventOf('p-7') }), headers });
}

test.each([
	['express.json()', express.json()],
	['express.text()', express.text({ type: 'application/json' })],
])(
	'a body that %s has read is an error that says so, and not a change of all products',
	async (_, parser) => {
		const { changes, errors, nodeHandler } = webhook();
		const url = await serve(express().use(parser).post('/', nodeHandler));
		expect(await sendWithKey(url)).toBe(500);
		expect(await send(url)).toBe(500);
		expect(errors).toEqual([WAS_READ, WAS_READ]);
		expect(changes).toEqual([]);
	},
);

test('the bytes that express.raw() has read are the body', async () => {
	const { changes, nodeHandler } = webhook();
	const url = await serve(
		express()
			.use(express.raw({ type: 'application/json' }))
			.post('/', nodeHandler),
	);
	expect(await send(url)).toBe(202);
	expect(await sendWithKey(url)).toBe(202);
	expect(changes.map(({ pids }) => pids)).toEqual([['p-1'], ['p-7']]);
});

test('middleware that takes its time and leaves the body alone does no harm', async () => {
	const { changes, nodeHandler } = webhook();
	const app = express().use((_request, _response, next) => void setTimeout(next, 50));
	const url = await serve(app.post('/', nodeHandler).use(express.json()));
	expect(await sendWithKey(url)).toBe(202);
	expect(changes).toMatchObject([{ pids: ['p-7'], all: false }]);
});

test('a body that is empty was not read: anything may have changed', async () => {
	const { changes, nodeHandler } = webhook();
	const url = await serve(express().use(express.json()).post('/', nodeHandler));
	expect(await send(url, messageOfNow({ body: '' }))).toBe(202);
	expect(changes).toMatchObject([{ all: true }]);
});

test('a Request whose body was read is an error as well', async () => {
	const { changes, handler } = webhook();
	const request = requestOf(messageOfNow());
	await request.text();
	await expect(handler(request)).rejects.toThrow(WAS_READ);

	const errors: unknown[] = [];
	const app = new Hono().onError((error, context) => {
		errors.push(error);
		return context.text('', 500);
	});
	app.use(async (context, next) => {
		await context.req.json();
		await next();
	});
	app.post('/', (context) => handler(context.req.raw));
	expect((await app.fetch(requestOf(messageOfNow()))).status).toBe(404);
	const atRoot = new Request('http://shop.example/', requestOf(messageOfNow()));
	expect((await app.fetch(atRoot)).status).toBe(500);
	expect(errors).toEqual([WAS_READ]);
	expect(changes).toEqual([]);
});
