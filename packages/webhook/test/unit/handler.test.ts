import { join } from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { NOW, settled } from 'product-reviews-test-support/clock';
import { eventOf, messageOf, OTHER_SECRET, requestOf, SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test, vi } from 'vitest';
import { recallEvent } from '../../src/handler.js';
import {
	type Change,
	createWebhookHandler,
	standardWebhooks,
	type Verifier,
	type Verify,
	type WebhookHandlerOptions,
} from '../../src/index.js';
import { testHandler } from '../support/handler.js';

type Changes = Parameters<typeof requestOf>[1];

function throws(): never {
	throw new Error('canary: not today.');
}

test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is answered 405', async (method) => {
	const { handle, changes } = testHandler();
	const { headers } = messageOf();
	const response = await handle(new Request('https://shop.example', { method, headers }));
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
		const onChange = ({ pids }: Change) => (pids[0] === 'canary-fails' ? throws() : undefined);
		const { handle } = testHandler({ onChange });
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

describe('a verify function that', () => {
	const OTHERS = [true, null, 1, 'yes', () => true];

	test.each<[string, Verifier, number]>([
		['returns what it found out', () => ({ id: 'x' }), 202],
		['resolves to it', async () => ({}), 202],
		['resolves to nothing', async () => undefined, 401],
		...OTHERS.map((given): [string, Verifier, number] => [`returns ${given}`, () => given as never, 401]),
		['throws', throws, 401],
		['rejects', async () => throws(), 401],
	])('%s', async (name, verify, status) => {
		const { statusOf, changes, errors } = testHandler({ verify });
		expect(await statusOf(messageOf())).toBe(status);
		expect(changes).toHaveLength(status === 202 ? 1 : 0);
		// Whoever runs the shop hears of it, and the sender does not.
		expect(errors).toEqual(/throws|rejects/.test(name) ? [new Error('canary: not today.')] : []);
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
			'The option "verify" must be standardWebhooks(secret), hmac(form, secret), sharedHeader(name, secret), sharedQuery(name, secret), a function, or a list of these. Without it, anyone could start rebuilds.';
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
		entryPoints: [join(import.meta.dirname, '../../src/index.ts')],
		...{ bundle: true, write: false, platform: 'browser' },
	};
	expect(buildSync(options).errors).toEqual([]);
});

/** What is taken down of a body. */
async function changeOf(body: string, options: Partial<WebhookHandlerOptions> = {}) {
	const { statusOf, changes, errors } = testHandler(options);
	expect(await statusOf(messageOf({ body }))).toBe(202);
	expect(changes).toHaveLength(1);
	return { ...changes[0], errors };
}

const data = (value: unknown) => JSON.stringify({ type: 'x', data: value });
const SOME_UNUSABLE = (count: number) =>
	new Error(`An event names ${count} unusable product IDs. All products are treated as changed.`);

test('a change has the id and time of its event', async () => {
	const { statusOf, changes } = testHandler();
	await statusOf(messageOf({ id: 'msg_7' }));
	expect(changes).toEqual([{ id: 'msg_7', pids: ['p-1'], all: false, receivedAt: NOW }]);
});

test.each([
	['a string', { pid: 'p-1' }, ['p-1']],
	['an array', { pid: ['p-1', 'p-2', 'p-1'] }, ['p-1', 'p-2']],
	['arrpid', { arrpid: [{ pid: 'p-1', pn: 'Boots' }, { pid: 'p-2' }] }, ['p-1', 'p-2']],
	['both', { pid: 'p-1', arrpid: [{ pid: 'p-2' }] }, ['p-1', 'p-2']],
	['a number', { pid: 8_126_544 }, ['8126544']],
	['ids like those of a prototype', { pid: ['__proto__', 'constructor'] }, ['__proto__', 'constructor']],
	['the longest id', { pid: 'x'.repeat(500) }, ['x'.repeat(500)]],
	['nested arrays', { pid: [[['p-1']]] }, ['p-1']],
	['an arrpid that is no list', { arrpid: { pid: 'p-1', length: 1 } }, ['p-1']],
	['a list', [{ pid: 'p-1' }, { pid: 'p-2' }], ['p-1', 'p-2']],
	['ids outside ASCII', { pid: ['Größe 42', '🧦'] }, ['Größe 42', '🧦']],
])('products are read from %s', async (_name, value, pids) => {
	expect(await changeOf(data(value))).toMatchObject({ pids, all: false, errors: [] });
});

test.each([
	['nothing', ''],
	['ids that cannot be used beside one that can', data({ pid: ['p-1', '', null, {}, ['p-2'], 1.5, true] })],
	['one that cannot be used in a list of products', data({ pid: 'p-1', arrpid: [{ pid: 'p-2' }, {}] })],
	['no data', '{"type":"review.created"}'],
	['no product', data({ wsid: 'W-1' })],
	['an empty id', data({ pid: '' })],
	['an id that is too long', data({ pid: 'x'.repeat(501) })],
	['a lone surrogate', '{"data":{"pid":"\\ud800"}}'],
	['a number that is not whole', data({ pid: 1.5 })],
	['a number that is not exact', '{"data":{"pid":12345678901234567890}}'],
	['an object', data({ pid: { toString: 'p-1' } })],
	['a prototype', '{"__proto__":{"data":{"pid":"p-1"}}}'],
	['a prototype in its data', '{"data":{"__proto__":{"pid":"p-1"}}}'],
	['an arrpid of strings', data({ arrpid: ['p-1', null, 5] })],
	['data of text', data('p-1')],
	['null', 'null'],
	['a text', '"p-1"'],
	['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
])('anything may have changed where the body has %s', async (_name, body) => {
	expect(await changeOf(body)).toMatchObject({ pids: [], all: true });
	expect(({} as { data?: unknown }).data).toBeUndefined();
});

describe('ids', () => {
	const body = (value: object) => JSON.stringify(value);

	test.each<[string | string[], string, string[]]>([
		['data.review.pid', body({ data: { pid: 'c', review: { pid: 'p-1' } } }), ['p-1']],
		[
			'reviews.product.id',
			body({ reviews: [{ product: { id: 'a' } }, { product: { id: ['b', 7] } }] }),
			['a', 'b', '7'],
		],
		[['items.pid', 'items.id'], body({ items: [{ id: 'a' }, { id: 'b' }] }), ['a', 'b']],
		['pid', body([{ pid: 'a' }]), ['a']],
	])('%j are found', async (ids, json, pids) => {
		expect(await changeOf(json, { ids })).toMatchObject({ pids, all: false, errors: [] });
	});

	test('of a review that is posted itself are found without the option', async () => {
		expect(await changeOf(body({ pid: 'p-1', rtng: 5 }))).toMatchObject({ pids: ['p-1'], all: false });
	});

	test('that are missing, or of only some elements, mean that anything may have changed', async () => {
		const ids = 'items.pid';
		expect(await changeOf(eventOf('p-1'), { ids })).toMatchObject({ all: true, errors: [] });
		expect(await changeOf(body({ items: [{ pid: 'a' }, {}] }), { ids })).toMatchObject({ all: true });
	});

	test.each(['', '.', 'a..b', 'a.', 5, null, ['a', '']])('cannot be at %j', (ids) => {
		expect(() => testHandler({ ids: ids as string })).toThrow('The option "ids" must be names of properties');
	});
});

test.each<[string, string[] | undefined, boolean]>([
	['{"type":"css_update"}', undefined, true],
	['{"event":"css_update","data":{"pid":"p-1"}}', undefined, true],
	['{"type":"rating_update"}', undefined, false],
	['{"type":"css_update"}', ['other'], false],
	['{"type":"other"}', ['css_update', 'other'], true],
	['{"event":"entry.update","model":"order"}', ['order'], true],
	['{"type":["css_update"]}', undefined, false],
])('%s is ignored with ignoreTypes %j: %s, once it is genuine', async (body, ignoreTypes, isIgnored) => {
	const { handle, statusOf, changes } = testHandler({ ignoreTypes });
	expect(await statusOf(messageOf({ body, secret: OTHER_SECRET }))).toBe(401);
	const response = await handle(requestOf(messageOf({ body })));
	const status = isIgnored ? 'ignored' : 'accepted';
	expect([response.status, await response.json()]).toEqual([202, { status }]);
	expect(changes).toHaveLength(isIgnored ? 0 : 1);
});

describe('select', () => {
	test('finds the ids in a body of another shape, and sees undefined where there is none', async () => {
		const select = vi.fn((body: unknown) => (body as { products?: string[] } | undefined)?.products);
		const body = '{"products":["a","b",7,"a"],"data":{"pid":"c"}}';
		expect(await changeOf(body, { select })).toMatchObject({ pids: ['a', 'b', '7'], all: false });
		expect(await changeOf('', { select })).toMatchObject({ all: true });
		expect(select.mock.calls).toEqual([[JSON.parse(body)], [undefined]]);
	});

	test('that gives an empty list says that nothing changed', async () => {
		const { handle, changes } = testHandler({ select: () => [] });
		const response = await handle(requestOf(messageOf()));
		expect([response.status, await response.json(), changes]).toEqual([202, { status: 'ignored' }, []]);
	});

	const NONE = [undefined, null, 'p-1', 5, { 0: 'p-1', length: 1 }, Promise.resolve(['p-1'])];

	test.each<[string, unknown, unknown[]?]>([
		...NONE.map((given): [string, unknown] => [JSON.stringify(given), given]),
		['ids that cannot be', [{}, '', Symbol('p-1')], [SOME_UNUSABLE(3)]],
		['some that cannot be', ['a', null, 'b', ''], [SOME_UNUSABLE(2)]],
		['an error', new Error('No such field.'), [new Error('No such field.')]],
	])('that gives %s: all may have changed, and what is wrong is told', async (_name, given, errors = []) => {
		const select = vi.fn(() => given as readonly unknown[]);
		if (given instanceof Error) select.mockThrow(given);
		expect(await changeOf(eventOf('p-1'), { select })).toMatchObject({ pids: [], all: true, errors });
	});
});

/** A body that is sent piece by piece, and counts what was read of it. */
function streamed(pieces: (count: number) => Uint8Array | undefined) {
	const read = { pieces: 0, isCancelled: false };
	const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
		const piece = pieces(read.pieces);
		read.pieces += 1;
		if (piece) controller.enqueue(piece);
		else controller.close();
	};
	const cancel = () => {
		read.isCancelled = true;
	};
	return { body: new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 }), read };
}

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
	const init = { method: 'POST', body, duplex: 'half', headers: { ...messageOf().headers, ...headers } };
	return new Request('https://shop.example', init as RequestInit);
}

describe('a body that is too large', () => {
	const endless = () => streamed(() => new Uint8Array(1_000));

	test('is not read if that is announced', async () => {
		const { body, read } = endless();
		const { status } = await testHandler().handle(post(body, { 'content-length': '262145' }));
		expect([status, read]).toEqual([413, { pieces: 0, isCancelled: true }]);
	});

	const ANNOUNCED = [{}, { 'content-length': '10' }, { 'content-length': 'many' }];
	test.each(ANNOUNCED)('or endless is read no further than allowed (announced: %j)', async (announced) => {
		const { body, read } = endless();
		const { status } = await testHandler({ maxBytes: 10_000 }).handle(post(body, announced));
		expect([status, read]).toEqual([413, { pieces: 11, isCancelled: true }]);
	});

	test('has one byte more than the most that is taken', async () => {
		const { statusOf } = testHandler();
		const full = `"${'x'.repeat(262_142)}"`;
		expect(await statusOf(messageOf({ body: full }))).toBe(202);
		expect(await statusOf(messageOf({ body: `${full} ` }))).toBe(413);
	});
});

test('a body that comes in many pieces is verified as a whole, at the time at which it has come', async () => {
	for (const age of [0, 299]) {
		const handler = testHandler();
		const message = messageOf({ timestamp: String(NOW / 1_000 - age) });
		const { body } = streamed((count) => {
			if (count === 0) handler.advance(2_000);
			return message.body.length > count ? message.body.subarray(count, count + 1) : undefined;
		});
		expect((await handler.handle(post(body, message.headers))).status).toBe(age === 0 ? 202 : 401);
	}
});

test.each([-300, -1, 0, 1, 300])('signed %i s from now, it is a replay while it is good', async (offset) => {
	const { handle, statusOf, changes, advance } = testHandler();
	const message = messageOf({ timestamp: String(NOW / 1_000 + offset) });
	for (const milliseconds of [0, (300 + offset) * 1_000]) {
		advance(milliseconds);
		const response = await handle(requestOf(message));
		expect([response.status, await response.json()]).toEqual([202, { status: 'accepted' }]);
		expect(changes).toHaveLength(1);
	}
	advance(1);
	expect(await statusOf(message)).toBe(401);
});

test('an event that is sent again with a new signature is a replay, until its time is over', async () => {
	const { statusOf, changes, advance } = testHandler();
	const counts = [];
	for (const seconds of [0, 120, 301]) {
		const message = messageOf({ id: 'same', timestamp: String(NOW / 1_000 + seconds) });
		expect(await statusOf(message)).toBe(202);
		counts.push(changes.length);
		advance(seconds === 0 ? 120_000 : 181_000);
	}
	expect(counts).toEqual([1, 1, 2]);
});

test.each([
	['throws', throws],
	['rejects', async () => throws()],
])('a change that could not be recorded (%s) is answered 503, and the next try counts', async (_, fails) => {
	const taken = vi.fn().mockImplementationOnce(fails);
	const { handle, statusOf, errors } = testHandler({ onChange: taken });
	const message = messageOf();
	const response = await handle(requestOf(message));
	expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
	expect(await response.text()).not.toContain('canary');
	expect(errors).toEqual([new Error('canary: not today.')]);
	for (let time = 0; time < 2; time += 1) expect(await statusOf(message)).toBe(202);
	expect(taken).toHaveBeenCalledTimes(2);
});

test.each([
	['reject', 503],
	['resolve', 202],
] as const)('a copy that comes while the first is taken down shares its fate: %s', async (fate, status) => {
	const taken = Promise.withResolvers<void>();
	const onChange = vi.fn(() => taken.promise);
	// Signatures are verified in another thread, which takes any time.
	const { statusOf } = testHandler({ onChange, verify: () => ({ id: 'one' }) });
	const message = messageOf();
	const answers = [statusOf(message), statusOf(message)];
	await settled();
	taken[fate](new Error('The disk is full.') as never);
	expect(await Promise.all(answers)).toEqual([status, status]);
	expect(onChange).toHaveBeenCalledOnce();
});

test('ids of a verify function are remembered for ten minutes if it does not say for how long', async () => {
	const verify = vi.fn<Verifier>(() => ({ id: 'one' }));
	const { statusOf, changes, advance } = testHandler({ verify });
	await statusOf(messageOf());
	advance(600_000);
	await statusOf(messageOf());
	verify.mockReturnValueOnce({ id: 'two' });
	await statusOf(messageOf());
	expect(changes).toHaveLength(2);
	advance(1);
	await statusOf(messageOf());
	expect(changes).toHaveLength(3);
});

test('no more than 100,000 events are remembered; the oldest go first', async () => {
	const event = { recording: Promise.resolve(true), until: NOW + 300_000 };
	const events = new Map(Array.from({ length: 100_001 }, (_, id) => [String(id), event]));
	expect(recallEvent(events, '1', NOW)).toBeUndefined();
	expect(recallEvent(events, '2', NOW)).toBe(event.recording);
	expect(events.size).toBe(99_999);
});
