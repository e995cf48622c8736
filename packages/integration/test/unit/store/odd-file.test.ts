import { copyFileSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import { createStoreFile } from '../../support/unit/store.js';

const PIDS = Array.from({ length: 50 }, (_, index) => `p-${index}`);

function fill(storeFile = createStoreFile()) {
	const store = storeFile.open();
	for (const pid of PIDS) store.table('reviews').put(pid, pack(pid), 1_000);
	store.close();
	return storeFile;
}

function change(file: string, sql: string) {
	const database = new DatabaseSync(file, { defensive: false });
	database.exec(sql);
	database.close();
}

/** Ids whose value can be read. */
const readable = ({ open }: ReturnType<typeof createStoreFile>) => {
	const table = open().table('reviews');
	return PIDS.filter((pid) => table.get(pid)?.value === pid);
};

test.each([
	['lacks its content', "DELETE FROM contents WHERE pid = 'p-7'"],
	['has a codec that nobody knows', "UPDATE contents SET codec = 77 WHERE pid = 'p-7'"],
	['is empty', "UPDATE contents SET value = x'' WHERE pid = 'p-7'"],
	['is a text in place of bytes', "UPDATE contents SET value = 'text' WHERE pid = 'p-7'"],
	[
		'is that of another',
		"UPDATE contents SET value = (SELECT value FROM contents WHERE pid = 'p-8') WHERE pid = 'p-7'",
	],
	['has another rating', 'UPDATE entries SET summary = \'{"average":7,"count":1}\' WHERE pid = \'p-7\''],
	['has another summary that is none', "UPDATE entries SET summary = 'zaverage' WHERE pid = 'p-7'"],
	['has another time', "UPDATE entries SET fetched_at = fetched_at + 1 WHERE pid = 'p-7'"],
	[
		'has a time that no number holds',
		"UPDATE entries SET fetched_at = 9223372036854775807 WHERE pid = 'p-7'",
	],
	['was used at another time', "UPDATE entries SET used_at = 8e15 WHERE pid = 'p-7'"],
	['has another state', "UPDATE entries SET state = 'stale' WHERE pid = 'p-7'"],
	['has validators that were not sent', "UPDATE entries SET validators = '\"etag\"' WHERE pid = 'p-7'"],
	['has the id of another', "UPDATE entries SET pid = 'p-7a' WHERE pid = 'p-7'"],
	['is of another account', "UPDATE entries SET account = 'accounu' WHERE pid = 'p-7'"],
	['is of another kind', "UPDATE entries SET kind = 'page' WHERE pid = 'p-7'"],
])('a value that %s is no value; the others stay, and it is written again', (_what, sql) => {
	const storeFile = fill();
	change(storeFile.file, sql);
	const store = storeFile.open();
	const table = store.table('reviews');
	const missing = PIDS.filter((pid) => table.get(pid)?.value !== pid);
	expect(missing).toEqual(['p-7']);
	expect(PIDS.filter((pid) => !table.entry(pid)).length).toBeLessThanOrEqual(1);
	expect([...table.entries(PIDS).keys()]).toEqual(
		expect.arrayContaining(PIDS.filter((pid) => pid !== 'p-7')),
	);
	table.put('p-7', pack('p-7'), 1_000);
	store.prune(0);
	store.close();
	expect(storeFile.warnings).toEqual([expect.stringMatching(/^The store had 1 damaged row\. /)]);
	expect(readable(storeFile)).toEqual(PIDS);
	expect(storeFile.warnings).toHaveLength(1);
});

test('a file in which marks are looked for where another table is, is set aside', () => {
	const storeFile = fill();
	change(
		storeFile.file,
		`PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'shown') WHERE name = 'marks'`,
	);
	expect(readable(storeFile)).toEqual([]);
	expect(storeFile.warnings).toEqual([expect.stringContaining('its tables are not those of this store')]);
});

test('the log of another database beside the file has both set aside', () => {
	const storeFile = fill();
	const other = join(createFolder(), 'other.db');
	const database = new DatabaseSync(other);
	database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; CREATE TABLE recipes (name TEXT)');
	for (let index = 0; index < 500; index++) database.exec("INSERT INTO recipes VALUES ('soup')");
	copyFileSync(`${other}-wal`, `${storeFile.file}-wal`);
	database.close();
	// SQLite cannot tell whose log it is, and makes the other database of the file.
	expect(readable(storeFile)).toEqual([]);
	fill(storeFile);
	expect(readable(storeFile)).toEqual(PIDS);
	expect(storeFile.warnings).toEqual([
		'The store cannot be used (it is not a file of this store). It was renamed to "reviews-v7.db.set-aside"; a new one is built. [PR_STORE_UNUSABLE]',
	]);
});

test.each(['-wal', '-shm'])(
	'what is left of another process, a %s file of nonsense, is no trouble',
	(suffix) => {
		const storeFile = fill();
		writeFileSync(`${storeFile.file}${suffix}`, 'This is no log. '.repeat(5_000));
		expect(readable(storeFile)).toEqual(PIDS);
		expect(storeFile.warnings).toEqual([]);
	},
);

test('a link to the file is followed', () => {
	const folder = createFolder();
	const target = fill(createStoreFile(join(folder, 'elsewhere', 'reviews.db')));
	const link = createStoreFile(join(folder, 'reviews-v7.db'));
	symlinkSync(target.file, link.file);
	expect(readable(link)).toEqual(PIDS);
	fill(link);
	expect(readable(target)).toEqual(PIDS);
	expect([...link.warnings, ...target.warnings]).toEqual([]);
});

test('a link to a file that cannot be used: the link is set aside, and the file stays as it is', () => {
	const folder = createFolder();
	const notes = join(folder, 'notes.txt');
	writeFileSync(notes, 'This is no database. '.repeat(500));
	cpSync(notes, `${notes}.copy`);
	const link = createStoreFile(join(folder, 'reviews-v7.db'));
	symlinkSync(notes, link.file);
	fill(link);
	expect(readable(link)).toEqual(PIDS);
	expect(link.warnings).toHaveLength(1);
	expect(readFileSync(notes)).toEqual(readFileSync(`${notes}.copy`));
	expect(existsSync(`${link.file}.set-aside`)).toBe(true);
});
