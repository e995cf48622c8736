import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import { record } from '../../support/unit-record.js';
import { createStoreFile } from '../../support/unit-store.js';

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
		expect(pack(record()).digest).toMatchInlineSnapshot(`"c9261f0bedd3d68232932cff641fe295"`);
		expect(pack(record()).digest).toBe(pack(record()).digest);
	});
	test('differ for another value', () => {
		expect(pack({ a: 1 }).digest).not.toBe(pack({ a: 2 }).digest);
	});
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
		expect(readdirSync(dirname(file))).toEqual(['reviews-v2.db']);
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
