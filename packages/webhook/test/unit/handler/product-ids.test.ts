import { NOW } from 'product-reviews-test-support/clock';
import { eventOf, messageOf } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import type { WebhookHandlerOptions } from '../../../src/index.js';
import { testHandler } from '../../support/handler.js';

async function changeOf(body: string, options: Partial<WebhookHandlerOptions> = {}) {
	const { statusOf, changes } = testHandler(options);
	expect(await statusOf(messageOf({ body }))).toBe(202);
	expect(changes).toHaveLength(1);
	return changes[0];
}

const data = (value: unknown) => JSON.stringify({ type: 'x', data: value });

test('a change has the id, type and time of its event', async () => {
	const { statusOf, changes } = testHandler();
	await statusOf(messageOf({ id: 'msg_7', body: eventOf('p-1', 'review.published') }));
	expect(changes).toEqual([
		{ id: 'msg_7', pids: ['p-1'], all: false, type: 'review.published', receivedAt: NOW },
	]);
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
		expect(await changeOf(data(value))).toMatchObject({ pids, all: false });
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

test('100,000 ids are read', async () => {
	const pid = Array.from({ length: 100_000 }, (_, index) => `p-${index}`);
	expect((await changeOf(data({ pid }), { maxBytes: 2_000_000 }))?.pids).toEqual(pid);
});

describe('a type', () => {
	test.each(['review.created', 'question_answered', 'x'.repeat(100)])('%s is kept', async (type) => {
		expect(await changeOf(eventOf('p-1', type))).toMatchObject({ type });
	});

	test.each(['', 'two words', 'x'.repeat(101), 'a\nb', '<b>'])('"%s" is left out', async (type) => {
		expect(await changeOf(eventOf('p-1', type))).toMatchObject({ type: undefined, pids: ['p-1'] });
	});
});

describe('select', () => {
	test('finds the ids in a body of another shape', async () => {
		const select = (body: unknown) => (body as { products: string[] }).products;
		const change = await changeOf('{"products":["a","b",7,"a"],"data":{"pid":"c"}}', { select });
		expect(change).toMatchObject({ pids: ['a', 'b', '7'], all: false });
	});

	test('sees undefined where there is no body', async () => {
		const bodies: unknown[] = [];
		await changeOf('', { select: (body) => void bodies.push(body) as undefined });
		expect(bodies).toEqual([undefined]);
	});

	test.each([
		['nothing', undefined],
		['null', null],
		['an empty list', []],
		['a text', 'p-1'],
		['a number', 5],
		['an object', { 0: 'p-1', length: 1 }],
		['a promise', Promise.resolve(['p-1'])],
		['ids that cannot be', [{}, '', Symbol('p-1')]],
	])('that returns %s: anything may have changed', async (_name, value) => {
		const select = () => value as unknown as readonly unknown[];
		expect(await changeOf(eventOf('p-1'), { select })).toMatchObject({ pids: [], all: true });
	});

	test('that gives ids that cannot be used beside others: anything may have changed, and that is told', async () => {
		const { statusOf, changes, errors } = testHandler({ select: () => ['a', null, 'b', ''] });
		expect(await statusOf(messageOf())).toBe(202);
		expect(changes).toMatchObject([{ pids: [], all: true }]);
		expect(errors).toEqual([
			new Error('An event names 2 unusable product ids. All products are treated as changed.'),
		]);
	});

	test('that throws: anything may have changed, and the error is told', async () => {
		const { statusOf, changes, errors } = testHandler({
			select: () => {
				throw new Error('No such field.');
			},
		});
		expect(await statusOf(messageOf())).toBe(202);
		expect(changes).toMatchObject([{ pids: [], all: true }]);
		expect(errors).toEqual([new Error('No such field.')]);
	});
});
