import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClock } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CacheFile } from '../../../src/cache/cache-file.js';
import { makeFolder } from '../../../src/cache/open-database.js';
import { ProductStore } from '../../../src/cache/product-store.js';
import { decode, encode, pack } from '../../../src/records/packed.js';
import { isOutdated, NO_MARK } from '../../../src/reviews/parts.js';
import { change, createCacheFile, createMemoryStore, query } from '../../support/unit/cache.js';
import { record } from '../../support/unit/record.js';

const VALUE = { text: 'Boils fast. 😀 <b>"' };
const STAMP = { fetchedAt: 1_000, revision: 0 };
const DAY = 86_400_000;

describe('records', () => {
	test('are readable at once, after a flush, and in the next build', () => {
		const { open, warnings } = createCacheFile();
		const store = open();
		const packed = pack(VALUE, { count: 1 });
		store.put('p-1', 'reviews', packed, STAMP);
		const known = {
			...{ digest: packed.digest, fetchedAt: 1_000, revision: 0, state: 'fetched' },
			...{ validators: undefined, summary: '{"count":1}' },
		};
		const expectStored = (of: ProductStore) => {
			expect(of.read('p-1', 'reviews')?.record).toEqual(VALUE);
			expect(of.entry('p-1', 'reviews')).toMatchObject(known);
			expect([...of.entries(['p-1', 'p-2'], 'reviews').keys()]).toEqual(['p-1']);
		};
		expectStored(store);
		store.flush();
		expectStored(store);
		store.close();
		const next = open();
		expectStored(next);
		expect(next.entry('p-1', 'reviews')).toEqual(known);
		expect([next.read('p-2', 'reviews')?.record, next.entry('p-2', 'reviews')]).toEqual([
			undefined,
			undefined,
		]);
		expect(warnings).toEqual([]);
	});

	test('come back, many, large and under any id, each its own', () => {
		const { open } = createCacheFile();
		const values = new Map<string, unknown>(
			[
				...Array.from({ length: 1_050 }, (_, index) => `p-${index}`),
				...["it's", '"; DROP TABLE products; --', 'a\u0000b', 'a', '👩‍👩‍👧', 'p'.repeat(500), 'Case', 'case'],
				...['../../x', ' ', '%00', '\n', '__proto__'],
			].map((pid) => [pid, { pid }]),
		);
		values.set('large', record({ heading: 'x'.repeat(1_000_000) }));
		const store = open();
		for (const [pid, value] of values) store.put(pid, 'reviews', pack(value), STAMP);
		store.close();
		const next = open();
		for (const [pid, value] of values) expect(next.read(pid, 'reviews')?.record).toEqual(value);
		expect(new Set(next.entries([...values.keys()], 'reviews').keys())).toEqual(new Set(values.keys()));
		expect(new Set(next.pids('reviews'))).toEqual(new Set(values.keys()));
	});

	test('of another part or account are never read', () => {
		const { open } = createCacheFile();
		const parts = ['reviews', 'review-data'] as const;
		const put = (account: string) => {
			const store = open(account);
			for (const part of parts) store.put('p-1', part, pack(`${part} of ${account}`), STAMP);
			store.mark([account], 'event');
			store.close();
		};
		put('mine');
		expect(open('theirs').read('p-1', 'reviews')?.record).toBeUndefined();
		expect(open('theirs').markOf('mine')).toEqual(NO_MARK);
		expect(open('mine').entry('p-1', 'rating')).toBeUndefined();
		put('theirs');
		for (const account of ['mine', 'theirs'])
			for (const part of parts) expect(open(account).read('p-1', part)?.record).toBe(`${part} of ${account}`);
	});
});

test('what is known of a record can be changed without it, and goes with it', () => {
	const { open } = createCacheFile();
	const first = open();
	first.put('p-1', 'reviews', pack(VALUE), { ...STAMP, validators: '"etag"' });
	first.touch('p-1', 'reviews', { state: 'stale' });
	// Of a record that is not there, nothing is kept.
	first.touch('p-2', 'reviews', { state: 'stale' });
	first.close();
	const second = open();
	second.touch('p-1', 'reviews', { fetchedAt: 2_000 });
	second.touch('p-1', 'reviews', { revision: 3 });
	const changed = { fetchedAt: 2_000, revision: 3, state: 'stale', validators: '"etag"' };
	expect(second.entry('p-1', 'reviews')).toMatchObject(changed);
	second.close();
	const third = open();
	expect(third.read('p-1', 'reviews')?.record).toEqual(VALUE);
	expect(third.entry('p-1', 'reviews')).toMatchObject(changed);
	expect(third.entry('p-2', 'reviews')).toBeUndefined();
	third.put('p-1', 'reviews', pack(2), { fetchedAt: 3_000, revision: 3 });
	third.close();
	expect(open().read('p-1', 'reviews')?.record).toBe(2);
	expect(open().entry('p-1', 'reviews')).toMatchObject({ state: 'fetched', validators: undefined });
});

test('what nobody asks for is forgotten after a while, and what is asked for stays', () => {
	const clock = createClock();
	const { file, openBoth } = createCacheFile();
	const use = <Result>(action: (opened: ReturnType<typeof openBoth>) => Result, account?: string): Result => {
		const opened = openBoth(account, clock.now);
		const result = action(opened);
		opened.store.close();
		return result;
	};
	/** A build a day that asks for one of the two, in each way that there is. */
	const build = (days: number) => {
		for (let day = 0; day < days; day++) {
			clock.pass(DAY + 1);
			use(({ store }) => {
				store.entry('used', 'reviews');
				store.read('used', 'rating')?.record;
				store.entries(['used'], 'review-data');
			});
		}
	};
	const prune = (account?: string) => use(({ store }) => store.prune(clock.now() - 30 * DAY), account);
	const parts = ['reviews', 'rating', 'review-data'] as const;
	use(({ store, pages }) => {
		const pids = ['used', 'gone'];
		for (const pid of pids)
			for (const part of parts) store.put(pid, part, pack(VALUE), { fetchedAt: clock.now(), revision: 0 });
		store.flush();
		store.mark(pids, 'event');
		pages.put('page', { address: '/page/', dependencies: [], facts: [] });
		pages.flush();
	});
	build(29);
	expect(prune()).toBe(0);
	build(3);
	// Whoever has another account tidies up, too.
	expect(prune('other')).toBe(1);
	use(({ store, pages }) => {
		for (const part of parts) {
			expect(store.read('gone', part)?.record).toBeUndefined();
			expect(store.read('used', part)?.record).toBeDefined();
		}
		expect(pages.names()).toEqual(['page']);
	});
	for (const table of ['products', 'payloads', 'marks'])
		expect(query(file, `SELECT DISTINCT pid FROM ${table}`)).toEqual([{ pid: 'used' }]);
});

describe('revisions', () => {
	const NOW = Date.parse('2026-11-21');
	/** Stands for the answer to a request that was sent now. */
	const fetch = (store: ProductStore, pid = 'p-1', fetchedAt = NOW) => {
		const { revision } = store.markOf(pid);
		return (value = 'fetched') => store.put(pid, 'reviews', pack(value), { fetchedAt, revision });
	};
	const outdated = (store: ProductStore, pid = 'p-1') => {
		const stored = store.entry(pid, 'reviews');
		return stored ? isOutdated(stored, store.markOf(pid)) : 'not stored';
	};

	test.each<[string, number]>([
		['right', 0],
		['24 h ahead', DAY],
		['years ahead', 70 * 365 * DAY],
		['years behind', -70 * 365 * DAY],
	])('an event is never hidden by a record that a clock wrote which is %s', (_what, by) => {
		const { open } = createCacheFile();
		const [one, other] = [open(), open()];
		fetch(one, 'p-1', NOW + by)('of the first process');
		one.flush();
		expect(outdated(other)).toBe(false);
		one.mark(['p-1'], 'event');
		expect([outdated(one), outdated(other), other.marked()]).toEqual([true, true, ['p-1']]);
		fetch(other)('of the second process');
		other.flush();
		for (const store of [one, other, open()]) {
			expect([outdated(store), store.marked()]).toEqual([false, []]);
			expect(store.read('p-1', 'reviews')?.record).toBe('of the second process');
		}
	});

	test('an event that comes while a request is out is not in its response', () => {
		const { open } = createCacheFile();
		const [build, receiver] = [open(), open()];
		fetch(build)();
		build.flush();
		const respond = fetch(build);
		receiver.mark(['p-1'], 'event');
		respond();
		expect(outdated(build)).toBe(true);
		build.close();
		expect(open().marked()).toEqual(['p-1']);
	});

	test.each<[string, number]>([
		['the younger', -1_000],
		['the older', 1_000],
	])('of two processes, the response to the later event stays, whatever clocks say: %s', (_what, by) => {
		const { open } = createCacheFile();
		const [one, other] = [open(), open()];
		fetch(one)();
		one.flush();
		const late = fetch(one, 'p-1', NOW - by);
		other.mark(['p-1'], 'event');
		fetch(other)('after the event');
		other.flush();
		late('before the event');
		one.close();
		expect([open().read('p-1', 'reviews')?.record, outdated(other)]).toEqual(['after the event', false]);
	});

	test('without an event, the younger stays, unless a clock that was wrong wrote it', () => {
		const { open } = createCacheFile();
		const [one, other] = [open(), open()];
		fetch(one, 'a')('younger');
		fetch(one, 'b', Date.parse('2090-01-01'))('wrong clock');
		one.flush();
		fetch(other, 'a', NOW - 1_000)('older');
		fetch(other, 'b')('right');
		other.close();
		const store = open();
		expect(['a', 'b'].map((pid) => store.read(pid, 'reviews')?.record)).toEqual(['younger', 'right']);
	});

	test('each event of each process has a revision of its own, above all that is known of the product', () => {
		const { file, open } = createCacheFile();
		const [one, other] = [open(), open()];
		one.put('p-1', 'rating', pack({}), { fetchedAt: NOW, revision: 7 });
		const seen = [one, other, one].map((store) => {
			store.mark(['p-1', 'p-2'], 'event');
			return [store.markOf('p-1').revision, store.markOf('p-2').revision];
		});
		expect(seen).toEqual([
			[8, 1],
			[9, 2],
			[10, 3],
		]);
		expect(one.markOf('p-1')).toEqual(other.markOf('p-1'));
		// What another version of the product had is known even if the marks are gone.
		change(file, 'DELETE FROM marks');
		one.mark(['p-1'], 'event');
		expect(one.markOf('p-1').revision).toBe(8);
	});

	test('a product is marked until each of its parts was fetched', () => {
		const store = createMemoryStore();
		for (const part of ['reviews', 'review-data'] as const) store.put('p-1', part, pack(1), STAMP);
		store.mark(['p-1', 'not stored'], 'event');
		expect(store.marked()).toEqual(['p-1']);
		fetch(store)();
		expect(store.marked()).toEqual(['p-1']);
		store.touch('p-1', 'review-data', { revision: store.markOf('p-1').revision });
		expect(store.marked()).toEqual([]);
	});

	test("a person's word stays through events, and until a part was fetched", () => {
		const store = createMemoryStore();
		fetch(store)();
		store.mark(['p-1'], 'event');
		expect(store.markOf('p-1').confirmed).toBe(0);
		store.mark(['p-1'], 'person');
		store.mark(['p-1'], 'event');
		expect([store.marked(), store.unfetched()]).toEqual([['p-1'], ['p-1']]);
		expect(store.markOf('p-1')).toEqual({ revision: 3, confirmed: 2 });
		// One that was left over by pages is marked as long as it is kept, and nobody is told of it again.
		store.put('p-1', 'review-data', pack(1), { fetchedAt: 1, revision: 0 });
		fetch(store)();
		expect([store.marked(), store.unfetched()]).toEqual([['p-1'], []]);
	});

	test.each<[string, (file: string) => ProductStore]>([
		[
			'in a dry run',
			(file) =>
				new ProductStore(
					CacheFile.forBuild(file, () => {}),
					'account',
					true,
				),
		],
		[
			'in a file that cannot be written',
			(file) => {
				const cache = CacheFile.forBuild(file, () => {});
				cache.attempt('read', (_prepare, database) => database.exec('PRAGMA query_only = ON'));
				return new ProductStore(cache, 'account');
			},
		],
	])('a mark holds for the run %s, and stays in no file', (_what, openOther) => {
		const { file, open } = createCacheFile();
		const store = open();
		fetch(store)();
		store.close();
		const other = openOther(file);
		other.mark(['p-1'], 'event');
		expect(outdated(other)).toBe(true);
		fetch(other)('again');
		expect([outdated(other), other.read('p-1', 'reviews')?.record]).toEqual([false, 'again']);
		other.mark(['p-1'], 'person');
		expect(other.markOf('p-1')).toEqual({ revision: 2, confirmed: 2 });
		other.close();
		const next = open();
		expect([next.markOf('p-1'), next.read('p-1', 'reviews')?.record]).toEqual([NO_MARK, 'fetched']);
	});

	test('an event of another process is seen, also after a mark that could not be written', () => {
		const { file, open } = createCacheFile();
		const cache = CacheFile.forBuild(file, () => {});
		const store = new ProductStore(cache, 'account');
		onTestFinished(() => store.close());
		const queryOnly = (isOn: boolean) =>
			cache.attempt('read', (_prepare, database) => database.exec(`PRAGMA query_only = ${isOn}`));
		queryOnly(true);
		store.mark(['p-1'], 'event');
		queryOnly(false);
		fetch(store)();
		store.flush();
		expect(outdated(store)).toBe(false);
		open().mark(['p-1'], 'person');
		expect([outdated(store), store.markOf('p-1')]).toEqual([true, { revision: 2, confirmed: 2 }]);
	});
});

test('closing leaves one file without a path of this machine, can be done twice, and what comes late is no trouble', () => {
	const { file, open, warnings } = createCacheFile();
	const store = open();
	store.put('p-1', 'reviews', pack(record()), STAMP);
	store.close();
	store.close();
	for (let index = 0; index < 150; index++) store.put(`late-${index}`, 'reviews', pack(1), STAMP);
	store.flush();
	expect(readdirSync(dirname(file)).sort()).toEqual(['.gitignore', 'reviews-v8.db']);
	const bytes = readFileSync(file, 'latin1');
	expect(bytes).toContain('p-1');
	for (const path of [dirname(file), process.cwd()]) expect(bytes).not.toContain(path);
	expect(open().pids('reviews')).toEqual(['p-1']);
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
