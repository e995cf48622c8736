import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rootPageOf } from 'product-reviews-test-support/flipped-bits';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import { createStoreFile } from '../../support/unit/store.js';

const COUNT = 400;
const pidOf = (index: number) => `p-${index}`;
/** Text that does not compress away, the same at each run. */
const textOf = (index: number) =>
	Array.from({ length: 60 }, (_, at) => ((index + 7) * (at + 3) * 2_654_435_761).toString(36)).join('');

type StoreFile = ReturnType<typeof createStoreFile>;

function fill({ open }: StoreFile): void {
	const store = open();
	for (let index = 0; index < COUNT; index++)
		store.table('reviews').put(pidOf(index), pack(textOf(index)), 1_000);
	store.close();
}

/** Reads and writes everything, as a build does: what cannot be read is fetched again. */
function build(storeFile: StoreFile): void {
	const store = storeFile.open();
	const table = store.table('reviews');
	for (let index = 0; index < COUNT; index++) {
		const stored = table.get(pidOf(index));
		if (stored) expect(stored.value).toBe(textOf(index));
		else table.put(pidOf(index), pack(textOf(index)), 2_000);
	}
	store.close();
}

function flip(file: string, from: number, length: number): void {
	const bytes = readFileSync(file);
	for (let at = from; at < from + length; at++) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
	writeFileSync(file, bytes);
}

function change(file: string, sql: string): void {
	const database = new DatabaseSync(file);
	database.exec(sql);
	database.close();
}

const sizeOf = (file: string) => readFileSync(file).length;

describe('a file that cannot be used is set aside with a warning, and the next build has a whole one', () => {
	test.each<[string, (file: string) => void]>([
		['cut in the middle', (file) => truncateSync(file, Math.floor(sizeOf(file) / 2))],
		['cut at a page', (file) => truncateSync(file, 8_192 * 4)],
		['cut in its header', (file) => truncateSync(file, 50)],
		['zeroed', (file) => writeFileSync(file, Buffer.alloc(sizeOf(file)))],
		['its first page flipped', (file) => flip(file, 100, 400)],
		[
			'the heads of all its pages but the first flipped',
			(file) => {
				for (let page = 1; page * 8_192 < sizeOf(file); page++) flip(file, page * 8_192, 12);
			},
		],
		['random text', (file) => writeFileSync(file, 'This is no database. '.repeat(500))],
		[
			'another database',
			(file) => {
				writeFileSync(file, '');
				change(file, 'CREATE TABLE recipes (name TEXT)');
			},
		],
		['an older schema', (file) => change(file, 'PRAGMA user_version = 0')],
		['a newer schema', (file) => change(file, 'PRAGMA user_version = 99')],
		['the right schema version without a table', (file) => change(file, 'DROP TABLE contents')],
		[
			'the right schema version without a column',
			(file) => change(file, 'ALTER TABLE entries DROP COLUMN validators'),
		],
		['our marks on a file without tables', (file) => change(file, 'DROP TABLE contents; DROP TABLE entries')],
	])('%s', (_what, damage) => {
		const storeFile = createStoreFile();
		fill(storeFile);
		damage(storeFile.file);
		build(storeFile);
		expect(storeFile.warnings).toHaveLength(1);
		expect(storeFile.warnings[0]).toMatch(
			/^The store cannot be used \(.+\)\. It was renamed to "reviews-v7\.db\.set-aside"; a new one is built\. \[PR_STORE_UNUSABLE\]$/,
		);
		expect(readdirSync(dirname(storeFile.file)).sort()).toEqual([
			'.gitignore',
			'reviews-v7.db',
			'reviews-v7.db.set-aside',
		]);
		storeFile.warnings.length = 0;
		build(storeFile);
		expect(storeFile.warnings).toEqual([]);
		const table = storeFile.open().table('reviews');
		expect(
			Array.from({ length: COUNT }, (_, index) => table.get(pidOf(index))?.value === textOf(index)),
		).not.toContain(false);
	});

	test('values that were not in the file yet are kept', () => {
		const storeFile = createStoreFile();
		fill(storeFile);
		for (let page = 1; page * 8_192 < sizeOf(storeFile.file); page++) flip(storeFile.file, page * 8_192, 12);
		const store = storeFile.open();
		store.table('reviews').put('new', pack('value'), 2_000);
		store.flush();
		expect(store.table('reviews').get('new')?.value).toBe('value');
		store.close();
		expect(storeFile.open().table('reviews').get('new')?.value).toBe('value');
	});
});

test('a value with flipped bits is no value; the others stay', () => {
	const storeFile = createStoreFile();
	fill(storeFile);
	const bytes = readFileSync(storeFile.file);
	const value = Buffer.from(pack(textOf(7)).bytes);
	// Where SQLite moved a value it leaves the old copy in the free part of a page.
	const first = bytes.indexOf(value);
	expect(first).toBeGreaterThan(0);
	for (let at = first; at >= 0; at = bytes.indexOf(value, at + 1)) flip(storeFile.file, at + 60, 4);
	build(storeFile);
	expect(storeFile.warnings).toEqual([
		'The store had 1 damaged row. Damaged rows are ignored and fetched again. If this keeps happening, check the disk, and the cache that the store is restored from.',
	]);
	expect(readdirSync(dirname(storeFile.file)).sort()).toEqual(['.gitignore', 'reviews-v7.db']);
	storeFile.warnings.length = 0;
	build(storeFile);
	expect(storeFile.warnings).toEqual([]);
});

test('values that a damaged key hides are found by the next build, even if this one can fetch nothing', () => {
	const { file, open, warnings } = createStoreFile();
	// Few enough for one page of the file.
	const pids = Array.from({ length: 40 }, (_, index) => pidOf(10 + index));
	const first = open();
	for (const pid of pids) first.table('reviews').put(pid, pack(pid), 1_000);
	first.close();
	const bytes = readFileSync(file);
	const start = (rootPageOf('entries', file) - 1) * 8_192;
	const key = bytes.indexOf('reviewsp-29', start);
	expect(key).toBeLessThan(start + 8_192);
	bytes.write('z', key + 'reviews'.length);
	writeFileSync(file, bytes);
	const countFound = () => {
		const store = open();
		const found = pids.filter((pid) => store.table('reviews').entry(pid));
		store.prune(0);
		store.close();
		return found.length;
	};
	expect(countFound()).toBeLessThan(pids.length - 1);
	expect(countFound()).toBe(pids.length - 1);
	expect(warnings).toEqual([expect.stringContaining('The store had 1 damaged row.')]);
});

test('an empty file is a new store', () => {
	const storeFile = createStoreFile();
	mkdirSync(dirname(storeFile.file));
	writeFileSync(storeFile.file, '');
	build(storeFile);
	expect(storeFile.warnings).toEqual([]);
});

describe('where no file can be made, reviews are kept in memory with a warning', () => {
	test.each<[string, (folder: string) => string]>([
		[
			'its folder is a file',
			(folder) => {
				writeFileSync(join(folder, 'file'), '');
				return join(folder, 'file', 'reviews-v7.db');
			},
		],
		[
			'its folder is below a file',
			(folder) => {
				writeFileSync(join(folder, 'file'), '');
				return join(folder, 'file', 'a', 'b', 'reviews-v7.db');
			},
		],
		[
			'it is a folder',
			(folder) => {
				mkdirSync(join(folder, 'reviews-v7.db'));
				return join(folder, 'reviews-v7.db');
			},
		],
	])('%s', (_what, prepare) => {
		const folder = createFolder();
		const storeFile = createStoreFile(prepare(folder));
		const store = storeFile.open();
		store.table('reviews').put('p-1', pack('value'), 1);
		store.flush();
		expect(store.table('reviews').get('p-1')).toMatchObject({ pid: 'p-1', value: 'value', fetchedAt: 1 });
		expect(storeFile.warnings).toHaveLength(1);
		expect(storeFile.warnings[0]).toMatch(
			/^The store cannot be opened: .+\. Reviews are kept in memory for this build only;/,
		);
		expect(storeFile.warnings[0]).not.toContain(basename(folder));
	});
});

test('two builds that are open on a damaged file set it aside once, and neither loses what it wrote', () => {
	const storeFile = createStoreFile();
	fill(storeFile);
	for (let page = 1; page * 8_192 < sizeOf(storeFile.file); page++) flip(storeFile.file, page * 8_192, 12);
	const stores = [storeFile.open(), storeFile.open()];
	for (const [at, store] of stores.entries()) {
		store.table('reviews').put(`of ${at}`, pack(at), 2_000);
		store.flush();
	}
	for (const [at, store] of stores.entries()) {
		store.table('reviews').put(`later of ${at}`, pack(at), 2_000);
		store.close();
	}
	const table = storeFile.open().table('reviews');
	const pids = ['of 0', 'of 1', 'later of 0', 'later of 1'];
	expect(pids.map((pid) => table.get(pid)?.value)).toEqual([0, 1, 0, 1]);
	expect(storeFile.warnings.filter((warning) => !warning.includes('It was renamed'))).toEqual([]);
});
