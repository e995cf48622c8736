import { messageOf, OTHER_SECRET, requestOf, SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { createWebhookHandler, sharedHeader, standardWebhooks } from '../../../src/index.js';
import { testHandler } from '../../support/handler.js';

describe('a method other than POST', () => {
	test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is answered 405', async (method) => {
		const { handle, changes } = testHandler();
		const response = await handle(
			new Request('https://shop.example', { method, headers: messageOf().headers }),
		);
		expect(response.status).toBe(405);
		expect(response.headers.get('allow')).toBe('POST');
		expect(changes).toEqual([]);
	});
});

describe('a missing header', () => {
	test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
		'%s is named in a 400',
		async (name) => {
			const { handle } = testHandler();
			const response = await handle(requestOf(messageOf(), { headers: { [name]: undefined } }));
			expect(response.status).toBe(400);
			expect(await response.json()).toEqual({ error: `Missing header: ${name}.` });
		},
	);

	test('several are named together', async () => {
		const { handle } = testHandler();
		const response = await handle(new Request('https://shop.example', { method: 'POST' }));
		expect(await response.json()).toEqual({
			error: 'Missing header: webhook-id, webhook-timestamp, webhook-signature.',
		});
	});

	test('of one verifier does not matter where another can decide', async () => {
		const verify = [standardWebhooks(SECRET), sharedHeader('x-key', 'canary-key-of-the-tests')];
		const { statusOf } = testHandler({ verify });
		const none = { 'webhook-id': undefined, 'webhook-signature': undefined };
		expect(await statusOf(messageOf())).toBe(202);
		expect(await statusOf(messageOf(), { headers: { ...none, 'x-key': 'canary-key-of-the-tests' } })).toBe(
			202,
		);
		expect(await statusOf(messageOf(), { headers: { ...none, 'x-key': 'not-the-key' } })).toBe(401);
		expect(await statusOf(messageOf(), { headers: none })).toBe(400);
	});
});

describe('the type of the body', () => {
	test.each([
		'text/plain',
		'application/x-www-form-urlencoded',
		'application/jsonp',
		'multipart/form-data',
		'',
	])('"%s" is answered 415', async (type) => {
		const { statusOf, changes } = testHandler();
		expect(await statusOf(messageOf(), { headers: { 'content-type': type } })).toBe(415);
		expect(changes).toEqual([]);
	});

	test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.reviews+json'])(
		'"%s" is JSON',
		async (type) => {
			expect(await testHandler().statusOf(messageOf(), { headers: { 'content-type': type } })).toBe(202);
		},
	);

	test('does not matter where there is no body', async () => {
		const { statusOf } = testHandler();
		expect(await statusOf(messageOf({ body: '' }), { headers: { 'content-type': undefined } })).toBe(202);
	});
});

describe('a body that is no JSON', () => {
	test.each([
		['text', 'hello'],
		['cut short', '{"data":'],
		['broken UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
		['UTF-16', Buffer.from('{}', 'utf16le')],
	])('(%s) is answered 400 once it is genuine', async (_name, body) => {
		const { statusOf, changes } = testHandler();
		expect(await statusOf(messageOf({ body }))).toBe(400);
		expect(await statusOf(messageOf({ body, secret: OTHER_SECRET }))).toBe(401);
		expect(changes).toEqual([]);
	});
});

describe('answers', () => {
	test('to what is not genuine are all the same', async () => {
		const { handle } = testHandler();
		const message = messageOf();
		const spoilt: Parameters<typeof requestOf>[1][] = [
			{ headers: { 'webhook-id': 'a.b' } },
			{ headers: { 'webhook-timestamp': '5' } },
			{ headers: { 'webhook-signature': 'v1,x' } },
			{ headers: { 'webhook-signature': '' } },
			{ body: new TextEncoder().encode('{}') },
			{ headers: messageOf({ secret: OTHER_SECRET }).headers },
		];
		const answers = await Promise.all(
			spoilt.map(async (changes) => {
				const response = await handle(requestOf(message, changes));
				return [response.status, [...response.headers], await response.text()];
			}),
		);
		expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
		expect(answers[0]?.[2]).toBe('{"error":"The request could not be verified."}');
	});

	test('hold nothing of the request, and are not to be stored', async () => {
		const { handle } = testHandler({
			onChange: ({ pids }) => {
				if (pids[0] === 'canary-fails') throw new Error('canary');
			},
		});
		const message = messageOf({ id: 'canary-id', body: '{"type":"canary","data":{"pid":"canary"}}' });
		const requests = [
			requestOf(message),
			requestOf(message),
			requestOf(message, { headers: { 'webhook-signature': 'canary' } }),
			requestOf(message, { headers: { 'content-type': 'canary/canary' } }),
			requestOf(message, { headers: { 'webhook-id': undefined, 'x-canary': 'canary' } }),
			requestOf(messageOf({ body: 'canary' })),
			requestOf(messageOf({ body: `"${'canary'.repeat(50_000)}"` })),
			requestOf(messageOf({ body: '{"data":{"pid":"canary-fails"}}' })),
			new Request('https://shop.example/canary?canary', { method: 'PUT', body: 'canary' }),
		];
		const statuses = [];
		for (const request of requests) {
			const response = await handle(request);
			statuses.push(response.status);
			const text = JSON.stringify([...response.headers]) + (await response.text());
			expect(text).not.toContain('canary');
			expect(response.headers.get('cache-control')).toBe('no-store');
			expect(response.headers.get('content-type')).toBe('application/json');
		}
		expect(statuses).toEqual([202, 202, 401, 415, 400, 400, 413, 503, 405]);
	});
});

describe('an option that would let everything in', () => {
	test.each([[undefined], [null], [[]], [''], [[undefined]], [{}], [true]])('verify: %j', (verify) => {
		const make = () => createWebhookHandler({ verify: verify as never, onChange: () => {} });
		expect(make).toThrow('The option "verify"');
	});

	test.each([Number.NaN, 0, -1, '1000', null])('maxBytes: %s', (maxBytes) => {
		expect(() => testHandler({ maxBytes: maxBytes as number })).toThrow('The option "maxBytes"');
	});
});

test('what the handler is called with beside the request goes to whoever takes the change down', async () => {
	const platform = { name: 'edge' };
	const taken: unknown[] = [];
	const handler = createWebhookHandler<typeof platform>({
		verify: () => true,
		onChange: ({ pids }, context) => void taken.push(pids, context),
	});
	expect((await handler(requestOf(messageOf()), platform)).status).toBe(202);
	expect(taken).toEqual([['p-1'], platform]);
});
