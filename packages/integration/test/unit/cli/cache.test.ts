import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/records/packed.js';
import { isOutdated } from '../../../src/reviews/parts.js';
import { printed, run } from '../../support/cli/command.js';
import { change, createCacheFile, query } from '../../support/unit/cache.js';
import { createFilledCache, FETCHED_AT, STAMP } from '../../support/unit/filled-cache.js';
import { record } from '../../support/unit/record.js';

const NOW = FETCHED_AT + 3 * 3_600_000;

describe('cache ls', () => {
	const list = (file: string, ...args: string[]) => printed(file, ['cache', 'ls', ...args], NOW);

	test('has a line for each product, and the totals', async () => {
		expect(await list(createFilledCache(['p-1', 'p-2']).file)).toMatch(
			/^fetched {7}3 h +\d+ B {2}"p-1"\nfetched {7}3 h +\d+ B {2}"p-2"\n2 products, \d+ B, 0 stale\n$/,
		);
		// A store that a build is just making.
		const { file, open } = createCacheFile();
		open().flush();
		expect(await list(file)).toBe('0 products, 0 B, 0 stale\n');
		expect(JSON.parse(await list(file, '--json')).products).toEqual([]);
	});

	test('names review data and accounts where there are several', async () => {
		const { file, open } = createFilledCache(['p-1'], ['a-first-account', 'b-other']);
		const store = open('b-other');
		store.put('p-1', 'review-data', pack({}), STAMP);
		store.touch('p-1', 'reviews', { state: 'stale' });
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
		const { file } = createFilledCache(pids);
		const lines = (await list(file)).trimEnd().split('\n');
		const listed = lines.slice(0, -1).map((line) => line.split('  ').at(-1));
		expect(listed.toSorted()).toEqual(pids.map((pid) => `"${pid}"`).toSorted());
		expect(lines.at(-1)).toMatch(/^1,234 products, /);
		const some = (await list(file, '--limit', '501')).trimEnd().split('\n');
		expect(some).toEqual([...lines.slice(0, 501), 'and 733 more', lines.at(-1)]);
	});

	test('--json is one document with whole ids', async () => {
		const pid = `${'long '.repeat(100)}\u001b[31m`;
		const { file } = createFilledCache([pid, 'p-1'], ['one', 'two']);
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
		const { file } = createFilledCache(['p-1'], ['one', 'two']);
		const { pid, kept } = JSON.parse(await show(file, 'p-1'));
		expect([pid, ...kept.map((row: Record<string, string>) => `${row['account']} ${row['kind']}`)]).toEqual([
			...['p-1', 'one reviews', 'one rating', 'two reviews', 'two rating'],
		]);
		expect(kept[0]).toMatchObject({
			...{ fetchedAt: '2020-02-29T12:00:00.000Z', state: 'fetched', hasValidators: false },
			record: JSON.parse(JSON.stringify(record())),
		});
	});

	test('does not hide the others behind a value that is damaged or of another form', async () => {
		const { file, open } = createFilledCache(['p-1']);
		const store = open();
		store.put('p-1', 'review-data', pack(['of another version']), STAMP);
		store.close();
		change(file, "UPDATE payloads SET value = x'00' WHERE part = 'reviews'");
		change(file, "UPDATE products SET state = 'stale' WHERE part = 'rating'");
		const { kept } = JSON.parse(await show(file, 'p-1'));
		expect(kept[0].unreadable).toEqual(expect.any(String));
		expect(kept[1].record).toEqual(['of another version']);
		expect(kept[2].unreadable).toBe('its entry is damaged');
	});

	test.each(['p-7', '/p-1/'])('%s is not stored: an error, and a page is no product', async (pid) => {
		const { file } = createFilledCache(['p-1']);
		await expect(show(file, pid)).rejects.toThrow(`The product "${pid}" is not in the cache.`);
	});
});

describe('cache clear', () => {
	/** Everything that is stored of products and pages. */
	const rowsOf = (file: string) =>
		[
			...['products', 'payloads'].map((table) => `SELECT account, part, pid FROM ${table} ORDER BY 1, 2, 3`),
			'SELECT account, pid FROM marks',
			'SELECT name FROM pages',
		].map((sql) => query(file, sql).map((row) => Object.values(row).join(' ')));

	test('forgets products of all accounts, and leaves pages and other products', async () => {
		const { file, open } = createFilledCache(['p-1', 'p-2', 'p-3'], ['one', 'two']);
		const store = open('one');
		store.mark(['p-1', 'p-2'], 'person');
		store.close();
		expect(await printed(file, ['cache', 'clear', 'p-1', 'p-3', 'p-1', 'no-such'])).toBe(
			'Removed 2 products. The next build that needs them fetches them.\nNot in the cache: "no-such".\n',
		);
		const rows = ['one', 'two'].flatMap((account) => [`${account} rating p-2`, `${account} reviews p-2`]);
		const left = [rows, rows, ['one p-2'], ['p-1']];
		expect(rowsOf(file)).toEqual(left);
		await expect(printed(file, ['cache', 'clear', '/p-1/', 'x'])).rejects.toThrow(
			'Not in the cache: "/p-1/", "x".',
		);
		expect(rowsOf(file)).toEqual(left);
	});
});

/** Moves cursors, breaks lines, turns them around, or means something to a program that is careless. */
const HOSTILE = [
	...['\u001b[2J\u001b[31mred', '\u001b]0;title\u0007', '\u009b31mc1', '\u0080\u0090dcs\u007f'],
	...['two\nlines\r\u2028three', '\u202egnp.exe\u2066', 'ab\u0000cd', '😀\u200d', 'x'.repeat(5_000)],
	...['__proto__', 'constructor', '%s%n', '-rf', '"quoted"\\', "'; DROP TABLE entries; --"],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const DANGEROUS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('hostile ids and texts', () => {
	test('are listed a line each, without what a terminal obeys', async () => {
		const { file } = createFilledCache(HOSTILE, ['one', '\u001b[31m']);
		const text = await printed(file, ['cache', 'ls']);
		expect(text).not.toMatch(DANGEROUS);
		expect(text.trimEnd().split('\n')).toHaveLength(2 * HOSTILE.length + 1);
		const json = await printed(file, ['cache', 'ls', '--json']);
		expect(json).not.toMatch(DANGEROUS);
		const pids = JSON.parse(json).products.map(({ pid }: { pid: string }) => pid);
		expect(new Set(pids)).toEqual(new Set(HOSTILE));
	});

	test.each(HOSTILE)('%j is shown, marked and removed', async (pid) => {
		const { file } = createFilledCache([pid, 'other']);
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

	const MISTYPED = ['cache show \u001b[2J', 'cache clear \u001b[2J', '\u001b[2J', '--\u001b[2J'];

	test.each([...MISTYPED, 'cache ls --limit \u009b2J'])('mistyped are printed clean: %j', async (line) => {
		const { file } = createFilledCache(['p-1']);
		const { status, output, errors } = await run(['--cache-file', file, ...line.split(' ')]);
		expect([status, output]).toEqual([1, '']);
		expect(errors).not.toMatch(DANGEROUS);
	});
});

const invalidate = (file: string, ...args: string[]) =>
	printed(file, ['cache', 'invalidate', ...args], FETCHED_AT + 1);

/** Returns products that a build which opens the store now takes for outdated, on a person's word. */
function outdated({ open }: ReturnType<typeof createFilledCache>, account = 'account'): readonly string[] {
	const store = open(account);
	const found = store.marked();
	for (const { revision, confirmed } of found.map((pid) => store.markOf(pid)))
		expect(confirmed).toBe(revision);
	store.close();
	return found;
}

test('a build asks for what was marked, and for nothing else', async () => {
	const cacheFile = createFilledCache(['p-1', 'p-2']);
	expect(outdated(cacheFile)).toEqual([]);
	expect(await invalidate(cacheFile.file, 'p-2')).toBe(
		'Marked 1 product. The next build fetches them again, and "astro dev" on the next visit.\n',
	);
	expect(outdated(cacheFile)).toEqual(['p-2']);
});

test('--all marks whatever the service sent, stars in lists as well', async () => {
	const cacheFile = createFilledCache(['p-1', 'p-2']);
	const store = cacheFile.open();
	store.put('p-3', 'rating', pack({}), STAMP);
	store.close();
	const marked = JSON.parse(await invalidate(cacheFile.file, '--all', '--json'));
	expect(marked).toEqual({ marked: ['p-1', 'p-2', 'p-3'], unknown: [] });
	expect(outdated(cacheFile)).toEqual(['p-1', 'p-2', 'p-3']);
	expect(await invalidate(createFilledCache([]).file, '--all')).toBe('The cache has no product to mark.\n');
});

test('every account that has a product, and no other', async () => {
	const cacheFile = createFilledCache(['p-1'], ['one', 'two']);
	cacheFile.open('three').close();
	await invalidate(cacheFile.file, 'p-1');
	for (const account of ['one', 'two']) expect(outdated(cacheFile, account)).toEqual(['p-1']);
	expect(outdated(cacheFile, 'three')).toEqual([]);
});

test('a product that is not stored is named, and is no error', async () => {
	const { file } = createFilledCache(['p-1']);
	expect(await invalidate(file, 'new')).toBe(
		'Not in the cache, and fetched by the next build anyway: "new".\n',
	);
	expect(await invalidate(file, 'new', '/p-1/')).toContain('fetched by the next build anyway');
	const marked = JSON.parse(await invalidate(file, 'p-1', 'new', '--json'));
	expect(marked).toEqual({ marked: ['p-1'], unknown: ['new'] });
	await expect(printed(file, ['cache', 'show', 'new'])).rejects.toThrow('not in the cache');
});

test('a store that a build has open, and ids from standard input', async () => {
	const cacheFile = createFilledCache(['p-1', 'p-2']);
	const build = cacheFile.open();
	const stored = build.entry('p-1', 'reviews') ?? expect.unreachable('It is stored.');
	const invalidateLines = (input: string) =>
		run(['cache', 'invalidate', '-', '--cache-file', cacheFile.file, '--json'], { input });
	const { status, output, errors } = await invalidateLines('p-1\r\n\n__proto__\np-1\n');
	expect([status, errors]).toEqual([0, '']);
	expect(JSON.parse(output)).toEqual({ marked: ['p-1'], unknown: ['__proto__'] });
	// The store of the build sees it at once.
	expect(isOutdated(stored, build.markOf('p-1'))).toBe(true);
	build.close();
	expect(cacheFile.warnings).toEqual([]);
	const none = await invalidateLines('\n \n');
	expect(none.status).toBe(1);
	expect(none.errors).toContain('Standard input has no product IDs. Write one per line.\n');
});

const COMMANDS = ['cache ls', 'cache show p-1', 'cache clear p-1', 'cache invalidate p-1'];
const NOT_OURS = 'it is not a file of this cache';

/** A database that is made with a statement, as bytes. */
function databaseOf(sql: string): Buffer {
	const file = join(createFolder(), 'made.db');
	change(file, sql);
	return readFileSync(file);
}

const storeOf200 = () =>
	readFileSync(createFilledCache(Array.from({ length: 200 }, (_, index) => `p-${index}`)).file);

/** A store of which the bytes from one to another are overwritten. */
const spoilt = (from: number, to?: number) => () => storeOf200().fill(0x5a, from, to);

function ofSchema99() {
	const bytes = storeOf200();
	bytes.writeUInt32BE(99, 60);
	return bytes;
}

test.each<[string, () => Buffer, string]>([
	['text', () => Buffer.from('This is no database. '.repeat(500)), 'it is not a database'],
	['nothing', () => Buffer.alloc(0), 'it is not a database'],
	['zeros', () => Buffer.alloc(20_000), 'it is not a database'],
	['another database', () => databaseOf('CREATE TABLE mine (a)'), NOT_OURS],
	['one with a log', () => databaseOf('PRAGMA journal_mode = WAL; CREATE TABLE mine (a)'), NOT_OURS],
	['a store of another schema', ofSchema99, 'it has schema version 99'],
	['a store with damaged pages', spoilt(8_192), ''],
	['a store whose first page is damaged', spoilt(100, 8_192), ''],
])('%s is refused by every command, and left as it is', async (_, make, reason) => {
	const folder = createFolder();
	const file = join(folder, 'store.db');
	const bytes = make();
	writeFileSync(file, bytes);
	for (const command of COMMANDS) {
		await expect(printed(file, command.split(' ')), command).rejects.toThrow(
			new RegExp(`^The file at "store.db" cannot be used as a cache: .*${reason}`),
		);
		expect(readFileSync(file).equals(bytes), command).toBe(true);
	}
	expect(readdirSync(folder)).toEqual(['store.db']);
});

test('a database of another program that it has not closed keeps its log', async () => {
	const file = join(createFolder(), 'theirs.db');
	const theirs = new DatabaseSync(file);
	theirs.exec('PRAGMA journal_mode = WAL; CREATE TABLE mine (a); INSERT INTO mine VALUES (1)');
	const read = () => [file, `${file}-wal`].map((path) => readFileSync(path).toString('hex'));
	const bytes = read();
	await expect(printed(file, ['cache', 'clear', 'p-1'])).rejects.toThrow(NOT_OURS);
	expect(read()).toEqual(bytes);
	theirs.close();
});

test.each(COMMANDS)('a file that is missing is named, and not made: %s', async (command) => {
	const folder = createFolder();
	const missing = printed(join(folder, 'none.db'), command.split(' '));
	await expect(missing).rejects.toThrow('There is no cache at "none.db".');
	expect(readdirSync(folder)).toEqual([]);
});

test('the file is where it is by default if no build has said another place, and no folder', async () => {
	const cwd = createFolder();
	const { status, output, errors } = await run(['cache', 'ls', '--root', 'shop'], { cwd });
	const file = 'shop/node_modules/.astro/product-reviews/reviews-v8.db';
	expect([status, output, errors]).toEqual([1, '', expect.stringContaining(`"${file}"`)]);
	expect(readdirSync(cwd)).toEqual([]);
	mkdirSync(join(cwd, 'store.db'));
	await expect(printed(join(cwd, 'store.db'), ['cache', 'ls'])).rejects.toThrow('failed with EISDIR');
});
