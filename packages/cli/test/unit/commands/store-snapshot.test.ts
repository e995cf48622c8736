import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { createFolder } from 'product-reviews-test-support/folder';
import { listenInTest } from 'product-reviews-test-support/listen';
import { describe, expect, onTestFinished, test } from 'vitest';
import { APPLICATION_ID, SCHEMA_VERSION } from '../../../../integration/src/store/identity.js';
import { ALL_PRODUCTS } from '../../../../integration/src/store/marks.js';
import { pack } from '../../../../integration/src/store/pack.js';
import { mountSmallDisk } from '../../../../integration/test/support/small-disk.js';
import { createFilledStore, FETCHED_AT } from '../../../../integration/test/support/unit/filled-store.js';
import { record } from '../../../../integration/test/support/unit/record.js';
import { readCommand } from '../../../src/commands/read-command.js';
import { snapshotCommand } from '../../../src/commands/snapshot-command.js';
import { printed } from '../../support/command.js';

const PIDS = Array.from({ length: 500 }, (_, index) => `p-${index}`);
const DAY = 86_400_000;

/** Runs `store push` or `store pull` on a store's file. */
async function run(name: 'push' | 'pull', store: string, place: string, env: NodeJS.ProcessEnv = {}) {
	const command = readCommand(['store', name, '--json', '--store', store, place]);
	if (typeof command === 'string') throw new Error(command);
	const said: string[] = [];
	const stderr = {
		isTTY: false,
		write: (text: string) => said.push(text),
	} as unknown as typeof process.stderr;
	const texts = await snapshotCommand(command, { env, cwd: () => dirname(store), stderr });
	return { ...JSON.parse(texts.join('')), said };
}

/** A path for a store in a folder of its own. */
const newPlace = () => join(createFolder(), 'reviews.db');
const list = (file: string) => printed(file, ['store', 'ls', '--json'], FETCHED_AT);
const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

function countPages(file: string): unknown {
	const database = new DatabaseSync(file);
	const row = database.prepare("SELECT count(*) AS count FROM entries WHERE kind = 'page'").get();
	database.close();
	return row?.['count'];
}

/** The snapshot of a store, in a folder without anything else. */
async function snapshotOf(file: string): Promise<string> {
	const snapshot = join(createFolder(), 'reviews.snapshot');
	await run('push', file, snapshot);
	return snapshot;
}

test('a whole store goes through a file', async () => {
	const { file } = createFilledStore(PIDS, ['one', 'two']);
	const snapshot = join(createFolder(), 'reviews.snapshot');
	const pushed = await run('push', file, snapshot);
	expect(pushed).toMatchObject({ products: 1_000, bytes: readFileSync(snapshot).length, said: [] });
	expect(pushed.bytes).toBeLessThan(pushed.storeBytes);

	const other = newPlace();
	expect(await run('pull', other, snapshot)).toMatchObject({ products: 1_000, taken: 1_000, isNew: true });
	expect(list(other)).toBe(list(file));
	expect(countPages(other)).toBe(2);
	for (const path of [file, snapshot, other]) expect(readdirSync(dirname(path)).join()).not.toContain('.tmp');
});

test('a push sees a store that is being written as it was before', async () => {
	const { file } = createFilledStore(['p-1', 'p-2']);
	const before = list(file);
	const writer = new DatabaseSync(file);
	writer.exec("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; DELETE FROM entries WHERE pid = 'p-1'");
	const snapshot = await snapshotOf(file);
	writer.exec('COMMIT');
	writer.close();
	const other = newPlace();
	await run('pull', other, snapshot);
	expect(list(other)).toBe(before);
});

test('a pull takes what is newer, and keeps what is newer here, also after days', async () => {
	const now = Date.now();
	const there = createFilledStore(['old', 'both', 'newer-there', 'only-there']);
	const here = createFilledStore(['old', 'both', 'newer-there']);
	const write = (store: ReturnType<typeof here.open>, pid: string, at: number, text: string) => {
		store.table('reviews').put(pid, pack(record({ pid, heading: text })), at);
		store.close();
	};
	write(here.open(), 'both', now - DAY, 'from here');
	write(there.open(), 'both', now - 5 * DAY, 'from there');
	write(there.open(), 'newer-there', now - 5 * DAY, 'from there');
	write(here.open(), 'only-here', FETCHED_AT, 'from here');
	const snapshot = await snapshotOf(there.file);

	expect(await run('pull', here.file, snapshot)).toMatchObject({
		products: 4,
		taken: 2,
		kept: 2,
		isNew: false,
	});
	const read = (pid: string) => printed(here.file, ['store', 'show', '--json', pid]);
	expect(read('both')).toContain('from here');
	expect(read('newer-there')).toContain('from there');
	expect(read('only-here')).toContain('from here');
	expect(read('only-there')).toContain('only-there');
	expect(countPages(here.file)).toBe(1);
	// What was taken is whole: nothing is taken again, and nothing is mended.
	expect(await run('pull', here.file, snapshot)).toMatchObject({ taken: 0, kept: 4 });
});

test('rows that are damaged there replace none that are whole here', async () => {
	const there = createFilledStore(['p-1', 'p-2']);
	const here = createFilledStore(['p-1']);
	const database = new DatabaseSync(there.file);
	database.exec(`UPDATE entries SET fetched_at = ${Date.now()}, digest = 'x' WHERE pid = 'p-1'`);
	database.close();
	const before = printed(here.file, ['store', 'show', '--json', 'p-1']);
	expect(await run('pull', here.file, await snapshotOf(there.file))).toMatchObject({ taken: 1, kept: 1 });
	expect(printed(here.file, ['store', 'show', '--json', 'p-1'])).toBe(before);
});

test('a damaged mark in a snapshot marks all products, and so does a mark of all', async () => {
	const there = createFilledStore(['p-1']);
	const here = createFilledStore(['p-1']);
	const writing = there.open();
	writing.table('mark').put('p-1', pack({}), Date.now());
	writing.close();
	const database = new DatabaseSync(there.file);
	database.exec('UPDATE marks SET fetched_at = fetched_at + 1');
	database.close();
	await run('pull', here.file, await snapshotOf(there.file));
	const other = createFilledStore(['p-1']);
	await run('pull', other.file, await snapshotOf(here.file));
	for (const { open } of [here, other]) {
		const store = open();
		expect(store.pids('mark')).toEqual([ALL_PRODUCTS]);
		store.close();
	}
});

test('a row from the future is taken if there is no other, and never replaces one', async () => {
	const there = createFilledStore([]);
	const store = there.open();
	for (const pid of ['p-1', 'p-2'])
		store.table('reviews').put(pid, pack(record({ pid })), Date.now() + 5 * DAY);
	store.close();
	const here = createFilledStore(['p-1']);
	const before = printed(here.file, ['store', 'show', '--json', 'p-1']);
	expect(await run('pull', here.file, await snapshotOf(there.file))).toMatchObject({ taken: 1, kept: 1 });
	expect(printed(here.file, ['store', 'show', '--json', 'p-1'])).toBe(before);
});

test('what an older Node wrote can be read', async () => {
	const { file } = createFilledStore(PIDS);
	const snapshot = join(createFolder(), 'reviews.snapshot');
	writeFileSync(snapshot, gzipSync(readFileSync(file)));
	const other = newPlace();
	await run('pull', other, snapshot);
	expect(list(other)).toBe(list(file));
});

/** A database that says it is a store. @param change of a real store; without it, one without tables */
function databaseOf(change?: string): Buffer {
	const file = change === undefined ? newPlace() : createFilledStore(PIDS).file;
	const database = new DatabaseSync(file);
	database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
	database.exec(change ?? '');
	database.close();
	return readFileSync(file);
}

describe.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
	['a flipped bit', (bytes) => bytes.fill((bytes[9_000] ?? 0) ^ 1, 9_000, 9_001), /damaged, or its end/],
	['a missing end', (bytes) => bytes.subarray(0, -1), /damaged, or its end/],
	['half of it', (bytes) => bytes.subarray(0, bytes.length / 2), /damaged, or its end/],
	['nothing', () => Buffer.alloc(0), /it is empty/],
	['a page of a server', () => Buffer.from('<!doctype html>'), /not compressed as a snapshot is/],
	['a compressed text', () => gzipSync('text'.repeat(100)), /it is not a database/],
	[
		'much more than it seems',
		() => gzipSync(Buffer.alloc(80_000_000)),
		/expands to more than 100 times its size/,
	],
	['another database', () => gzipSync(databaseOf()), /its tables are not those of this store/],
	[
		'a trigger',
		() => gzipSync(databaseOf('CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM contents; END')),
		/more than the tables/,
	],
	['a damaged database', () => gzipSync(databaseOf('').fill(0x55, 24_576, 28_000)), /malformed|damaged/],
])('%s', (_, spoil, reason) => {
	test.each(['a store', 'no store'])('is refused where there is %s, which stays', async (what) => {
		const snapshot = await snapshotOf(createFilledStore(PIDS).file);
		writeFileSync(snapshot, spoil(readFileSync(snapshot)));
		const file = newPlace();
		if (what === 'a store') copyFileSync(createFilledStore(['p-1']).file, file);
		const before = existsSync(file) && digestOf(file);
		const pulled = run('pull', file, snapshot);
		await expect(pulled).rejects.toMatchObject({
			code: 'PR_SNAPSHOT_UNUSABLE',
			message: expect.stringMatching(reason),
		});
		expect(existsSync(file) && digestOf(file)).toBe(before);
		expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
	});
});

test('a snapshot of another schema is refused', async () => {
	const { file } = createFilledStore(['p-1']);
	const bytes = readFileSync(file);
	bytes.writeUInt32BE(99, 60);
	const snapshot = join(createFolder(), 'reviews.snapshot');
	writeFileSync(snapshot, gzipSync(bytes));
	const pulled = run('pull', newPlace(), snapshot);
	await expect(pulled).rejects.toMatchObject({
		code: 'PR_SNAPSHOT_UNUSABLE',
		message: 'The snapshot cannot be used: it has schema version 99.',
	});
});

/** An object store with one object, for who has the key and the signature. */
async function startObjectStore() {
	const requests: IncomingMessage[] = [];
	const state = { object: undefined as Buffer | undefined, cutAt: Number.POSITIVE_INFINITY };
	const server = createServer(async (request, response) => {
		requests.push(request);
		const body = await buffer(request);
		if (request.headers.authorization !== 'Bearer key' || !request.url?.includes('?signature=s3cret')) {
			response.writeHead(403).end();
		} else if (request.method === 'PUT') {
			state.object = body;
			response.end();
		} else if (!state.object) {
			response.writeHead(404).end();
		} else {
			response.writeHead(200, { 'content-length': state.object.length });
			response.write(state.object.subarray(0, state.cutAt));
			if (state.cutAt < state.object.length) setTimeout(() => response.destroy(), 50);
			else response.end();
		}
	});
	const { url } = await listenInTest(server);
	return { url: `${url}/cache/reviews.snapshot?signature=s3cret`, requests, state };
}

describe('a URL', () => {
	const env = { REVIEWS_SNAPSHOT_AUTHORIZATION: 'Bearer key' };

	test('takes and gives a whole store, with a length as S3 wants it', async () => {
		const { file } = createFilledStore(PIDS);
		const { url, requests, state } = await startObjectStore();
		const { bytes } = await run('push', file, url, env);
		expect(requests[0]?.headers['content-length']).toBe(String(bytes));
		expect(requests[0]?.headers['transfer-encoding']).toBeUndefined();
		expect(state.object).toHaveLength(bytes);
		const other = newPlace();
		expect(await run('pull', other, url, env)).toMatchObject({ products: 500, bytes, isNew: true });
		expect(list(other)).toBe(list(file));
	});

	test.each<[string, NodeJS.ProcessEnv, string, RegExp]>([
		[
			'nothing is there',
			env,
			'PR_SNAPSHOT_MISSING',
			/^There is no snapshot at http:\S+\/cache\/reviews\.snapshot\.$/,
		],
		[
			'the key is missing',
			{},
			'PR_SNAPSHOT_TRANSFER',
			/^\[GET\] http:\S+\.snapshot: the answer was 403 Forbidden\.$/,
		],
	])('%s', async (_, environment, code, message) => {
		const { url } = await startObjectStore();
		const error = await run('pull', newPlace(), url, environment).catch((reason) => reason);
		expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
		expect(`${error.message} ${error.hint}`).not.toContain('s3cret');
	});

	test('a connection that breaks leaves the store as it is', async () => {
		const { url, state } = await startObjectStore();
		await run('push', createFilledStore(PIDS).file, url, env);
		state.cutAt = 20_000;
		const { file } = createFilledStore(['p-1']);
		const before = digestOf(file);
		const error = await run('pull', file, url, env).catch((reason) => reason);
		expect(error).toMatchObject({
			code: 'PR_SNAPSHOT_TRANSFER',
			message: expect.stringMatching(/^\[GET\] http:/),
		});
		expect(error.message).not.toContain('s3cret');
		expect(digestOf(file)).toBe(before);
	});

	test.each([
		['s3://bucket/reviews', 'a URL that begins with https://'],
		['http://shop.example/reviews', 'must begin with https://, except on this machine'],
		[
			'https://me:password@shop.example/reviews',
			'must not contain a password. Set REVIEWS_SNAPSHOT_AUTHORIZATION',
		],
		['"https://shop.example/reviews?signature=s3cret"', 'a URL that begins with https://'],
		['http:/shop.example/reviews?signature=s3cret', 'must begin with https://, except'],
		[' http://shop.example/reviews?signature=s3cret', 'must begin with https://, except'],
	])('%s is refused', async (url, message) => {
		await expect(run('pull', newPlace(), url)).rejects.toMatchObject({ code: 'PR_USAGE' });
		await expect(run('pull', newPlace(), url)).rejects.toThrow(message);
		await expect(run('pull', newPlace(), url)).rejects.not.toThrow('s3cret');
	});

	test('is not repeated by an error of the command line, nor is the header', async () => {
		const url = 'https://shop.example/a?signature=s3cret';
		for (const args of [
			['store', url],
			['store', 'push', 'file', url],
		]) {
			expect(() => readCommand(args)).toThrow('https://shop.example/a?...');
			expect(() => readCommand(args)).not.toThrow('s3cret');
		}
		const withLines = { REVIEWS_SNAPSHOT_AUTHORIZATION: 'Bearer\ns3cret' };
		const { url: store } = await startObjectStore();
		const error = await run('pull', newPlace(), store, withLines).catch((reason) => reason);
		expect(`${error.message}`).toBe(
			'The variable REVIEWS_SNAPSHOT_AUTHORIZATION is not the value of a header.',
		);
	});

	test('that redirects is refused', async () => {
		const server = createServer((_, response) => void response.writeHead(302, { location: '/b' }).end());
		const { url } = await listenInTest(server);
		const error = await run('pull', newPlace(), `${url}/a?signature=s3cret`, env).catch((reason) => reason);
		expect(error.message).toMatch(/^\[GET\] http:\S+\/a: .*redirect/);
		expect(error.message).not.toContain('s3cret');
	});
});

test('what is not there is named', async () => {
	const { file } = createFilledStore(['p-1']);
	await expect(run('pull', file, 'none.snapshot')).rejects.toThrow(
		'There is no snapshot at "none.snapshot".',
	);
	await expect(run('push', file, 'none/a')).rejects.toThrow(/cannot be written: .* failed with ENOENT/);
	await expect(run('push', newPlace(), 'a')).rejects.toThrow('There is no store at "reviews.db".');
});

test('what a killed process left beside a store is removed after a day', async () => {
	const { file } = createFilledStore(['p-1']);
	const left = [
		`${file}.0123456789abcdef.tmp`,
		`${file}.0123456789abcdef.tmp-journal`,
		`${file}.snapshot.0123456789abcdef.tmp`,
	];
	const recent = `${file}.fedcba9876543210.tmp`;
	for (const path of [...left, recent]) writeFileSync(path, '');
	for (const path of left) utimesSync(path, new Date(Date.now() - 2 * DAY), new Date(Date.now() - 2 * DAY));
	await snapshotOf(file);
	expect(left.filter((path) => existsSync(path))).toEqual([]);
	expect(existsSync(recent)).toBe(true);
});

test('two pushes to one file at once leave a whole snapshot, also with one process id', async () => {
	const { file } = createFilledStore(PIDS);
	const snapshot = join(createFolder(), 'reviews.snapshot');
	await Promise.all([run('push', file, snapshot), run('push', file, snapshot)]);
	expect(await run('pull', newPlace(), snapshot)).toMatchObject({ products: 500 });
	expect(readdirSync(dirname(snapshot))).toEqual(['reviews.snapshot']);
});

test('a full disk refuses a snapshot, and nothing else', async ({ skip }) => {
	const disk = mountSmallDisk('1m');
	if (typeof disk === 'string') return skip(disk);
	onTestFinished(() => disk.remove());
	const large = createFilledStore([]);
	const store = large.open();
	store.table('reviews').put('p-1', pack(randomBytes(1_500_000).toString('hex')), Date.now());
	store.close();
	const snapshot = await snapshotOf(large.file);
	const file = join(disk.folder, 'reviews.db');
	copyFileSync(createFilledStore(['p-1']).file, file);
	const before = digestOf(file);
	await expect(run('pull', file, snapshot)).rejects.toMatchObject({
		code: 'PR_FILE_NOT_WRITTEN',
		message: 'The snapshot cannot be unpacked beside the store: write failed with ENOSPC.',
	});
	await expect(run('push', large.file, join(disk.folder, 'a.snapshot'))).rejects.toMatchObject({
		code: 'PR_FILE_NOT_WRITTEN',
	});
	expect(digestOf(file)).toBe(before);
	expect(readdirSync(disk.folder)).toEqual(['reviews.db']);

	writeFileSync(join(disk.folder, 'other'), randomBytes(950_000));
	await expect(run('push', file, join(createFolder(), 'a.snapshot'))).rejects.toMatchObject({
		code: 'PR_FILE_NOT_WRITTEN',
		message: expect.stringMatching(/^A copy of the store cannot be written beside it: .*full/),
	});
	expect(readdirSync(disk.folder)).toEqual(['other', 'reviews.db']);
});

test('a store that grows to the end of the disk has taken whole products', async ({ skip }) => {
	const disk = mountSmallDisk('4m');
	if (typeof disk === 'string') return skip(disk);
	onTestFinished(() => disk.remove());
	const there = createFilledStore([]);
	const store = there.open();
	for (let index = 0; index < 300; index++)
		store.table('reviews').put(`p-${index}`, pack(randomBytes(4_000).toString('hex')), FETCHED_AT);
	store.close();
	const file = join(disk.folder, 'reviews.db');
	copyFileSync(createFilledStore(['p-1']).file, file);
	await expect(run('pull', file, await snapshotOf(there.file))).rejects.toMatchObject({
		code: 'PR_FILE_NOT_WRITTEN',
		message: expect.stringMatching(/^The store has taken only a part of the snapshot: .*full/),
	});
	expect(readdirSync(disk.folder)).toEqual(['reviews.db']);
	expect(JSON.parse(printed(file, ['store', 'show', '--json', 'p-1']))).toBeTruthy();
});
