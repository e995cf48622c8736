import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { pack } from '../../../../integration/src/store/pack.js';
import { createFilledStore } from '../../../../integration/test/support/unit/filled-store.js';
import { printed } from '../../support/command.js';

function rowsOf(file: string): unknown[] {
	const database = new DatabaseSync(file);
	const rows = ['entries', 'contents'].flatMap((table) =>
		database.prepare(`SELECT account, kind, pid FROM ${table} ORDER BY account, kind, pid`).all(),
	);
	database.close();
	return rows.map((row) => Object.values(row).join(' '));
}

test('forgets products of all accounts, and leaves pages and other products', () => {
	const { file } = createFilledStore(['p-1', 'p-2', 'p-3'], ['one', 'two']);
	expect(printed(file, ['store', 'rm', 'p-1', 'p-3', 'p-1', 'no-such'])).toBe(
		'Removed 2 products. The next build that needs them fetches them.\nNot in the store: "no-such".\n',
	);
	const left = ['one', 'two'].flatMap((account) => [
		`${account} page /p-1/`,
		`${account} rating p-2`,
		`${account} reviews p-2`,
	]);
	expect(rowsOf(file)).toEqual([...left, ...left]);
});

test('what was made of its reviews is gone from the file', () => {
	const { file, open } = createFilledStore([]);
	const store = open();
	const html = (pid: string) => ({ set: 's', items: { k: { text: `Html of ${pid}`, about: 1 } } });
	for (const pid of ['p-1', 'p-2']) store.table('reviews').put(pid, pack({ pid }, undefined, html(pid)), 1);
	store.close();
	printed(file, ['store', 'rm', 'p-1']);
	const database = new DatabaseSync(file);
	expect(database.prepare('SELECT count(*) AS count FROM blocks').get()).toEqual({ count: 0 });
	database.close();
	expect(open().table('reviews').get('p-2')?.value).toEqual({ pid: 'p-2' });
});

test('none found is an error, and a page is no product', () => {
	const { file } = createFilledStore(['p-1']);
	const before = rowsOf(file);
	expect(() => printed(file, ['store', 'rm', '/p-1/', 'x'])).toThrow('Not in the store: "/p-1/", "x".');
	expect(rowsOf(file)).toEqual(before);
});

test('vacuum gives the room of what was removed back', () => {
	const { file } = createFilledStore(Array.from({ length: 2_000 }, (_, index) => `p-${index}`));
	printed(file, ['store', 'rm', ...Array.from({ length: 1_900 }, (_, index) => `p-${index}`)]);
	const [, before, after] = /^([\d.]+) [KM]B before, ([\d.]+) KB after\n$/.exec(
		printed(file, ['store', 'vacuum']),
	) ?? [undefined, '0', '0'];
	expect(Number(after)).toBeGreaterThan(0);
	expect(printed(file, ['store', 'vacuum'])).toBe(`${after} KB before, ${after} KB after\n`);
	expect(before).not.toBe(after);
	expect(printed(file, ['store', 'ls'])).toMatch(/\n100 products, /);
});
