import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { pack } from '../../../src/cache/values.js';
import { createCacheFile } from '../../support/unit/cache.js';

const PIDS = Array.from({ length: 60 }, (_, index) => `p-${index}`);
/** Text that does not compress away, the same at each run. */
const textOf = (pid: string) =>
	Array.from({ length: 60 }, (_, at) =>
		((Number(pid.slice(2)) + 7) * (at + 3) * 2_654_435_761).toString(36),
	).join('');

type CacheFile = ReturnType<typeof createCacheFile>;

/** Reads and writes everything, as a build does: what cannot be read is fetched. @returns what that was */
function build({ open }: CacheFile): string[] {
	const cache = open();
	const table = cache.table('reviews');
	const missing = PIDS.filter((pid) => table.get(pid)?.value !== textOf(pid));
	for (const pid of missing) {
		expect(table.get(pid)).toBeUndefined();
		table.put(pid, pack(textOf(pid)), 1_000);
	}
	cache.prune(0);
	cache.close();
	return missing;
}

function createFilled(): CacheFile {
	const cacheFile = createCacheFile();
	build(cacheFile);
	return cacheFile;
}

/** What a damaged file comes to: so many products are missing in the next build, and none in that after it. */
function expectMended(cacheFile: CacheFile, missing: readonly string[], warning: RegExp) {
	expect(build(cacheFile)).toEqual(missing);
	expect(cacheFile.warnings).toEqual([expect.stringMatching(warning)]);
	expect(build(cacheFile)).toEqual([]);
	expect(cacheFile.warnings).toHaveLength(1);
}

const SET_ASIDE =
	/^The cache cannot be used \(.+\)\. It was renamed to "reviews-v8\.db\.set-aside"; a new one is built\. \[PR_CACHE_UNUSABLE\]$/;

function flip(file: string, from: number, length: number): void {
	const bytes = readFileSync(file);
	for (let at = from; at < from + length; at++) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
	writeFileSync(file, bytes);
}

function flipHeads(file: string): void {
	for (let page = 1; page * 8_192 < sizeOf(file); page++) flip(file, page * 8_192, 12);
}

function replaceByOther(file: string): void {
	writeFileSync(file, '');
	change(file, 'CREATE TABLE recipes (name TEXT)');
}

function addLogOfOther(file: string): void {
	const other = join(createFolder(), 'other.db');
	const database = new DatabaseSync(other);
	database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; CREATE TABLE recipes (name TEXT)');
	database.exec(`BEGIN; ${"INSERT INTO recipes VALUES ('soup');".repeat(500)} COMMIT`);
	copyFileSync(`${other}-wal`, `${file}-wal`);
	database.close();
}

function change(file: string, sql: string): void {
	const database = new DatabaseSync(file, { defensive: false });
	database.exec(sql);
	database.close();
}

const sizeOf = (file: string) => readFileSync(file).length;

describe('a file that cannot be used is set aside with a warning, and the next build has a whole one', () => {
	test.each<[string, (file: string) => void]>([
		['cut in the middle', (file) => truncateSync(file, Math.floor(sizeOf(file) / 2))],
		['cut in its header', (file) => truncateSync(file, 50)],
		['zeroed', (file) => writeFileSync(file, Buffer.alloc(sizeOf(file)))],
		['the heads of all its pages but the first flipped', flipHeads],
		['random text', (file) => writeFileSync(file, 'This is no database. '.repeat(500))],
		['another database', replaceByOther],
		['a newer schema', (file) => change(file, 'PRAGMA user_version = 99')],
		['without a table', (file) => change(file, 'DROP TABLE contents')],
		['without a column', (file) => change(file, 'ALTER TABLE entries DROP COLUMN validators')],
		['with the log of another database beside it', addLogOfOther],
	])('%s', (_what, damage) => {
		const cacheFile = createFilled();
		damage(cacheFile.file);
		expectMended(cacheFile, PIDS, SET_ASIDE);
		const files = ['.gitignore', 'reviews-v8.db', 'reviews-v8.db.set-aside'];
		expect(readdirSync(dirname(cacheFile.file)).sort()).toEqual(files);
	});

	test('once, by two builds that have it open, and neither loses what it wrote', () => {
		const cacheFile = createFilled();
		flipHeads(cacheFile.file);
		const stores = [cacheFile.open(), cacheFile.open()];
		for (const [at, cache] of stores.entries()) {
			cache.table('reviews').put(`of ${at}`, pack(at), 2_000);
			cache.flush();
		}
		for (const [at, cache] of stores.entries()) {
			cache.table('reviews').put(`later of ${at}`, pack(at), 2_000);
			cache.close();
		}
		const table = cacheFile.open().table('reviews');
		const pids = ['of 0', 'of 1', 'later of 0', 'later of 1'];
		expect(pids.map((pid) => table.get(pid)?.value)).toEqual([0, 1, 0, 1]);
		expect(cacheFile.warnings.filter((warning) => !warning.includes('It was renamed'))).toEqual([]);
	});
});

test.each([
	['lacks its content', 'DELETE FROM contents'],
	['has a codec that nobody knows', 'UPDATE contents SET codec = 77'],
	['is empty', "UPDATE contents SET value = x''"],
	['is that of another', "UPDATE contents SET value = (SELECT value FROM contents WHERE pid = 'p-8')"],
	['has another time', 'UPDATE entries SET fetched_at = fetched_at + 1'],
	['has a time that no number holds', 'UPDATE entries SET fetched_at = 9223372036854775807'],
	['has another state', "UPDATE entries SET state = 'stale'"],
	['has validators that were not sent', 'UPDATE entries SET validators = \'"etag"\''],
])('a value that %s is no value; the others stay, and it is written again', (_what, sql) => {
	const cacheFile = createFilled();
	change(cacheFile.file, `${sql} WHERE pid = 'p-7'`);
	const warning = /^The cache had 1 damaged row\. Damaged rows are ignored and fetched again\. /;
	expectMended(cacheFile, ['p-7'], warning);
	expect(readdirSync(dirname(cacheFile.file)).sort()).toEqual(['.gitignore', 'reviews-v8.db']);
});

test.each<[string, (file: string) => void, readonly string[]]>([
	['a row of another', (file) => change(file, "UPDATE entries SET pid = 'a' WHERE pid = 'p-7'"), ['p-7']],
	['an empty file', (file) => writeFileSync(file, ''), PIDS],
	['a log of nonsense', (file) => writeFileSync(`${file}-wal`, 'This is no log. '.repeat(5_000)), []],
	['an index of nonsense', (file) => writeFileSync(`${file}-shm`, 'This is no log. '.repeat(5_000)), []],
])('%s is no trouble', (_what, leave, missing) => {
	const cacheFile = createFilled();
	leave(cacheFile.file);
	expect(build(cacheFile)).toEqual(missing);
	expect(build(cacheFile)).toEqual([]);
	expect(cacheFile.warnings).toEqual([]);
});

test('where no file can be made, reviews are kept in memory with a warning that names no path', () => {
	const folder = createFolder();
	writeFileSync(join(folder, 'file'), '');
	const { open, warnings } = createCacheFile(join(folder, 'file', 'a', 'reviews-v8.db'));
	const cache = open();
	cache.table('reviews').put('p-1', pack('value'), 1);
	cache.flush();
	expect(cache.table('reviews').get('p-1')).toMatchObject({ pid: 'p-1', value: 'value', fetchedAt: 1 });
	const warning = /^The cache cannot be opened: .+\. Reviews are kept in memory for this build only;/;
	expect(warnings).toEqual([expect.stringMatching(warning)]);
	expect(warnings[0]).not.toContain(basename(folder));
});
