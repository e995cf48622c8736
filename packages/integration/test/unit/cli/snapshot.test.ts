import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { createFolder } from 'product-reviews-test-support/folder';
import { listenInTest } from 'product-reviews-test-support/listen';
import { describe, expect, test, vi } from 'vitest';
import { pack } from '../../../src/cache/values.js';
import { printed, run } from '../../support/cli/command.js';
import { change, query } from '../../support/unit/cache.js';
import { createFilledCache, FETCHED_AT, packRecord } from '../../support/unit/filled-cache.js';
import { displayed, record } from '../../support/unit/record.js';

const PIDS = Array.from({ length: 200 }, (_, index) => `p-${index}`);
const DAY = 86_400_000;
const NOTHING = { ofOthers: 0, ofFuture: 0, unusable: 0, ofOtherKinds: 0 };

const site = vi.hoisted(() => ({ cacheFile: '' }));
vi.mock('../../../src/cli/site.js', () => ({
	loadSite: async () => ({
		project: { connection: () => ({ account: 'account' }), cacheFile: () => site.cacheFile },
	}),
}));

/** Runs `cache push` or `cache pull` on a store's file. @throws Error with what it says is wrong */
async function transfer(name: string, cache: string, place: string, environment?: NodeJS.ProcessEnv) {
	const args = ['cache', name, '--json', '--cache-file', cache, place];
	const { status, output, errors } = await run(args, { cwd: dirname(cache), environment });
	if (status !== 0) throw new Error(errors);
	return JSON.parse(output);
}

/** Paths of a store and of a snapshot, each in a folder of its own. */
const newPlace = () => join(createFolder(), 'reviews.db');
const newSnapshot = () => join(createFolder(), 'reviews.snapshot');
const list = (file: string) => printed(file, ['cache', 'ls', '--json'], FETCHED_AT);
const bytesOf = (file: string) => (existsSync(file) ? readFileSync(file).toString('base64') : undefined);

/** Pages, and what builds noted. */
const MADE = `SELECT kind FROM entries WHERE kind IN ('page', 'output') UNION SELECT 'shown' FROM shown`;

async function snapshotOf(file: string): Promise<string> {
	const snapshot = newSnapshot();
	await transfer('push', file, snapshot);
	return snapshot;
}

test('a whole store goes through a file', async () => {
	const { file } = createFilledCache(PIDS, ['account', 'other']);
	const own = await list(createFilledCache(PIDS).file);
	expect(query(file, MADE)).toHaveLength(2);
	const [snapshot, other, older, copy] = [newSnapshot(), newPlace(), newPlace(), newPlace()];
	const pushed = await transfer('push', file, snapshot);
	expect(pushed).toMatchObject({ products: 400, bytes: readFileSync(snapshot).length });
	expect(pushed.bytes).toBeLessThan(pushed.cacheBytes);
	const pulled = await transfer('pull', other, snapshot);
	const ignored = { ...NOTHING, ofOthers: 400 };
	expect(pulled).toMatchObject({ products: 200, taken: 200, isNew: true, ignored });
	expect(await list(other)).toBe(own);
	for (const path of [file, snapshot, other]) expect(readdirSync(dirname(path)).join()).not.toContain('.tmp');
	// Pages, and what was made of values, stay where they were built.
	writeFileSync(copy, zlib.gunzipSync(readFileSync(snapshot)));
	// Without --cache-file, it goes to the store of the site.
	writeFileSync(snapshot, zlib.gzipSync(readFileSync(file)));
	site.cacheFile = older;
	expect((await run(['cache', 'pull', snapshot])).status).toBe(0);
	expect(await list(older)).toBe(own);
	for (const path of [copy, other, older]) expect(query(path, MADE)).toEqual([]);
});

test('a push sees a store that is being written as it was before', async () => {
	const { file } = createFilledCache(['p-1', 'p-2']);
	const before = await list(file);
	const writer = new DatabaseSync(file);
	writer.exec("PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; DELETE FROM entries WHERE pid = 'p-1'");
	const snapshot = await snapshotOf(file);
	writer.exec('COMMIT');
	writer.close();
	const other = newPlace();
	await transfer('pull', other, snapshot);
	expect(await list(other)).toBe(before);
});

test('a pull takes what is newer, even by a clock that is ahead, and keeps what is newer here', async () => {
	const now = Date.now();
	const there = createFilledCache(['old', 'both', 'newer-there', 'only-there']);
	const here = createFilledCache(['old', 'both', 'newer-there']);
	for (const [{ open }, pid, at, heading] of [
		[here, 'both', now - DAY, 'from here'],
		[there, 'both', now - 5 * DAY, 'from there'],
		[there, 'newer-there', now + 0.9 * DAY, 'from there'],
		[here, 'only-here', FETCHED_AT, 'from here'],
	] as const) {
		const cache = open();
		cache.table('reviews').put(pid, packRecord({ pid, heading }), at);
		cache.close();
	}
	const snapshot = await snapshotOf(there.file);
	const pulled = await transfer('pull', here.file, snapshot);
	expect(pulled).toMatchObject({ products: 4, taken: 2, kept: 2, isNew: false });
	const read = (pid: string) => printed(here.file, ['cache', 'show', pid]);
	for (const pid of ['both', 'only-here']) expect(await read(pid)).toContain('from here');
	expect(await read('newer-there')).toContain('from there');
	expect(await read('only-there')).toContain('only-there');
	// What was taken is whole: nothing is taken again, and nothing is mended.
	expect(await transfer('pull', here.file, snapshot)).toMatchObject({ taken: 0, kept: 4 });
});

test('a pull takes nothing of others, of the future, or that no build of this version writes, and says so', async () => {
	const there = createFilledCache(['p-1'], ['account', 'other']);
	const cache = there.open();
	const reviews = cache.table('reviews');
	reviews.put('future', packRecord({ pid: 'future' }), Date.now() + 1.1 * DAY);
	for (const [pid, packed] of Object.entries({
		script: packRecord({ pid: 'script', reviews: [displayed({ productUrl: 'javascript:alert(1)' })] }),
		object: packRecord({ pid: 'object', reviews: [displayed({ title: {} as string })] }),
		field: packRecord({ pid: 'field', ...{ html: '<script>' } }),
		'of-p-1': packRecord({ pid: 'p-1' }),
		summary: pack(record({ pid: 'summary', schema: undefined }), { average: 5, count: 1_000 }),
	}))
		reviews.put(pid, packed, FETCHED_AT);
	cache.table('rating').put('object', pack({}, { average: 4, count: {} }), FETCHED_AT);
	cache.table('review-data').put('object', pack({ pid: 'object' }), FETCHED_AT);
	cache.table('mark').put('object', pack({ of: 'another form' }), FETCHED_AT);
	cache.table('output').put('', pack({ baseUrl: 'https://other.example' }), FETCHED_AT);
	cache.close();
	const [file, snapshot] = [newPlace(), newSnapshot()];
	writeFileSync(snapshot, zlib.gzipSync(readFileSync(there.file)));
	const { output } = await run(['cache', 'pull', '--cache-file', file, snapshot]);
	expect(output).toContain(
		'\nIgnored: 2 rows of another service or website ID; 1 row fetched in the future; 8 rows damaged, or not what this version writes; 3 rows neither reviews nor ratings\n',
	);
	expect(await list(file)).toBe(await list(createFilledCache(['p-1']).file));
	const all = ['entries', 'contents'].map((name) => `SELECT account, pid FROM ${name}`);
	expect(query(file, all.join(' UNION '))).toEqual([{ account: 'account', pid: 'p-1' }]);
});

test('damaged rows replace none that are whole', async () => {
	const [there, here] = [['p-1', 'p-2'], ['p-1']].map((pids) => createFilledCache(pids));
	if (!there || !here) throw new Error('There are two.');
	const show = () => printed(here.file, ['cache', 'show', 'p-1']);
	const before = await show();
	change(there.file, `UPDATE entries SET fetched_at = ${Date.now()}, digest = 'x' WHERE pid = 'p-1'`);
	const snapshot = newSnapshot();
	writeFileSync(snapshot, zlib.gzipSync(readFileSync(there.file)));
	const pulled = await transfer('pull', here.file, snapshot);
	expect(pulled).toMatchObject({ taken: 1, kept: 0, ignored: { unusable: 2 } });
	// A push leaves them out.
	const pushed = await transfer('pull', here.file, await snapshotOf(there.file));
	expect(pushed).toMatchObject({ taken: 0, kept: 1, ignored: NOTHING });
	expect(await show()).toBe(before);
});

/** A store that a statement has changed, compressed. */
function changedCache(sql: string): Buffer {
	const { file } = createFilledCache(PIDS);
	change(file, sql);
	return zlib.gzipSync(readFileSync(file));
}

const DROP = ['contents', 'entries', 'shown'].map((name) => `DROP TABLE IF EXISTS ${name}`);

test.each<[string, (bytes: Buffer) => Uint8Array, RegExp]>([
	// Of the checksum: one in the middle may change nothing, where what is repeated stands twice.
	['a flipped bit', (bytes) => bytes.with(-8, 1 ^ Number(bytes.at(-8))), /damaged, or its end/],
	['a missing end', (bytes) => bytes.subarray(0, -1), /damaged, or its end/],
	['half of it', (bytes) => bytes.subarray(0, bytes.length / 2), /damaged, or its end/],
	['nothing', () => Buffer.alloc(0), /it is empty/],
	['a page of a server', () => Buffer.from('<!doctype html>'), /not compressed as a snapshot is/],
	['a compressed text', () => zlib.gzipSync('text'.repeat(100)), /it is not a database/],
	['more than it seems', () => zlib.gzipSync(Buffer.alloc(80_000_000)), /expands to more than 100 times/],
	['other tables', () => changedCache(DROP.join(';')), /its tables are not those of this cache/],
	['another schema', () => changedCache('PRAGMA user_version = 99'), /it has schema version 99\./],
	['damaged pages', (bytes) => zlib.gzipSync(zlib.gunzipSync(bytes).fill(0x55, 24_576)), /malformed|damaged/],
])('a snapshot with %s is refused; if there is a cache, it stays as it is', async (_, spoil, reason) => {
	const snapshot = await snapshotOf(createFilledCache(PIDS).file);
	writeFileSync(snapshot, spoil(readFileSync(snapshot)));
	for (const file of [newPlace(), createFilledCache(['p-1']).file]) {
		const before = bytesOf(file);
		const { status, errors } = await run(['cache', 'pull', '--cache-file', file, snapshot]);
		expect([status, errors]).toEqual([1, expect.stringContaining('PR_SNAPSHOT_UNUSABLE')]);
		expect(errors).toMatch(reason);
		expect(bytesOf(file)).toBe(before);
		expect(readdirSync(dirname(file)).join()).not.toContain('.tmp');
	}
});

describe('a URL', () => {
	const KEY = { REVIEWS_SNAPSHOT_AUTHORIZATION: 'Bearer key' };

	/** An object store with one object, for who has the key and the signature. */
	async function startObjectStore() {
		const requests: IncomingMessage[] = [];
		const state = { object: undefined as Buffer | undefined, isCut: false };
		const server = createServer(async (request, response) => {
			requests.push(request);
			const body = await buffer(request);
			const mayRead = request.headers.authorization === 'Bearer key' && request.url?.endsWith('=s3cret');
			if (request.url?.startsWith('/moved')) response.writeHead(302, { location: '/b' }).end();
			else if (!mayRead) response.writeHead(403).end();
			else if (request.method === 'PUT') {
				state.object = body;
				response.end();
			} else if (!state.object) response.writeHead(404).end();
			else {
				response.writeHead(200, { 'content-length': state.object.length });
				if (state.isCut) response.write(state.object.subarray(0, 20_000), () => response.destroy());
				else response.end(state.object);
			}
		});
		const { url: origin } = await listenInTest(server);
		return { origin, url: `${origin}/cache/reviews.snapshot?signature=s3cret`, requests, state };
	}

	test('takes and gives a whole cache, with a length as S3 wants it', async () => {
		const { file } = createFilledCache(PIDS);
		const { url, requests, state } = await startObjectStore();
		const { bytes } = await transfer('push', file, url, KEY);
		expect(requests[0]?.headers['content-length']).toBe(String(bytes));
		expect(requests[0]?.headers['transfer-encoding']).toBeUndefined();
		expect(state.object).toHaveLength(bytes);
		const other = newPlace();
		expect(await transfer('pull', other, url, KEY)).toMatchObject({ products: 200, bytes, isNew: true });
		expect(await list(other)).toBe(await list(file));
	});

	test('that fails is told without its signature, and leaves the store as it is', async () => {
		const { origin, url, state } = await startObjectStore();
		const { file } = createFilledCache(['p-1']);
		const before = bytesOf(file);
		const fails = async (message: RegExp, from = url, environment: NodeJS.ProcessEnv = KEY) => {
			const error: Error = await transfer('pull', file, from, environment).catch((reason) => reason);
			expect(error.message).toMatch(message);
			expect(error.message).not.toContain('s3cret');
			expect(bytesOf(file)).toBe(before);
		};
		await fails(/^There is no snapshot at http:\S+\/reviews\.snapshot\.\n.*PR_SNAPSHOT_MISSING/s);
		await fails(/^\[GET\] http:\S+: the answer was 403 Forbidden\.\n.*PR_SNAPSHOT_TRANSFER/s, url, {});
		await fails(/^\[GET\] http:\S+\/moved: .*redirect/, `${origin}/moved?signature=s3cret`);
		const lines = { REVIEWS_SNAPSHOT_AUTHORIZATION: 'Bearer\ns3cret' };
		await fails(/^The variable REVIEWS_SNAPSHOT_AUTHORIZATION is not the value of a header: /, url, lines);
		await transfer('push', createFilledCache(PIDS).file, url, KEY);
		state.isCut = true;
		await fails(/^\[GET\] http:\S+: .*PR_SNAPSHOT_TRANSFER/s);
	});

	test.each([
		['pull s3://bucket/reviews', 'a URL that begins with https://'],
		['pull http://shop.example/reviews', 'must begin with https://, except on this machine'],
		['pull https://me:s3cret@shop.example/', 'password. Set REVIEWS_SNAPSHOT_AUTHORIZATION'],
		['pull "https://shop.example/reviews?signature=s3cret"', 'a URL that begins with https://'],
		['pull http:/shop.example/reviews?signature=s3cret', 'must begin with https://, except'],
		['https://shop.example/a?signature=s3cret', 'https://shop.example/a?...'],
		['push file https://shop.example/a?signature=s3cret', 'https://shop.example/a?...'],
	])('that is none, or in a wrong place, is refused without its secret: %s', async (args, message) => {
		const { status, errors } = await run(['cache', '--cache-file', newPlace(), ...args.split(' ')]);
		expect([status, errors]).toEqual([1, expect.stringContaining('PR_USAGE')]);
		expect(errors).toContain(message);
		expect(errors).not.toContain('s3cret');
	});
});

test('what is not there is named', async () => {
	const { file } = createFilledCache(['p-1']);
	const none = transfer('pull', file, 'none.snapshot');
	await expect(none).rejects.toThrow('There is no snapshot at "none.snapshot".');
	await expect(transfer('push', file, 'none/a')).rejects.toThrow(/cannot be written: .* failed with ENOENT/);
	await expect(transfer('push', newPlace(), 'a')).rejects.toThrow('There is no cache at "reviews.db".');
});

test('what a killed process left beside a store is removed after a day', async () => {
	const { file } = createFilledCache(['p-1']);
	const [left, recent] = ['abcdef', 'fedcba'].map((end) => `${file}.tmp-${end}`) as [string, string];
	for (const path of [left, recent]) mkdirSync(path);
	utimesSync(left, new Date(Date.now() - 2 * DAY), new Date(Date.now() - 2 * DAY));
	await snapshotOf(file);
	expect([left, recent].filter((path) => existsSync(path))).toEqual([recent]);
});
