import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { pack } from '../../../../src/store/values.js';
import { printed, run } from '../../../support/cli/command.js';
import { createFilledStore, FETCHED_AT } from '../../../support/unit/filled-store.js';
import { displayed, record } from '../../../support/unit/record.js';
import { createStoreFile } from '../../../support/unit/store.js';

const NOW = FETCHED_AT + 3 * 3_600_000;

describe('store ls', () => {
	const list = (file: string, ...args: string[]) => printed(file, ['store', 'ls', ...args], NOW);

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

describe('store show', () => {
	const show = (file: string, ...args: string[]) =>
		printed(file, ['store', 'show', ...args], FETCHED_AT + 60_000);

	test('says what is known of each value, and what it says', async () => {
		const text = await show(createFilledStore(['p-1', 'p-2']).file, 'p-1');
		expect(text).toMatch(
			/^Product "p-1"\n\nreviews\n {2}fetched {5}2020-02-29T12:00:00.000Z \(1 min ago\)\n/,
		);
		expect(text).toContain('\n  4.5 of 2 ratings; 1 review to read, 1 review in structured data\n');
		expect(text).toContain('\n  5/5 2026-11-20 Ada: Good | Boils fast.\n');
		expect(text).toContain('\nrating\n');
		expect(text).toContain('\n  4.5 of 2 ratings; 3 questions\n');
	});

	test('shows review data, a mark, validators and the first reviews of many', async () => {
		const { file, open } = createFilledStore(['p-1']);
		const store = open();
		const reviews = Array.from({ length: 9 }, (_, index) => displayed({ title: `Title ${index}` }));
		const aggregate = { average: 3.2, count: 1_200 };
		const data = { pid: 'p-1', reviews, aggregate, media: [{}], questions: [], questionCount: 7 };
		store.table('review-data').put('p-1', pack(data), FETCHED_AT, '{"etag":"\\"x\\""}');
		store.table('mark').put('p-1', pack({}), FETCHED_AT);
		store.close();
		const text = await show(file, 'p-1');
		expect(text).toContain('3.2 of 1,200 ratings; 9 reviews, 7 questions, 1 media\n');
		expect(text).toMatch(/Title 4(?!.*Title 5).*and 4 more; --json prints them all\n/s);
		expect(text).toContain('validators  yes\n');
		expect(text).toContain('\nmark\n  written ');
		expect(text).not.toContain('etag');
	});

	test('--json prints whole records, of each account', async () => {
		const { file } = createFilledStore(['p-1'], ['one', 'two']);
		const { pid, kept } = JSON.parse(await show(file, 'p-1', '--json'));
		expect([pid, ...kept.map((row: Record<string, string>) => `${row['account']} ${row['kind']}`)]).toEqual([
			...['p-1', 'one reviews', 'one rating', 'two reviews', 'two rating'],
		]);
		expect(kept[0]).toMatchObject({
			...{ fetchedAt: '2020-02-29T12:00:00.000Z', state: 'fetched', hasValidators: false },
			record: record(),
		});
		expect(await show(file, 'p-1')).toContain('\nreviews, account two\n');
	});

	test('does not hide the others behind a value that is damaged or of another form', async () => {
		const { file, open } = createFilledStore(['p-1']);
		const store = open();
		store.table('review-data').put('p-1', pack(['of another version']), FETCHED_AT);
		store.close();
		const database = new DatabaseSync(file);
		database.exec("UPDATE contents SET value = x'00' WHERE kind = 'reviews'");
		database.close();
		const text = await show(file, 'p-1');
		expect(text).toContain('  cannot be read: ');
		expect(text).toContain('does not know the form of this record');
		expect(text).toContain('4.5 of 2 ratings; 3 questions');
		expect(JSON.parse(await show(file, 'p-1', '--json')).kept[0].unreadable).toEqual(expect.any(String));
	});

	test.each(['p-7', '/p-1/'])('%s is not stored: an error, and a page is no product', async (pid) => {
		const { file } = createFilledStore(['p-1']);
		await expect(show(file, pid)).rejects.toThrow(`The product "${pid}" is not in the store.`);
	});
});

describe('store rm', () => {
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
		const { file } = createFilledStore(['p-1', 'p-2', 'p-3'], ['one', 'two']);
		expect(await printed(file, ['store', 'rm', 'p-1', 'p-3', 'p-1', 'no-such'])).toBe(
			'Removed 2 products. The next build that needs them fetches them.\nNot in the store: "no-such".\n',
		);
		const left = ['one', 'two'].flatMap((account) =>
			['page /p-1/', 'rating p-2', 'reviews p-2'].map((row) => `${account} ${row}`),
		);
		expect(rowsOf(file)).toEqual([...left, ...left]);
		await expect(printed(file, ['store', 'rm', '/p-1/', 'x'])).rejects.toThrow(
			'Not in the store: "/p-1/", "x".',
		);
		expect(rowsOf(file)).toEqual([...left, ...left]);
	});

	test('leaves no text of a review in the file, once it is vacuumed', async () => {
		const { file, open } = createFilledStore([]);
		const store = open();
		const html = (pid: string) => ({ set: 's', items: { k: { text: `Html of ${pid}`, about: 1 } } });
		for (const pid of ['p-1', 'p-2']) store.table('reviews').put(pid, pack({ pid }, undefined, html(pid)), 1);
		store.close();
		await printed(file, ['store', 'rm', 'p-1']);
		const database = new DatabaseSync(file);
		expect(database.prepare('SELECT count(*) AS count FROM blocks').get()).toEqual({ count: 0 });
		database.close();
		expect(open().table('reviews').get('p-2')?.value).toEqual({ pid: 'p-2' });
	});

	test('and vacuum give the room of what was removed back', async () => {
		const pids = Array.from({ length: 2_000 }, (_, index) => `p-${index}`);
		const { file } = createFilledStore(pids);
		await printed(file, ['store', 'rm', ...pids.slice(100)]);
		const vacuum = () => printed(file, ['store', 'vacuum']);
		const [, before, after] = /^([\d.]+ [KM]B) before, ([\d.]+ KB) after\n$/.exec(await vacuum()) ?? [];
		expect(after).toBeDefined();
		expect(before).not.toBe(after);
		expect(await vacuum()).toBe(`${after} before, ${after} after\n`);
		expect(await printed(file, ['store', 'ls'])).toMatch(/\n100 products, /);
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
		const text = await printed(file, ['store', 'ls']);
		expect(text).not.toMatch(DANGEROUS);
		expect(text.trimEnd().split('\n')).toHaveLength(2 * HOSTILE.length + 1);
		const json = await printed(file, ['store', 'ls', '--json']);
		expect(json).not.toMatch(DANGEROUS);
		const pids = JSON.parse(json).products.map(({ pid }: { pid: string }) => pid);
		expect(new Set(pids)).toEqual(new Set(HOSTILE));
	});

	test.each(HOSTILE)('%j is shown, marked and removed', async (pid) => {
		const { file } = createFilledStore([pid, 'other']);
		let text = '';
		for (const args of [
			['store', 'show', '--', pid],
			['store', 'show', '--json', '--', pid],
			['invalidate', '--', pid],
			['invalidate', '--json', '--', pid, `${pid}?`],
			['store', 'rm', '--', pid, `${pid}?`],
		])
			text += await printed(file, args, FETCHED_AT + 1);
		expect(text.replaceAll('\t', '')).not.toMatch(DANGEROUS);
		expect(await printed(file, ['store', 'ls'])).toMatch(/"other"\n1 product, /);
	});

	test('of reviews are shown clean, in 80 columns', async () => {
		const { file, open } = createFilledStore([]);
		const reviews = HOSTILE.map((text) => displayed({ title: text, author: text, body: text, date: text }));
		const store = open();
		for (const [pid, some] of Object.entries({ 'p-1': reviews.slice(0, 5), 'p-2': reviews.slice(5) }))
			store.table('reviews').put(pid, pack(record({ reviews: some })), FETCHED_AT);
		store.close();
		for (const pid of ['p-1', 'p-2']) {
			const text = await printed(file, ['store', 'show', pid]);
			expect(text).not.toMatch(DANGEROUS);
			expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(80);
		}
	});

	test.each([
		['store', 'show', '\u001b[2J'],
		['store', 'rm', '\u001b[2J'],
		['\u001b[2J'],
		['--\u001b[2J'],
		['store', 'ls', '--limit', '\u009b2J'],
	])('that a person mistypes are printed clean: %j', async (...args) => {
		const { file } = createFilledStore(['p-1']);
		const { status, output, errors } = await run(['--store', file, ...args]);
		expect([status, output]).toEqual([1, '']);
		expect(errors).not.toMatch(DANGEROUS);
	});
});
