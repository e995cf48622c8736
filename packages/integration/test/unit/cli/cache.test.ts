import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/store/values.js';
import { printed, run } from '../../support/cli/command.js';
import { createFilledStore, FETCHED_AT } from '../../support/unit/filled-store.js';
import { record } from '../../support/unit/record.js';
import { createStoreFile } from '../../support/unit/store.js';

const NOW = FETCHED_AT + 3 * 3_600_000;

describe('cache ls', () => {
	const list = (file: string, ...args: string[]) => printed(file, ['cache', 'ls', ...args], NOW);

	test('has a line for each product, and the totals', async () => {
		expect(await list(createFilledStore(['p-1', 'p-2']).file)).toMatch(
			/^fetched {7}3 h +\d+ B {2}"p-1"\nfetched {7}3 h +\d+ B {2}"p-2"\n2 products, \d+ B, 0 stale\n$/,
		);
		// A store that a build is just making.
		const { file, open } = createStoreFile();
		open().flush();
		expect(await list(file)).toBe('0 products, 0 B, 0 stale\n');
		expect(JSON.parse(await list(file, '--json')).products).toEqual([]);
	});

	test('names review data and accounts where there are several', async () => {
		const { file, open } = createFilledStore(['p-1'], ['a-first-account', 'b-other']);
		const store = open('b-other');
		store.table('review-data').put('p-1', pack({}), FETCHED_AT);
		store.table('reviews').change('p-1', { state: 'stale' });
		store.close();
		expect((await list(file)).replace(/ +\d+ B/g, '').split('\n')).toEqual([
			'fetched       3 h  reviews      a-first-  "p-1"',
			'stale         3 h  reviews      b-other   "p-1"',
			'fetched       3 h  review-data  b-other   "p-1"',
			'2 products,, 1 stale',
			'',
		]);
	});

	test('prints as many as asked for, and counts all', async () => {
		const pids = Array.from({ length: 1_234 }, (_, index) => `p-${index}`);
		const { file } = createFilledStore(pids);
		const lines = (await list(file)).trimEnd().split('\n');
		const listed = lines.slice(0, -1).map((line) => line.split('  ').at(-1));
		expect(listed.toSorted()).toEqual(pids.map((pid) => `"${pid}"`).toSorted());
		expect(lines.at(-1)).toMatch(/^1,234 products, /);
		const some = (await list(file, '--limit', '501')).trimEnd().split('\n');
		expect(some).toEqual([...lines.slice(0, 501), 'and 733 more', lines.at(-1)]);
	});

	test('--json is one document with whole ids', async () => {
		const pid = `${'long '.repeat(100)}\u001b[31m`;
		const { file } = createFilledStore([pid, 'p-1'], ['one', 'two']);
		const { products, totals } = JSON.parse(await list(file, '--json'));
		expect(products).toHaveLength(4);
		expect(products[0]).toEqual({
			...{ pid, kind: 'reviews', state: 'fetched', account: 'one' },
			...{ fetchedAt: '2020-02-29T12:00:00.000Z', bytes: expect.any(Number) },
		});
		expect(totals).toMatchObject({ products: 4, stale: 0 });
		expect(JSON.parse(await list(file, '--json', '--limit', '3')).products).toHaveLength(3);
	});
});

describe('cache show', () => {
	const show = (file: string, pid: string) => printed(file, ['cache', 'show', pid]);

	test('prints whole records, of each account', async () => {
		const { file } = createFilledStore(['p-1'], ['one', 'two']);
		const { pid, kept } = JSON.parse(await show(file, 'p-1'));
		expect([pid, ...kept.map((row: Record<string, string>) => `${row['account']} ${row['kind']}`)]).toEqual([
			...['p-1', 'one reviews', 'one rating', 'two reviews', 'two rating'],
		]);
		expect(kept[0]).toMatchObject({
			...{ fetchedAt: '2020-02-29T12:00:00.000Z', state: 'fetched', hasValidators: false },
			record: record(),
		});
	});

	test('does not hide the others behind a value that is damaged or of another form', async () => {
		const { file, open } = createFilledStore(['p-1']);
		const store = open();
		store.table('review-data').put('p-1', pack(['of another version']), FETCHED_AT);
		store.close();
		const database = new DatabaseSync(file);
		database.exec("UPDATE contents SET value = x'00' WHERE kind = 'reviews'");
		database.close();
		const { kept } = JSON.parse(await show(file, 'p-1'));
		expect(kept[0].unreadable).toEqual(expect.any(String));
		expect(kept[1].record).toEqual(['of another version']);
	});

	test.each(['p-7', '/p-1/'])('%s is not stored: an error, and a page is no product', async (pid) => {
		const { file } = createFilledStore(['p-1']);
		await expect(show(file, pid)).rejects.toThrow(`The product "${pid}" is not in the cache.`);
	});
});

describe('cache clear', () => {
	/** Everything that is stored of products and pages. */
	const rowsOf = (file: string): unknown[] => {
		const database = new DatabaseSync(file);
		const rows = ['entries', 'contents'].flatMap((table) =>
			database.prepare(`SELECT account, kind, pid FROM ${table} ORDER BY account, kind, pid`).all(),
		);
		database.close();
		return rows.map((row) => Object.values(row).join(' '));
	};

	test('forgets products of all accounts, and leaves pages and other products', async () => {
		const { file, open } = createFilledStore(['p-1', 'p-2', 'p-3'], ['one', 'two']);
		const store = open('one');
		store.pages().put('other', pack({ address: '/other/', dependencies: [] }), ['p-2']);
		// The html of a page has what it shows of each of its products.
		for (const page of ['/p-1/', 'other']) store.pages().putHtml(page, 'html');
		store.close();
		expect(await printed(file, ['cache', 'clear', 'p-1', 'p-3', 'p-1', 'no-such'])).toBe(
			'Removed 2 products. The next build that needs them fetches them.\nNot in the cache: "no-such".\n',
		);
		const rows = ['page /p-1/', 'rating p-2', 'reviews p-2'];
		const left = [
			...['html other', 'page /p-1/', 'page other', ...rows.slice(1)].map((row) => `one ${row}`),
			...rows.map((row) => `two ${row}`),
		];
		expect(rowsOf(file)).toEqual([...left, ...left]);
		await expect(printed(file, ['cache', 'clear', '/p-1/', 'x'])).rejects.toThrow(
			'Not in the cache: "/p-1/", "x".',
		);
		expect(rowsOf(file)).toEqual([...left, ...left]);
	});

	test('and shrink give the room of what was removed back', async () => {
		const pids = Array.from({ length: 2_000 }, (_, index) => `p-${index}`);
		const { file } = createFilledStore(pids);
		await printed(file, ['cache', 'clear', ...pids.slice(100)]);
		const vacuum = () => printed(file, ['cache', 'shrink']);
		const [, before, after] = /^([\d.]+ [KM]B) before, ([\d.]+ KB) after\n$/.exec(await vacuum()) ?? [];
		expect(after).toBeDefined();
		expect(before).not.toBe(after);
		expect(await vacuum()).toBe(`${after} before, ${after} after\n`);
		expect(await printed(file, ['cache', 'ls'])).toMatch(/\n100 products, /);
	});
});

/** Moves cursors, breaks lines, turns them around, or means something to a program that is careless. */
const HOSTILE = [
	'\u001b[2J\u001b[31mred',
	'\u001b]0;title\u0007',
	'\u009b31mc1',
	'\u0080\u0090dcs\u007f',
	'two\nlines\r\u2028three',
	'\u202egnp.exe\u2066',
	'__proto__',
	"'; DROP TABLE entries; --",
	'constructor',
	'%s%n',
	'ab\u0000cd',
	'-rf',
	'"quoted"\\',
	'x'.repeat(5_000),
	'😀\u200d',
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const DANGEROUS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('hostile ids and texts', () => {
	test('are listed a line each, without what a terminal obeys', async () => {
		const { file } = createFilledStore(HOSTILE, ['one', '\u001b[31m']);
		const text = await printed(file, ['cache', 'ls']);
		expect(text).not.toMatch(DANGEROUS);
		expect(text.trimEnd().split('\n')).toHaveLength(2 * HOSTILE.length + 1);
		const json = await printed(file, ['cache', 'ls', '--json']);
		expect(json).not.toMatch(DANGEROUS);
		const pids = JSON.parse(json).products.map(({ pid }: { pid: string }) => pid);
		expect(new Set(pids)).toEqual(new Set(HOSTILE));
	});

	test.each(HOSTILE)('%j is shown, marked and removed', async (pid) => {
		const { file } = createFilledStore([pid, 'other']);
		let text = '';
		for (const args of [
			['cache', 'show', '--', pid],
			['cache', 'invalidate', '--', pid],
			['cache', 'invalidate', '--json', '--', pid, `${pid}?`],
			['cache', 'clear', '--', pid, `${pid}?`],
		])
			text += await printed(file, args, FETCHED_AT + 1);
		expect(text.replaceAll('\t', '')).not.toMatch(DANGEROUS);
		expect(await printed(file, ['cache', 'ls'])).toMatch(/"other"\n1 product, /);
	});

	test.each([
		['cache', 'show', '\u001b[2J'],
		['cache', 'clear', '\u001b[2J'],
		['\u001b[2J'],
		['--\u001b[2J'],
		['cache', 'ls', '--limit', '\u009b2J'],
	])('that a person mistypes are printed clean: %j', async (...args) => {
		const { file } = createFilledStore(['p-1']);
		const { status, output, errors } = await run(['--cache-file', file, ...args]);
		expect([status, output]).toEqual([1, '']);
		expect(errors).not.toMatch(DANGEROUS);
	});
});
