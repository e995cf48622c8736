import { describe, expect, test } from 'vitest';
import { readChangedProducts } from '../../../src/build/read-changed-products.js';

const read = (environment: Record<string, string>, file = '') => readChangedProducts(environment, () => file);
const pids = (...list: string[]) => ({ pids: list, all: false });
const ALL = { pids: [], all: true };

describe('REVIEWS_CHANGED', () => {
	test.each<[string, unknown]>([
		['', pids()],
		[' ', pids()],
		['p-1', pids('p-1')],
		['p-1, p-2\np-3  p-1', pids('p-1', 'p-2', 'p-3')],
		['all', ALL],
		['p-1,all', { pids: ['p-1'], all: true }],
		['["p 1","p,2",3]', pids('p 1', 'p,2', '3')],
		['"p-1"', pids('p-1')],
		['{"pids":["a","b"]}', pids('a', 'b')],
		['{"pid":"a","all":true}', { pids: ['a'], all: true }],
		['{"type":"review.created","data":{"wsid":"W","pid":["a","b"]}}', pids('a', 'b')],
		['{"data":{"arrpid":[{"pid":"a","pn":"x"},{"pid":7}]}}', pids('a', '7')],
		// JSON carried another number than was written: it may be any product.
		['["a",12345678901234567890]', { pids: ['a'], all: true }],
		// Which products these are is not known.
		['["a",null,{},[],""]', { pids: ['a'], all: true }],
		['{"pids":["a",""]}', { pids: ['a'], all: true }],
		['{"pids":["a"],"pid":true}', { pids: ['a'], all: true }],
		['{"data":{"arrpid":[{"pid":"a"},{"pn":"x"}]}}', { pids: ['a'], all: true }],
		['[null,{},[]]', pids()],
		['{"pids":', pids()],
	])('%j', (value, expected) => {
		expect(read({ REVIEWS_CHANGED: value })).toEqual(expected);
	});
});

describe('a Netlify build hook', () => {
	test.each<[string, unknown]>([
		[encodeURIComponent('{"pids":["ä 1"]}'), pids('ä 1')],
		['%7B%22pids%22%3A%5B%22a+1%22%5D%7D', pids('a 1')],
		['{"pids":["a"]}', pids('a')],
		['trigger me', pids()],
		['%7B%22title%22%3A%22a%20new%20article%22%7D', pids()],
		['%', pids()],
		['', pids()],
	])('%j', (body, expected) => {
		expect(read({ INCOMING_HOOK_BODY: body })).toEqual(expected);
	});
});

test.each([
	['objects', '{"data":', '"a"', '}'],
	['lists', '[', '"a"', ']'],
	['products', '{"pid":', '"a"', '}'],
	['both', '{"data":[', '"a"', ']}'],
])('a body that is nested as deep as it can be is read without harm: %s', (_what, open, inner, close) => {
	const body = (depth: number) => open.repeat(depth) + inner + close.repeat(depth);
	expect(read({ INCOMING_HOOK_BODY: body(1) })).toEqual(pids('a'));
	expect(read({ REVIEWS_CHANGED: `["b",${body(60_000)}]` })).toEqual({ pids: ['b'], all: true });
	expect(read({ INCOMING_HOOK_BODY: body(60_000) })).toEqual(pids());
});

test('ids that cannot be used are told, and those of a body that is not about products are not', () => {
	const told: number[] = [];
	const tell = (body: string) =>
		readChangedProducts(
			{ INCOMING_HOOK_BODY: body },
			() => '',
			(count) => told.push(count),
		);
	tell('{"pids":["a",null,"b",{}]}');
	tell('{"pids":["a"]}');
	tell('{"data":[{"title":"an article"}]}');
	expect(told).toEqual([2]);
});

describe('a GitHub dispatch', () => {
	const EVENT = JSON.stringify({ action: 'reviews', client_payload: { pids: ['a', 'b'] } });

	test('names the products in its payload', () => {
		const environment = { GITHUB_EVENT_NAME: 'repository_dispatch', GITHUB_EVENT_PATH: '/event.json' };
		expect(read(environment, EVENT)).toEqual(pids('a', 'b'));
		expect(read(environment, '{"client_payload":{"all":true}}')).toEqual(ALL);
		expect(read(environment, 'broken')).toEqual(pids());
	});

	test('another event is none', () => {
		expect(read({ GITHUB_EVENT_NAME: 'push', GITHUB_EVENT_PATH: '/event.json' }, EVENT)).toEqual(pids());
	});

	test('a file that is gone says nothing', () => {
		const environment = { GITHUB_EVENT_NAME: 'repository_dispatch', GITHUB_EVENT_PATH: '/gone.json' };
		expect(
			readChangedProducts(environment, () => {
				throw new Error('ENOENT');
			}),
		).toEqual(pids());
	});
});
