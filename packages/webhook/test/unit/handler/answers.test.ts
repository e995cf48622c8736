import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { messageOf, OTHER_SECRET, requestOf, SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { createWebhookHandler, standardWebhooks, type Verifier, type Verify } from '../../../src/index.js';
import { testHandler } from '../../support/handler.js';

type Changes = Parameters<typeof requestOf>[1];

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is answered 405', async (method) => {
	const { handle, changes } = testHandler();
	const response = await handle(
		new Request('https://shop.example', { method, headers: messageOf().headers }),
	);
	expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
	expect(changes).toEqual([]);
});

test.each<[number, (string | undefined)[]]>([
	[415, ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data', '']],
	[202, ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.reviews+json']],
])('the type of a body decides whether it is JSON: %i for %j', async (status, types) => {
	for (const type of types) {
		const { statusOf, changes } = testHandler();
		expect(await statusOf(messageOf(), { headers: { 'content-type': type } })).toBe(status);
		expect(changes).toHaveLength(status === 202 ? 1 : 0);
		// It does not matter where there is no body.
		expect(await statusOf(messageOf({ body: '' }), { headers: { 'content-type': undefined } })).toBe(202);
	}
});

test.each([
	['text', 'hello'],
	['cut short', '{"data":'],
	['broken UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
	['UTF-16', Buffer.from('{}', 'utf16le')],
])('a body that is no JSON (%s) is answered 400 once it is genuine', async (_name, body) => {
	const { statusOf, changes } = testHandler();
	expect(await statusOf(messageOf({ body }))).toBe(400);
	expect(await statusOf(messageOf({ body, secret: OTHER_SECRET }))).toBe(401);
	expect(changes).toEqual([]);
});

describe('answers', () => {
	test('to what is not genuine are all the same', async () => {
		const { handle } = testHandler();
		const message = messageOf();
		const spoilt: Changes[] = [
			{ headers: { 'webhook-id': 'a.b' } },
			{ headers: { 'webhook-id': undefined } },
			{ headers: { 'webhook-timestamp': '5' } },
			{ headers: { 'webhook-signature': 'v1,x' } },
			{ headers: { 'webhook-signature': '' } },
			{ body: new TextEncoder().encode('{}') },
			{ headers: messageOf({ secret: OTHER_SECRET }).headers },
		];
		const answers = new Set<string>();
		for (const changes of spoilt) {
			const response = await handle(requestOf(message, changes));
			answers.add(`${response.status} ${[...response.headers].join()} ${await response.text()}`);
		}
		expect(answers.size).toBe(1);
		expect([...answers][0]).toContain('{"error":"The request could not be verified: its');
	});

	test('hold nothing of the request, and are not to be stored', async () => {
		const { handle } = testHandler({
			onChange: ({ pids }) => {
				if (pids[0] === 'canary-fails') throw new Error('canary');
			},
		});
		const message = messageOf({ id: 'canary-id', body: '{"type":"canary","data":{"pid":"canary"}}' });
		const requests: [Request, number][] = [
			[requestOf(message), 202],
			[requestOf(message), 202],
			[requestOf(message, { headers: { 'webhook-signature': 'canary' } }), 401],
			[requestOf(message, { headers: { 'content-type': 'canary/canary' } }), 415],
			[requestOf(message, { headers: { 'webhook-id': undefined, 'x-canary': 'canary' } }), 401],
			[requestOf(messageOf({ body: 'canary' })), 400],
			[requestOf(messageOf({ body: `"${'canary'.repeat(50_000)}"` })), 413],
			[requestOf(messageOf({ body: '{"data":{"pid":"canary-fails"}}' })), 503],
			[new Request('https://shop.example/canary?canary', { method: 'PUT', body: 'canary' }), 405],
		];
		for (const [request, status] of requests) {
			const response = await handle(request);
			expect(response.status).toBe(status);
			expect(JSON.stringify([...response.headers]) + (await response.text())).not.toContain('canary');
			expect(response.headers.get('cache-control')).toBe('no-store');
			expect(response.headers.get('content-type')).toBe('application/json');
		}
	});
});

function throws(): never {
	throw new Error('Not today.');
}

describe('a verify function that', () => {
	test.each<[string, Verifier, number]>([
		['returns what it found out', () => ({ id: 'x' }), 202],
		['resolves to it', async () => ({}), 202],
		['returns true', () => true as never, 401],
		['resolves to nothing', async () => undefined, 401],
		['returns null', () => null as never, 401],
		['returns 1', () => 1 as never, 401],
		['returns a text', () => 'yes' as never, 401],
		['returns a function', () => (() => true) as never, 401],
		['throws', throws, 401],
		['rejects', async () => throws(), 401],
	])('%s', async (name, verify, status) => {
		const { statusOf, changes, errors } = testHandler({ verify });
		expect(await statusOf(messageOf())).toBe(status);
		expect(changes).toHaveLength(status === 202 ? 1 : 0);
		// Whoever runs the shop hears of it, and the sender does not.
		expect(errors).toEqual(/throws|rejects/.test(name) ? [new Error('Not today.')] : []);
	});

	test.each<[string, Verify, number, number]>([
		['is the last of several may be the one', [() => undefined, throws, standardWebhooks(SECRET)], 202, 1],
		['comes after one that was the one is not asked', [standardWebhooks(SECRET), throws], 202, 0],
		['is one of several is not enough', [() => undefined, throws, standardWebhooks(OTHER_SECRET)], 401, 1],
	])('%s', async (_name, verify, status, count) => {
		const { statusOf, errors } = testHandler({ verify });
		expect(await statusOf(messageOf())).toBe(status);
		expect(errors).toHaveLength(count);
	});
});

describe('an option that would let everything in', () => {
	const none = [undefined, null, [], '', [undefined], {}, true, [() => true, {}], { verify: true }];

	test.each(none.map((verify) => [verify]))('verify: %j', (verify) => {
		const make = () => createWebhookHandler({ verify: verify as never, onChange: () => {} });
		const message =
			'The option "verify" must be standardWebhooks(secret), sharedHeader(name, secret), a function, or a list of these. Without it, anyone could start rebuilds.';
		expect(make).toThrow(expect.objectContaining({ name: 'WebhookConfigurationError', message }));
	});

	test.each([Number.NaN, 0, -1, '1000', null])('maxBytes: %s', (maxBytes) => {
		expect(() => testHandler({ maxBytes: maxBytes as number })).toThrow('The option "maxBytes"');
	});
});

test('what the handler is called with beside the request goes to whoever takes the change down', async () => {
	const platform = { name: 'edge' };
	const taken: unknown[] = [];
	const handler = createWebhookHandler<typeof platform>({
		verify: () => ({}),
		onChange: ({ pids }, context) => void taken.push(pids, context),
	});
	expect((await handler(requestOf(messageOf()), platform)).status).toBe(202);
	expect(taken).toEqual([['p-1'], platform]);
});

test('the handler needs nothing of Node', () => {
	// The target of browsers and workers: an import of Node would end this.
	const options: BuildOptions = {
		absWorkingDir: import.meta.dirname,
		entryPoints: [join(import.meta.dirname, '../../../src/index.ts')],
		...{ bundle: true, write: false, platform: 'browser' },
	};
	expect(buildSync(options).errors).toEqual([]);
});
