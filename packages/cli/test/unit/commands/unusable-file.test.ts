import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { createFilledStore } from '../../../../integration/test/support/unit/filled-store.js';
import { printed, runCli } from '../../support/command.js';

const COMMANDS = [
	['store', 'ls'],
	['store', 'show', 'p-1'],
	['store', 'rm', 'p-1'],
	['store', 'vacuum'],
	['invalidate', 'p-1'],
];

/** A database that is made with a statement, as bytes. */
function databaseOf(sql: string): Buffer {
	const file = join(createFolder(), 'made.db');
	const database = new DatabaseSync(file);
	database.exec(sql);
	database.close();
	return readFileSync(file);
}

function alteredStore(alter: (bytes: Buffer) => void): Buffer {
	const bytes = readFileSync(createFilledStore(Array.from({ length: 200 }, (_, index) => `p-${index}`)).file);
	alter(bytes);
	return bytes;
}

describe.each<[string, () => Buffer, string]>([
	['text', () => Buffer.from('This is no database. '.repeat(500)), 'it is not a database'],
	['nothing', () => Buffer.alloc(0), 'it is not a database'],
	['zeros', () => Buffer.alloc(20_000), 'it is not a database'],
	['another database', () => databaseOf('CREATE TABLE mine (a)'), 'it is not a file of this store'],
	[
		'another database with a log',
		() => databaseOf('PRAGMA journal_mode = WAL; CREATE TABLE mine (a)'),
		'it is not a file of this store',
	],
	[
		'a store of another schema',
		() => alteredStore((bytes) => bytes.writeUInt32BE(99, 60)),
		'it has schema version 99',
	],
	['a store with damaged pages', () => alteredStore((bytes) => bytes.fill(0x5a, 8_192)), 'malformed'],
	['a store whose first page is damaged', () => alteredStore((bytes) => bytes.fill(0x5a, 100, 8_192)), ''],
])('%s', (_, make, reason) => {
	test.each(COMMANDS)('%s %s: is refused and left as it is', (...args) => {
		const folder = createFolder();
		const file = join(folder, 'store.db');
		const bytes = make();
		writeFileSync(file, bytes);
		expect(() => printed(file, args)).toThrow(
			new RegExp(`^The file at "store.db" cannot be used as a store: .*${reason}`),
		);
		expect(readFileSync(file).equals(bytes)).toBe(true);
		expect(readdirSync(folder)).toEqual(['store.db']);
	});
});

test('a database of another program that it has not closed keeps its log', () => {
	const file = join(createFolder(), 'theirs.db');
	const theirs = new DatabaseSync(file);
	theirs.exec('PRAGMA journal_mode = WAL; CREATE TABLE mine (a); INSERT INTO mine VALUES (1)');
	const bytes = [file, `${file}-wal`].map((path) => readFileSync(path).toString('hex'));
	expect(() => printed(file, ['store', 'rm', 'p-1'])).toThrow('it is not a file of this store');
	expect([file, `${file}-wal`].map((path) => readFileSync(path).toString('hex'))).toEqual(bytes);
	theirs.close();
});

test('a store that a build is just making is read from its log', () => {
	const { file, open } = createFilledStore([]);
	expect(printed(file, ['store', 'ls'])).toContain('0 products');
	const fresh = join(dirname(file), 'fresh.db');
	const database = new DatabaseSync(fresh);
	database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
	const schema = new DatabaseSync(file);
	for (const { sql } of schema.prepare('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all()) {
		database.exec(String(sql));
	}
	schema.close();
	database.exec('PRAGMA application_id = 0x41505276; PRAGMA user_version = 7');
	expect(readFileSync(fresh).readUInt32BE(68)).toBe(0);
	expect(printed(fresh, ['store', 'ls'])).toContain('0 products');
	database.close();
	open().close();
});

describe('a missing file', () => {
	test.each(COMMANDS)('%s %s: is named from the working directory, and not made', (...args) => {
		const folder = createFolder();
		expect(() => printed(join(folder, 'none.db'), args)).toThrow('There is no store at "none.db".');
		expect(readdirSync(folder)).toEqual([]);
	});

	test('where the options say', async () => {
		const cwd = createFolder();
		const { status, output, errors } = await runCli(['store', 'ls', '--root', 'shop'], { cwd });
		expect({ status, output }).toEqual({ status: 1, output: '' });
		expect(errors).toContain('"shop/node_modules/.astro/product-reviews/reviews-v7.db"');
		const other = await runCli(['store', 'ls', '--root', 'shop', '--cache-dir', '.cache'], { cwd });
		expect(other.errors).toContain('"shop/.cache/reviews-v7.db"');
		expect(readdirSync(cwd)).toEqual([]);
	});

	test('a folder is none', () => {
		const folder = createFolder();
		mkdirSync(join(folder, 'store.db'));
		expect(() => printed(join(folder, 'store.db'), ['store', 'ls'])).toThrow('failed with EISDIR');
	});
});
