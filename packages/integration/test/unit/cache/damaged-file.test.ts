import { copyFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../../src/base/digest.js';
import { pack } from '../../../src/records/packed.js';
import { createCacheFile } from '../../support/unit/cache.js';

const PIDS = Array.from({ length: 60 }, (_, index) => `p-${index}`);
/** Text that does not compress away, the same at each run. */
const textOf = (pid: string) =>
	Array.from({ length: 60 }, (_, at) =>
		((Number(pid.slice(2)) + 7) * (at + 3) * 2_654_435_761).toString(36),
	).join('');

const STAMP = { fetchedAt: 1_000, revision: 0 };
const known = (pid: string) => ({
	...STAMP,
	...{
		digest: digestOf(JSON.stringify(textOf(pid))),
		state: 'fetched',
		validators: undefined,
		summary: undefined,
	},
});

type CacheFile = ReturnType<typeof createCacheFile>;

/** Reads and writes everything, as a build does: what cannot be read is fetched. @returns what that was */
function build({ open }: CacheFile): string[] {
	const store = open();
	const entries = store.entries(PIDS, 'reviews');
	const missing = PIDS.filter((pid) => {
		const value = store.read(pid, 'reviews')?.record;
		if (value !== undefined) expect([value, entries.get(pid)]).toEqual([textOf(pid), known(pid)]);
		return value === undefined;
	});
	for (const pid of missing) store.put(pid, 'reviews', pack(textOf(pid)), STAMP);
	store.prune(0);
	store.close();
	return missing;
}

function createFilled(): CacheFile {
	const cacheFile = createCacheFile();
	build(cacheFile);
	return cacheFile;
}

/** What a damaged file comes to: so many products are missing in the next build, and none in that after it. */
function expectMended(cacheFile: CacheFile, missing: readonly string[], ...warnings: RegExp[]) {
	expect(build(cacheFile)).toEqual(missing);
	expect(build(cacheFile)).toEqual([]);
	expect(cacheFile.warnings).toEqual(warnings.map((warning) => expect.stringMatching(warning)));
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
		['without a table', (file) => change(file, 'DROP TABLE payloads')],
		['without a column', (file) => change(file, 'ALTER TABLE products DROP COLUMN validators')],
		['with the log of another database beside it', addLogOfOther],
	])('%s', (_what, damage) => {
		const cacheFile = createFilled();
		damage(cacheFile.file);
		expectMended(cacheFile, PIDS, SET_ASIDE);
		const files = ['.gitignore', 'reviews-v8.db', 'reviews-v8.db.set-aside'];
		expect(readdirSync(dirname(cacheFile.file)).sort()).toEqual(files);
	});

	test.each([
		['after', true],
		['before', false],
	])('once, by two builds that opened it %s that, and neither loses what it wrote', (_when, isBefore) => {
		const cacheFile = createFilled();
		if (isBefore) flipHeads(cacheFile.file);
		const stores = [cacheFile.open(), cacheFile.open()];
		if (!isBefore) flipHeads(cacheFile.file);
		for (const [at, store] of stores.entries()) {
			store.put(`of ${at}`, 'reviews', pack(at), STAMP);
			store.flush();
		}
		for (const [at, store] of stores.entries()) {
			store.put(`later of ${at}`, 'reviews', pack(at), STAMP);
			store.close();
		}
		const store = cacheFile.open();
		const pids = ['of 0', 'of 1', 'later of 0', 'later of 1'];
		expect(pids.map((pid) => store.read(pid, 'reviews')?.record)).toEqual([0, 1, 0, 1]);
		expect(cacheFile.warnings).toContainEqual(expect.stringMatching(SET_ASIDE));
		expect(cacheFile.warnings.filter((warning) => !SET_ASIDE.test(warning))).toEqual([]);
	});
});

const OTHER = "(SELECT value FROM payloads WHERE pid = 'p-8')";

test.each([
	['a record that is gone', 'DELETE FROM payloads'],
	['a record with a codec that nobody knows', 'UPDATE payloads SET codec = 77'],
	['a record that is empty', "UPDATE payloads SET value = x''"],
	['a record that is that of another', `UPDATE payloads SET value = ${OTHER}`],
	['a row that is gone', 'DELETE FROM products'],
	['a row with another name', "UPDATE products SET pid = 'a'"],
	['a row with another digest', "UPDATE products SET digest = '0'"],
	['a row with another time', 'UPDATE products SET fetched_at = fetched_at + 1'],
	['a row with a time that no number holds', 'UPDATE products SET fetched_at = 9223372036854775807'],
	['a row that was used at another time', 'UPDATE products SET used_at = used_at + 1'],
	['a row with another revision', 'UPDATE products SET revision = 1'],
	['a row with another state', "UPDATE products SET state = 'stale'"],
	['a row with a rating that was not sent', 'UPDATE products SET rating = \'{"count":1}\''],
	['a row with validators that were not sent', 'UPDATE products SET validators = \'"etag"\''],
	['a row with another proof', 'UPDATE products SET proof = proof + 1'],
])('%s is missing, and written again; the others stay', (_what, sql) => {
	const cacheFile = createFilled();
	change(cacheFile.file, `${sql} WHERE pid = 'p-7'`);
	expectMended(cacheFile, ['p-7']);
	expect(readdirSync(dirname(cacheFile.file)).sort()).toEqual(['.gitignore', 'reviews-v8.db']);
});

test.each<[string, (file: string) => void, readonly string[]]>([
	['an empty file', (file) => writeFileSync(file, ''), PIDS],
	['a log of nonsense', (file) => writeFileSync(`${file}-wal`, 'This is no log. '.repeat(5_000)), []],
	['an index of nonsense', (file) => writeFileSync(`${file}-shm`, 'This is no log. '.repeat(5_000)), []],
])('%s is no trouble', (_what, leave, missing) => {
	const cacheFile = createFilled();
	leave(cacheFile.file);
	expectMended(cacheFile, missing);
});

test('where no file can be made, reviews are kept in memory with a warning that names no path', () => {
	const folder = createFolder();
	writeFileSync(join(folder, 'file'), '');
	const { open, warnings } = createCacheFile(join(folder, 'file', 'a', 'reviews-v8.db'));
	const store = open();
	store.put('p-1', 'reviews', pack('value'), STAMP);
	store.flush();
	store.mark(['p-1'], 'event');
	expect([store.read('p-1', 'reviews')?.record, store.marked()]).toEqual(['value', ['p-1']]);
	const warning = /^The cache cannot be opened: .+\. Reviews are kept in memory for this build only;/;
	expect(warnings).toEqual([expect.stringMatching(warning)]);
	expect(warnings[0]).not.toContain(basename(folder));
});
