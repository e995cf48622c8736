import { copyFileSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import { createFolder } from '../../support/unit-folder.js';
import { createStoreFile } from '../../support/unit-store.js';

const PIDS = Array.from({ length: 50 }, (_, index) => `p-${index}`);

function fill(storeFile = createStoreFile()) {
	const store = storeFile.open();
	for (const pid of PIDS) store.table('reviews').put(pid, pack(pid), 1_000);
	store.close();
	return storeFile;
}

function change(file: string, sql: string) {
	const database = new DatabaseSync(file);
	database.exec(sql);
	database.close();
}

/** Ids whose value can be read. */
const readable = ({ open }: ReturnType<typeof createStoreFile>) => {
	const table = open().table('reviews');
	return PIDS.filter((pid) => table.get(pid)?.value === pid);
};

test.each([
	['lacks its content', "DELETE FROM contents WHERE pid = 'p-7'", 0],
	['has a codec that nobody knows', "UPDATE contents SET codec = 77 WHERE pid = 'p-7'", 1],
	['is empty', "UPDATE contents SET value = x'' WHERE pid = 'p-7'", 1],
	['is a text in place of bytes', "UPDATE contents SET value = 'text' WHERE pid = 'p-7'", 1],
])('a value that %s is no value; the others stay, and it can be written again', (_what, sql, warnings) => {
	const storeFile = fill();
	change(storeFile.file, sql);
	expect(readable(storeFile)).toEqual(PIDS.filter((pid) => pid !== 'p-7'));
	expect(storeFile.warnings).toHaveLength(warnings);
	fill(storeFile);
	expect(readable(storeFile)).toEqual(PIDS);
	expect(storeFile.warnings).toHaveLength(warnings);
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
		'The store cannot be used (it is not a file of this store). It is now "reviews-v3.db.set-aside"; a new one is built.',
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
	const link = createStoreFile(join(folder, 'reviews-v3.db'));
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
	const link = createStoreFile(join(folder, 'reviews-v3.db'));
	symlinkSync(notes, link.file);
	fill(link);
	expect(readable(link)).toEqual(PIDS);
	expect(link.warnings).toHaveLength(1);
	expect(readFileSync(notes)).toEqual(readFileSync(`${notes}.copy`));
	expect(existsSync(`${link.file}.set-aside`)).toBe(true);
});
