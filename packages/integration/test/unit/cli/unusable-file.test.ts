import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { printed, run } from '../../support/cli/command.js';
import { createFilledStore } from '../../support/unit/filled-store.js';

const COMMANDS = ['cache ls', 'cache show p-1', 'cache clear p-1', 'cache shrink', 'cache invalidate p-1'];
const NOT_OURS = 'it is not a file of this cache';

/** A database that is made with a statement, as bytes. */
function databaseOf(sql: string): Buffer {
	const file = join(createFolder(), 'made.db');
	const database = new DatabaseSync(file);
	database.exec(sql);
	database.close();
	return readFileSync(file);
}

const storeOf200 = () =>
	readFileSync(createFilledStore(Array.from({ length: 200 }, (_, index) => `p-${index}`)).file);

/** A store of which the bytes from one to another are overwritten. */
const spoilt = (from: number, to?: number) => () => storeOf200().fill(0x5a, from, to);

function ofSchema99() {
	const bytes = storeOf200();
	bytes.writeUInt32BE(99, 60);
	return bytes;
}

test.each<[string, () => Buffer, string]>([
	['text', () => Buffer.from('This is no database. '.repeat(500)), 'it is not a database'],
	['nothing', () => Buffer.alloc(0), 'it is not a database'],
	['zeros', () => Buffer.alloc(20_000), 'it is not a database'],
	['another database', () => databaseOf('CREATE TABLE mine (a)'), NOT_OURS],
	['one with a log', () => databaseOf('PRAGMA journal_mode = WAL; CREATE TABLE mine (a)'), NOT_OURS],
	['a store of another schema', ofSchema99, 'it has schema version 99'],
	['a store with damaged pages', spoilt(8_192), ''],
	['a store whose first page is damaged', spoilt(100, 8_192), ''],
])('%s is refused by every command, and left as it is', async (_, make, reason) => {
	const folder = createFolder();
	const file = join(folder, 'store.db');
	const bytes = make();
	writeFileSync(file, bytes);
	for (const command of COMMANDS) {
		await expect(printed(file, command.split(' ')), command).rejects.toThrow(
			new RegExp(`^The file at "store.db" cannot be used as a cache: .*${reason}`),
		);
		expect(readFileSync(file).equals(bytes), command).toBe(true);
	}
	expect(readdirSync(folder)).toEqual(['store.db']);
});

test('a database of another program that it has not closed keeps its log', async () => {
	const file = join(createFolder(), 'theirs.db');
	const theirs = new DatabaseSync(file);
	theirs.exec('PRAGMA journal_mode = WAL; CREATE TABLE mine (a); INSERT INTO mine VALUES (1)');
	const read = () => [file, `${file}-wal`].map((path) => readFileSync(path).toString('hex'));
	const bytes = read();
	await expect(printed(file, ['cache', 'clear', 'p-1'])).rejects.toThrow(NOT_OURS);
	expect(read()).toEqual(bytes);
	theirs.close();
});

test.each(COMMANDS)('a file that is missing is named, and not made: %s', async (command) => {
	const folder = createFolder();
	const missing = printed(join(folder, 'none.db'), command.split(' '));
	await expect(missing).rejects.toThrow('There is no cache at "none.db".');
	expect(readdirSync(folder)).toEqual([]);
});

test('the file is where the options say, and no folder', async () => {
	const cwd = createFolder();
	for (const [args, file] of [
		[[], 'shop/node_modules/.astro/product-reviews/reviews-v7.db'],
		[['--cache-dir', '.cache'], 'shop/.cache/reviews-v7.db'],
	] as const) {
		const { status, output, errors } = await run(['cache', 'ls', '--root', 'shop', ...args], { cwd });
		expect([status, output, errors]).toEqual([1, '', expect.stringContaining(`"${file}"`)]);
	}
	expect(readdirSync(cwd)).toEqual([]);
	mkdirSync(join(cwd, 'store.db'));
	await expect(printed(join(cwd, 'store.db'), ['cache', 'ls'])).rejects.toThrow('failed with EISDIR');
});
