import { NOW } from 'product-reviews-test-support/clock';
import { eventOf, messageOf } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import type { WebhookHandlerOptions } from '../../../src/index.js';
import { testHandler } from '../../support/handler.js';

/** What is taken down of a body. */
async function changeOf(body: string, options: Partial<WebhookHandlerOptions> = {}) {
	const { statusOf, changes, errors } = testHandler(options);
	expect(await statusOf(messageOf({ body }))).toBe(202);
	expect(changes).toHaveLength(1);
	return { ...changes[0], errors };
}

const data = (value: unknown) => JSON.stringify({ type: 'x', data: value });
const SOME_UNUSABLE = (count: number) =>
	new Error(`An event names ${count} unusable product ids. All products are treated as changed.`);

test('a change has the id and time of its event', async () => {
	const { statusOf, changes } = testHandler();
	await statusOf(messageOf({ id: 'msg_7' }));
	expect(changes).toEqual([{ id: 'msg_7', pids: ['p-1'], all: false, receivedAt: NOW }]);
});

describe('products are read from', () => {
	test.each([
		['a string', { pid: 'p-1' }, ['p-1']],
		['an array', { pid: ['p-1', 'p-2', 'p-1'] }, ['p-1', 'p-2']],
		['arrpid', { arrpid: [{ pid: 'p-1', pn: 'Boots' }, { pid: 'p-2' }] }, ['p-1', 'p-2']],
		['both', { pid: 'p-1', arrpid: [{ pid: 'p-2' }] }, ['p-1', 'p-2']],
		['a number', { pid: 8_126_544 }, ['8126544']],
		['ids like those of a prototype', { pid: ['__proto__', 'constructor'] }, ['__proto__', 'constructor']],
		['the longest id', { pid: 'x'.repeat(500) }, ['x'.repeat(500)]],
		['ids outside ASCII', { pid: ['Größe 42', '🧦'] }, ['Größe 42', '🧦']],
	])('%s', async (_name, value, pids) => {
		expect(await changeOf(data(value))).toMatchObject({ pids, all: false, errors: [] });
	});
});

describe('anything may have changed where the body has', () => {
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
		['nested arrays', data({ pid: [[['p-1']]] })],
		['an object', data({ pid: { toString: 'p-1' } })],
		['a prototype', '{"__proto__":{"data":{"pid":"p-1"}}}'],
		['a prototype in its data', '{"data":{"__proto__":{"pid":"p-1"}}}'],
		['an arrpid of something else', data({ arrpid: { pid: 'p-1', length: 1 } })],
		['an arrpid of strings', data({ arrpid: ['p-1', null, 5] })],
		['data of text', data('p-1')],
		['data of a list', data([{ pid: 'p-1' }])],
		['a list', '[{"data":{"pid":"p-1"}}]'],
		['null', 'null'],
		['a text', '"p-1"'],
		['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
	])('%s', async (_name, body) => {
		expect(await changeOf(body)).toMatchObject({ pids: [], all: true });
		expect(({} as { data?: unknown }).data).toBeUndefined();
	});
});

describe('select', () => {
	test('finds the ids in a body of another shape, and sees undefined where there is none', async () => {
		const seen: unknown[] = [];
		const select = (body: unknown) => {
			seen.push(body);
			return (body as { products?: string[] } | undefined)?.products;
		};
		const body = '{"products":["a","b",7,"a"],"data":{"pid":"c"}}';
		expect(await changeOf(body, { select })).toMatchObject({ pids: ['a', 'b', '7'], all: false });
		expect(await changeOf('', { select })).toMatchObject({ all: true });
		expect(seen).toEqual([JSON.parse(body), undefined]);
	});

	test.each<[string, unknown, unknown[]?]>([
		['nothing', undefined],
		['null', null],
		['an empty list', []],
		['a text', 'p-1'],
		['a number', 5],
		['an object', { 0: 'p-1', length: 1 }],
		['a promise', Promise.resolve(['p-1'])],
		['ids that cannot be', [{}, '', Symbol('p-1')], [SOME_UNUSABLE(3)]],
		['some that cannot be', ['a', null, 'b', ''], [SOME_UNUSABLE(2)]],
		['an error', new Error('No such field.'), [new Error('No such field.')]],
	])(
		'that gives %s: anything may have changed, and what is wrong is told',
		async (_name, given, errors = []) => {
			const select = () => {
				if (given instanceof Error) throw given;
				return given as readonly unknown[];
			};
			expect(await changeOf(eventOf('p-1'), { select })).toMatchObject({ pids: [], all: true, errors });
		},
	);
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

	test.each([{}, { 'content-length': '10' }, { 'content-length': 'many' }])(
		'or endless is read no further than allowed (announced: %j)',
		async (announced) => {
			const { body, read } = endless();
			const { status } = await testHandler({ maxBytes: 10_000 }).handle(post(body, announced));
			expect([status, read]).toEqual([413, { pieces: 11, isCancelled: true }]);
		},
	);

	test('has one byte more than the most that is taken', async () => {
		const { statusOf } = testHandler();
		const full = `"${'x'.repeat(262_142)}"`;
		expect(await statusOf(messageOf({ body: full }))).toBe(202);
		expect(await statusOf(messageOf({ body: `${full} ` }))).toBe(413);
	});
});

test('a body that comes in many pieces is verified as a whole, at the time at which it has come', async () => {
	for (const [age, status] of [
		[0, 202],
		[299, 401],
	] as const) {
		const handler = testHandler();
		const message = messageOf({ timestamp: String(NOW / 1_000 - age) });
		const { body } = streamed((count) => {
			if (count === 0) handler.advance(2_000);
			return message.body.length > count ? message.body.subarray(count, count + 1) : undefined;
		});
		expect((await handler.handle(post(body, message.headers))).status).toBe(status);
	}
});
