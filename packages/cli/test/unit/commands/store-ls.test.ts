import { describe, expect, test } from 'vitest';
import { pack } from '../../../../integration/src/store/pack.js';
import { createFilledStore, FETCHED_AT } from '../../../../integration/test/support/unit/filled-store.js';
import { printed } from '../../support/command.js';

const NOW = FETCHED_AT + 3 * 3_600_000;
const list = (file: string, ...args: string[]) => printed(file, ['store', 'ls', ...args], NOW);

describe('store ls', () => {
	test('has a line for each product, and the totals', () => {
		const { file } = createFilledStore(['p-1', 'p-2']);
		expect(list(file)).toMatch(
			/^fetched {7}3 h +\d+ B {2}"p-1"\nfetched {7}3 h +\d+ B {2}"p-2"\n2 products, \d+ B, 0 stale\n$/,
		);
	});

	test('names review data and accounts where there are several', () => {
		const { file, open } = createFilledStore(['p-1'], ['a-first-account', 'b-other']);
		const store = open('b-other');
		store.table('review-data').put('p-1', pack({}), FETCHED_AT);
		store.table('reviews').change('p-1', { state: 'stale' });
		store.close();
		expect(
			list(file)
				.replace(/ +\d+ B/g, '')
				.split('\n'),
		).toEqual([
			'fetched       3 h  reviews      a-first-  "p-1"',
			'stale         3 h  reviews      b-other   "p-1"',
			'fetched       3 h  review-data  b-other   "p-1"',
			'2 products,, 1 stale',
			'',
		]);
	});

	test('prints as many as asked for, and counts all', () => {
		const pids = Array.from({ length: 1_234 }, (_, index) => `p-${index}`);
		const { file } = createFilledStore(pids);
		const lines = list(file).trimEnd().split('\n');
		expect(new Set(lines.slice(0, -1).map((line) => line.split('  ').at(-1)))).toEqual(
			new Set(pids.map((pid) => `"${pid}"`)),
		);
		expect(lines).toHaveLength(1_235);
		expect(lines.at(-1)).toMatch(/^1,234 products, /);
		const some = list(file, '--limit', '501').trimEnd().split('\n');
		expect(some).toHaveLength(503);
		expect(some.slice(0, 501)).toEqual(lines.slice(0, 501));
		expect(some[501]).toBe('and 733 more');
	});

	test('--json is one document with whole ids', () => {
		const pid = `${'long '.repeat(100)}\u001b[31m`;
		const { file } = createFilledStore([pid, 'p-1'], ['one', 'two']);
		const { products, totals } = JSON.parse(list(file, '--json'));
		expect(products).toHaveLength(4);
		expect(products[0]).toEqual({
			pid,
			kind: 'reviews',
			state: 'fetched',
			fetchedAt: '2020-02-29T12:00:00.000Z',
			bytes: expect.any(Number),
			account: 'one',
		});
		expect(totals).toMatchObject({ products: 4, stale: 0 });
		expect(JSON.parse(list(file, '--json', '--limit', '3')).products).toHaveLength(3);
	});

	test('of an empty store says so', () => {
		const { file } = createFilledStore([]);
		expect(list(file)).toBe('0 products, 0 B, 0 stale\n');
		expect(JSON.parse(list(file, '--json')).products).toEqual([]);
	});
});
