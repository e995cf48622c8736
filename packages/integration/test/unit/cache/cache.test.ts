import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { createClock } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../src/cache/open-database.js';
import { decode, encode, pack } from '../../../src/cache/values.js';
import { createCacheFile } from '../../support/unit/cache.js';
import { record } from '../../support/unit/record.js';

const VALUE = { text: 'Boils fast. 😀 <b>"' };
const DAY = 86_400_000;

describe('values', () => {
	test('are readable at once, after a flush, and in the next build', () => {
		const { open, warnings } = createCacheFile();
		const cache = open();
		cache.table('reviews').put('p-1', pack(VALUE), 1_000);
		const { digest } = pack(VALUE);
		const stored = {
			...{ pid: 'p-1', value: VALUE, digest, fetchedAt: 1_000, state: 'fetched' },
			...{ validators: undefined, summary: undefined },
		};
		expect(cache.table('reviews').get('p-1')).toEqual(stored);
		cache.flush();
		expect(cache.table('reviews').get('p-1')).toEqual(stored);
		cache.close();
		const next = open().table('reviews');
		expect(next.get('p-1')).toEqual(stored);
		expect(next.entry('p-1')?.fetchedAt).toBe(1_000);
		expect([next.get('p-2'), next.entry('p-2')]).toEqual([undefined, undefined]);
		expect(warnings).toEqual([]);
	});

	test('come back, many, large and under any id, each its own', () => {
		const { open } = createCacheFile();
		const values = new Map<string, unknown>(
			[
				...Array.from({ length: 1_050 }, (_, index) => `p-${index}`),
				...["it's", '"; DROP TABLE entries; --', 'a\u0000b', 'a', '👩‍👩‍👧', 'p'.repeat(500), 'Case', 'case'],
				...['../../x', ' ', '%00', '\n', '__proto__'],
			].map((pid) => [pid, { pid }]),
		);
		values.set('large', record({ heading: 'x'.repeat(1_000_000) }));
		const cache = open();
		for (const [pid, value] of values) cache.table('reviews').put(pid, pack(value), 1);
		cache.close();
		const table = open().table('reviews');
		for (const [pid, value] of values) expect(table.get(pid)).toMatchObject({ pid, value });
	});

	test('of another resource or account are never read', () => {
		const { open } = createCacheFile();
		const put = (account: string) => {
			const cache = open(account);
			for (const kind of ['reviews', 'review-data'] as const)
				cache.table(kind).put('p-1', pack(`${kind} of ${account}`), 1);
			cache.close();
		};
		put('mine');
		expect(open('theirs').table('reviews').get('p-1')).toBeUndefined();
		expect(open('mine').table('mark').isEmpty()).toBe(true);
		expect(open('theirs').table('reviews').isEmpty()).toBe(true);
		put('theirs');
		for (const account of ['mine', 'theirs'])
			for (const kind of ['reviews', 'review-data'] as const)
				expect(open(account).table(kind).get('p-1')?.value).toBe(`${kind} of ${account}`);
	});
});

test('what is known of a value can be changed without it, and goes with it', () => {
	const { open } = createCacheFile();
	const first = open();
	first.table('reviews').put('p-1', pack(VALUE), 1_000, '"etag"');
	first.table('reviews').change('p-1', { state: 'stale' });
	// Of a value that is not there, nothing is kept.
	first.table('reviews').change('p-2', { state: 'stale' });
	first.close();
	const second = open();
	second.table('reviews').change('p-1', { fetchedAt: 2_000 });
	const changed = { fetchedAt: 2_000, state: 'stale', validators: '"etag"' };
	expect(second.table('reviews').entry('p-1')).toMatchObject(changed);
	second.close();
	const third = open();
	expect(third.table('reviews').get('p-1')).toMatchObject({ value: VALUE, ...changed });
	expect(third.table('reviews').entry('p-2')).toBeUndefined();
	third.table('reviews').put('p-1', pack(2), 3_000);
	third.close();
	const replaced = { value: 2, state: 'fetched', validators: undefined };
	expect(open().table('reviews').get('p-1')).toMatchObject(replaced);
});

test('what nobody asks for is forgotten after a while, and what is asked for stays', () => {
	const clock = createClock();
	const { open, file } = createCacheFile();
	const use = <Result>(action: (cache: ReturnType<typeof open>) => Result, account?: string): Result => {
		const cache = open(account, clock.now);
		const result = action(cache);
		cache.close();
		return result;
	};
	/** A build a day that asks for one of the two, and for the page. */
	const build = (days: number) => {
		for (let day = 0; day < days; day++) {
			clock.pass(DAY + 1);
			use((cache) => {
				cache.table('reviews').entry('used');
				cache.table('rating').get('used');
				cache.pages().get('page');
			});
		}
	};
	const prune = (account?: string) => use((cache) => cache.prune(clock.now() - 30 * DAY), account);
	use((cache) => {
		for (const pid of ['used', 'gone']) {
			cache.table('reviews').put(pid, pack(VALUE), clock.now());
			cache.table('rating').put(pid, pack({}), clock.now());
		}
		cache.pages().put('page', pack({ address: '/' }), ['used']);
	});
	build(29);
	expect(prune()).toBe(0);
	build(3);
	// Whoever has another account tidies up, too.
	expect(prune('other')).toBe(1);
	use((cache) => {
		for (const kind of ['reviews', 'rating'] as const) {
			expect(cache.table(kind).get('gone')).toBeUndefined();
			expect(cache.table(kind).get('used')).toBeDefined();
		}
		expect(cache.pages().showing(['used'])).toEqual(['page']);
	});
	const database = new DatabaseSync(file, { readOnly: true });
	for (const table of ['entries', 'contents'])
		expect(database.prepare(`SELECT pid FROM ${table} WHERE pid = 'gone'`).all()).toEqual([]);
	database.close();
});

test('of two builds at once the newer value stays, unless a clock that was wrong wrote it', () => {
	const { open } = createCacheFile();
	const [one, other] = [open(), open()];
	const now = Date.parse('2026-11-21');
	one.table('reviews').put('a', pack('newer'), now);
	other.table('reviews').put('a', pack('older'), now - 1_000);
	one.table('reviews').put('b', pack('wrong clock'), Date.parse('2090-01-01'));
	one.flush();
	other.table('reviews').put('b', pack('right'), now);
	other.close();
	const table = open().table('reviews');
	expect(['a', 'b'].map((pid) => table.get(pid)?.value)).toEqual(['newer', 'right']);
});

test('closing leaves one file without a path of this machine, can be done twice, and what comes late is no trouble', () => {
	const { file, open, warnings } = createCacheFile();
	const cache = open();
	cache.table('reviews').put('p-1', pack(record()), 1);
	cache.close();
	cache.close();
	for (let index = 0; index < 150; index++) cache.table('reviews').put(`late-${index}`, pack(1), 1);
	cache.flush();
	expect(cache.table('reviews').get('late-1')).toBeUndefined();
	expect(cache.table('reviews').entry('late-1')).toBeUndefined();
	expect(readdirSync(dirname(file)).sort()).toEqual(['.gitignore', 'reviews-v8.db']);
	const bytes = readFileSync(file, 'latin1');
	expect(bytes).toContain('p-1');
	for (const path of [dirname(file), process.cwd()]) expect(bytes).not.toContain(path);
	expect(warnings).toEqual([]);
});

test('the folder that a store makes is in no repository; one that is there stays as it is', () => {
	const ignored = (folder: string) => {
		const file = join(folder, '.gitignore');
		return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
	};
	const folder = createFolder();
	makeFolder(join(folder, '.cache/product-reviews'));
	expect(ignored(join(folder, '.cache/product-reviews'))).toBe('*\n');
	expect(ignored(join(folder, '.cache'))).toBeUndefined();
	makeFolder(folder);
	expect(ignored(folder)).toBeUndefined();
	mkdirSync(join(folder, 'own'));
	writeFileSync(join(folder, 'own/.gitignore'), 'mine\n');
	makeFolder(join(folder, 'own'));
	expect(ignored(join(folder, 'own'))).toBe('mine\n');
	// There, nothing is in a repository anyway.
	makeFolder(join(folder, 'node_modules/.astro'));
	expect(ignored(join(folder, 'node_modules/.astro'))).toBeUndefined();
	expect(() => makeFolder(join(folder, 'own/.gitignore/folder'))).toThrow('ENOTDIR');
});

const TEXT = `{"text":"${'Boils fast. 😀 '.repeat(1_000)}"}`;

/** A text as a version of Node without zstd writes it. */
function gzipped() {
	const head = Buffer.alloc(4);
	head.writeUInt32LE(Buffer.byteLength(TEXT));
	return { codec: 2, value: Buffer.concat([head, gzipSync(TEXT)]) };
}

test.each([
	['this version of Node', () => encode(Buffer.from(TEXT))],
	['another one', gzipped],
])('what %s wrote is small and comes back; damage is an error, never another text', (_name, make) => {
	const { codec, value } = make();
	expect(value.length).toBeLessThan(TEXT.length / 10);
	expect(decode(codec, value).toString()).toBe(TEXT);
	for (let at = 0; at < value.length; at++) {
		const damaged = Uint8Array.from(value);
		damaged[at] = (damaged[at] ?? 0) ^ 0x10;
		let read: string | undefined;
		try {
			read = decode(codec, damaged).toString();
		} catch {
			continue;
		}
		// Parts of a header say nothing about the text. The length only says how much room it needs.
		expect(read).toBe(TEXT);
	}
	expect(() => decode(codec, value.subarray(0, value.length - 5))).toThrow();
	expect(() => decode(9, value)).toThrow('The value has codec 9, which this version of Node cannot read.');
});

test('a value brings nothing along but itself, to another thread or into a batch, also an empty one', () => {
	for (const text of ['', TEXT]) {
		const { codec, value } = encode(Buffer.from(text));
		expect(value.buffer.byteLength).toBe(value.byteLength);
		expect(decode(codec, value).toString()).toBe(text);
	}
});
