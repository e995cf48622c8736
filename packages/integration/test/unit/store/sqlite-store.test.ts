import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClock } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import { record } from '../../support/unit/record.js';
import { createStoreFile } from '../../support/unit/store.js';

const VALUE = { text: 'Boils fast. 😀 <b>"' };

describe('values', () => {
	test('are readable at once, and after the store was closed', () => {
		const { open, warnings } = createStoreFile();
		const first = open();
		const table = first.table('reviews');
		table.put('p-1', pack(VALUE), 1_000);
		const stored = {
			pid: 'p-1',
			value: VALUE,
			digest: pack(VALUE).digest,
			fetchedAt: 1_000,
			state: 'fetched',
			validators: undefined,
			summary: undefined,
		};
		expect(table.get('p-1')).toEqual(stored);
		first.flush();
		expect(table.get('p-1')).toEqual(stored);
		first.close();
		const second = open().table('reviews');
		expect(second.get('p-1')).toEqual(stored);
		expect(second.entry('p-1')?.fetchedAt).toBe(1_000);
		expect(second.get('p-2')).toBeUndefined();
		expect(second.entry('p-2')?.fetchedAt).toBeUndefined();
		expect(warnings).toEqual([]);
	});

	test('many entries are read at once: of the file, and of what is not in it yet', () => {
		const { open } = createStoreFile();
		const first = open();
		for (const pid of ['p-1', 'p"2']) first.table('reviews').put(pid, pack(VALUE, { count: 1 }), 1_000);
		first.close();
		const table = open().table('reviews');
		table.put('p-3', pack(VALUE), 2_000);
		table.change('p-1', { state: 'stale' });
		const entries = table.entries(['p-3', 'p-1', 'p-4', 'p"2']);
		expect([...entries.keys()].sort()).toEqual(['p"2', 'p-1', 'p-3']);
		for (const [pid, entry] of entries) expect(entry).toEqual(table.entry(pid));
		expect(table.entries([]).size).toBe(0);
	});

	test('a kind without any is known to be empty, until there is one', () => {
		const { open } = createStoreFile();
		const store = open();
		expect(store.table('mark').isEmpty()).toBe(true);
		store.table('reviews').put('p-1', pack(VALUE), 1_000);
		expect(store.table('mark').isEmpty()).toBe(true);
		store.table('mark').put('p-1', pack({}), 1_000);
		expect(store.table('mark').isEmpty()).toBe(false);
		store.close();
		expect(open().table('mark').isEmpty()).toBe(false);
		expect(open('other').table('mark').isEmpty()).toBe(true);
	});

	test('of one resource are not those of another', () => {
		const store = createStoreFile().open();
		store.table('reviews').put('p-1', pack(1), 1);
		store.table('review-data').put('p-1', pack(2), 2);
		store.flush();
		expect(store.table('reviews').get('p-1')?.value).toBe(1);
		expect(store.table('review-data').get('p-1')?.value).toBe(2);
	});

	test('of another account are never read', () => {
		const { open } = createStoreFile();
		const mine = open('mine');
		mine.table('reviews').put('p-1', pack('mine'), 1);
		mine.close();
		const theirs = open('theirs');
		expect(theirs.table('reviews').get('p-1')).toBeUndefined();
		theirs.table('reviews').put('p-1', pack('theirs'), 2);
		theirs.close();
		expect(open('mine').table('reviews').get('p-1')?.value).toBe('mine');
	});

	test('a hundred are written without a flush', () => {
		const { open } = createStoreFile();
		const writer = open().table('reviews');
		for (let index = 0; index < 100; index++) writer.put(`p-${index}`, pack(index), 1);
		writer.put('p-100', pack(100), 1);
		const reader = open().table('reviews');
		expect(reader.get('p-99')?.value).toBe(99);
		expect(reader.get('p-100')).toBeUndefined();
	});

	test('many and large ones come back', () => {
		const { open } = createStoreFile();
		const large = record({ heading: 'x'.repeat(1_000_000) });
		const store = open();
		for (let index = 0; index < 1_050; index++) store.table('reviews').put(`p-${index}`, pack(index), 1);
		store.table('reviews').put('large', pack(large), 1);
		store.close();
		const table = open().table('reviews');
		expect(
			Array.from({ length: 1_050 }, (_, index) => table.get(`p-${index}`)?.value === index),
		).not.toContain(false);
		expect(table.get('large')?.value).toEqual(large);
	});
});

describe('digests', () => {
	test('are the same for the same value, build after build', () => {
		expect(pack(record()).digest).toMatchInlineSnapshot(`"e69310752a3d8168c55fda43542bc006"`);
		expect(pack(record()).digest).toBe(pack(record()).digest);
	});
	test('differ for another value', () => {
		expect(pack({ a: 1 }).digest).not.toBe(pack({ a: 2 }).digest);
	});
});

describe('what is known of a value', () => {
	test('can be changed without the value', () => {
		const { open } = createStoreFile();
		const first = open();
		first.table('reviews').put('p-1', pack(VALUE), 1_000, '"etag"');
		first.table('reviews').change('p-1', { state: 'stale' });
		expect(first.table('reviews').entry('p-1')).toMatchObject({ fetchedAt: 1_000, state: 'stale' });
		first.close();
		const second = open();
		second.table('reviews').change('p-1', { fetchedAt: 2_000 });
		const changed = {
			digest: pack(VALUE).digest,
			fetchedAt: 2_000,
			state: 'stale',
			validators: '"etag"',
			summary: undefined,
		};
		expect(second.table('reviews').entry('p-1')).toEqual(changed);
		second.close();
		expect(open().table('reviews').get('p-1')).toEqual({ pid: 'p-1', value: VALUE, ...changed });
	});

	test('a new value is fetched, whatever the old one was', () => {
		const { open } = createStoreFile();
		const store = open();
		store.table('reviews').put('p-1', pack(1), 1_000, '"etag"');
		store.flush();
		store.table('reviews').change('p-1', { state: 'stale' });
		store.table('reviews').put('p-1', pack(2), 2_000);
		store.close();
		expect(open().table('reviews').get('p-1')).toMatchObject({
			value: 2,
			state: 'fetched',
			validators: undefined,
		});
	});

	test('of a value that is not there, nothing is kept', () => {
		const { open } = createStoreFile();
		const store = open();
		store.table('reviews').change('p-1', { state: 'stale' });
		store.close();
		expect(open().table('reviews').entry('p-1')).toBeUndefined();
	});
});

describe('what nobody asks for', () => {
	const DAY = 86_400_000;
	const setup = () => {
		const clock = createClock();
		const { open, file } = createStoreFile();
		const start = (account?: string) => open(account, clock.now);
		const first = start();
		for (const pid of ['used', 'gone']) {
			first.table('reviews').put(pid, pack(VALUE), clock.now());
			first.table('rating').put(pid, pack({}), clock.now());
		}
		first.close();
		/** A build a day that asks for one of the two. */
		const build = (days: number) => {
			for (let day = 0; day < days; day++) {
				clock.pass(DAY + 1);
				const store = start();
				store.table('reviews').entry('used');
				store.table('rating').get('used');
				store.close();
			}
		};
		return { clock, start, build, file };
	};

	test('is forgotten after a while, and what is asked for stays', () => {
		const { clock, start, build, file } = setup();
		build(29);
		const early = start();
		expect(early.prune(clock.now() - 30 * DAY)).toBe(0);
		early.close();
		build(3);
		const store = start();
		expect(store.prune(clock.now() - 30 * DAY)).toBe(1);
		for (const kind of ['reviews', 'rating'] as const) {
			expect(store.table(kind).get('gone')).toBeUndefined();
			expect(store.table(kind).get('used')).toBeDefined();
		}
		store.close();
		expect(count(file)).toEqual({ entries: 2, contents: 2 });
	});

	test("stays if it is a page that was only looked up, as one of Astro's cache is", () => {
		const { clock, start } = setup();
		const first = start();
		first.pages().put('page', pack({ address: '/' }), ['p-1']);
		first.close();
		for (let day = 0; day < 32; day++) {
			clock.pass(DAY);
			const store = start();
			store.pages().get('page');
			store.prune(clock.now() - 30 * DAY);
			store.close();
		}
		expect(start().pages().showing(['p-1'])).toEqual(['page']);
	});

	test('is forgotten of other accounts, too', () => {
		const { clock, start } = setup();
		clock.pass(31 * DAY);
		const other = start('other');
		expect(other.prune(clock.now() - 30 * DAY)).toBe(2);
		other.close();
		expect(start().table('reviews').get('used')).toBeUndefined();
	});

	test('a build writes once a day that something was used', () => {
		const { clock, start, build, file } = setup();
		build(1);
		const before = readFileSync(file);
		clock.pass(DAY / 2);
		const store = start();
		for (let round = 0; round < 3; round++) store.table('reviews').entry('used');
		store.close();
		expect(readFileSync(file).equals(before)).toBe(true);
	});

	function count(file: string) {
		const database = new DatabaseSync(file, { readOnly: true });
		const counts = database.prepare(
			'SELECT (SELECT count(*) FROM entries) AS entries, (SELECT count(*) FROM contents) AS contents',
		);
		const counted = { ...counts.get() };
		database.close();
		return counted;
	}
});

describe('two builds at once', () => {
	test('each reads what the other wrote, and the newer value stays', () => {
		const { open, warnings } = createStoreFile();
		const [one, other] = [open(), open()];
		one.table('reviews').put('a', pack('new'), 2_000);
		other.table('reviews').put('a', pack('old'), 1_000);
		other.table('reviews').put('b', pack('b'), 1_000);
		one.flush();
		other.flush();
		expect(one.table('reviews').get('b')?.value).toBe('b');
		expect(other.table('reviews').get('a')?.value).toBe('new');
		one.close();
		other.close();
		expect(open().table('reviews').get('a')).toMatchObject({ value: 'new', fetchedAt: 2_000 });
		expect(warnings).toEqual([]);
	});

	test('a store that another process is writing is opened and read at once', () => {
		const { file, open, warnings } = createStoreFile();
		const first = open();
		first.table('reviews').put('p-1', pack(VALUE), 1_000);
		first.close();
		const other = new DatabaseSync(file);
		other.exec('BEGIN IMMEDIATE');
		const startedAt = performance.now();
		expect(open().table('reviews').get('p-1')?.value).toEqual(VALUE);
		// SQLite waits 5 s for a lock.
		expect(performance.now() - startedAt).toBeLessThan(4_000);
		expect(warnings).toEqual([]);
		other.close();
	});

	test('a store that another process writes all the time costs two waits of 5 s, and not one for each batch', () => {
		const { file, open, warnings } = createStoreFile();
		open().close();
		const other = new DatabaseSync(file);
		other.exec('BEGIN IMMEDIATE');
		const startedAt = performance.now();
		const store = open();
		for (let index = 0; index < 250; index++) store.table('reviews').put(`p-${index}`, pack(VALUE), 1_000);
		expect(store.table('reviews').get('p-249')?.value).toEqual(VALUE);
		store.close();
		expect(performance.now() - startedAt).toBeLessThan(13_000);
		expect(warnings).toEqual([
			'The store could not be written: database is locked. The build goes on. [PR_STORE_UNUSABLE]',
		]);
		other.close();
	});

	test('a value from the future, written by a clock that was wrong, does not stay for ever', () => {
		const { open } = createStoreFile();
		const store = open();
		const now = Date.parse('2026-11-21');
		store.table('reviews').put('a', pack('wrong clock'), Date.parse('2090-01-01'));
		store.flush();
		store.table('reviews').put('a', pack('right'), now);
		store.close();
		expect(open().table('reviews').get('a')).toMatchObject({ value: 'right', fetchedAt: now });
	});
});

describe('hostile product ids', () => {
	const PIDS = [
		"it's",
		'"; DROP TABLE reviews; --',
		'a\u0000b',
		'a',
		'👩‍👩‍👧',
		'p'.repeat(500),
		'Case',
		'case',
		'../../x',
		' ',
		'%00',
		'\n',
		'__proto__',
	];

	test('each has its own value', () => {
		const { open } = createStoreFile();
		const store = open();
		for (const pid of PIDS) store.table('reviews').put(pid, pack({ pid }), 1);
		store.close();
		const table = open().table('reviews');
		for (const pid of PIDS) expect(table.get(pid)).toMatchObject({ pid, value: { pid } });
	});
});

describe('closing', () => {
	test('leaves one file', () => {
		const { file, open } = createStoreFile();
		const store = open();
		store.table('reviews').put('p-1', pack(VALUE), 1);
		store.close();
		expect(readdirSync(dirname(file)).sort()).toEqual(['.gitignore', 'reviews-v7.db']);
	});

	test('can be done twice, and what comes late is no trouble', () => {
		const { open, warnings } = createStoreFile();
		const store = open();
		store.close();
		store.close();
		const table = store.table('reviews');
		for (let index = 0; index < 150; index++) table.put(`p-${index}`, pack(1), 1);
		store.flush();
		expect(table.get('p')).toBeUndefined();
		expect(table.entry('p')?.fetchedAt).toBeUndefined();
		expect(warnings).toEqual([]);
	});
});

test('the file holds no path of this machine', () => {
	const { file, open } = createStoreFile();
	const store = open();
	store.table('reviews').put('p-1', pack(record()), 1);
	store.close();
	const bytes = readFileSync(file, 'latin1');
	expect(bytes).toContain('p-1');
	expect(bytes).not.toContain(dirname(file));
	expect(bytes).not.toContain(process.cwd());
});
