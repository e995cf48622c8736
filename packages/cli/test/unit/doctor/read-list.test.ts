import { expect, test } from 'vitest';
import { readList } from '../../../src/doctor/gather/read-list.js';

test('reads one id of an endless list', async () => {
	let given = 0;
	async function* endless() {
		for (;;) yield `p-${++given}`;
	}
	expect(await readList(endless, undefined)).toMatchObject({ state: 'read', first: 'p-1', read: 1 });
	expect(given).toBe(1);
});

test('looks for a product as far as it has to', async () => {
	const list = ['p-1', 'p-2', 'p-3'];
	expect(await readList(list, 'p-2')).toMatchObject({ first: 'p-1', length: 3, read: 2, hasProduct: true });
	expect(await readList(list, 'p-9')).toMatchObject({ read: 3, hasProduct: false });
});

test('does not wait for a list that hangs', async () => {
	async function* hanging() {
		await new Promise(() => {});
		yield 'p-1';
	}
	expect(await readList(hanging, undefined, 20)).toMatchObject({
		state: 'failed',
		trouble: { code: 'PR_PRODUCT_LIST_UNREADABLE' },
	});
});

test('does not know about the rest of a list that hangs later', async () => {
	async function* slow() {
		yield 'p-1';
		await new Promise(() => {});
	}
	expect(await readList(slow, 'p-9', 20)).toMatchObject({ state: 'read', read: 1, hasProduct: undefined });
});

test.each<[string, () => unknown, string]>([
	['is empty', () => [], 'PR_PRODUCT_LIST_EMPTY'],
	['is none', () => undefined, 'PR_PRODUCT_LIST_UNREADABLE'],
	['contains an object', () => [{}], 'PR_INVALID_PRODUCT_ID'],
	[
		'throws',
		() => {
			throw new Error('no catalogue');
		},
		'PR_PRODUCT_LIST_UNREADABLE',
	],
])('a list that %s', async (_, source, code) => {
	expect(await readList(source as () => string[], undefined)).toMatchObject({
		state: 'failed',
		trouble: { code },
	});
});
