import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BLOCK_SIZE, memberKey, openBlock, type PackedBlock, packBlock } from '../../../src/store/blocks.js';
import { decode } from '../../../src/store/codec.js';
import { pack } from '../../../src/store/pack.js';
import type { ReviewStore } from '../../../src/store/review-store.js';
import { createWriteBuffer } from '../../../src/store/write-buffer.js';
import { createStoreFile } from '../../support/unit/store.js';

const FETCHED_AT = 1_700_000_000_000;
/** Four fill a block. */
const LENGTH = BLOCK_SIZE / 4;

/** A text as a version of Node without zstd writes it. */
function gzipped(text: Buffer): Buffer {
	const head = Buffer.alloc(4);
	head.writeUInt32LE(text.length);
	return Buffer.concat([head, gzipSync(text)]);
}

/** A value with what the thread that fetches made of it. */
function packWith(pid: string, version = 1) {
	const item = { text: `Größe 😀 ${pid} ${version} `.padEnd(LENGTH, 'x'), about: { version } };
	return { item, packed: pack({ pid, version }, undefined, { set: 's', items: { k: item } }) };
}

const put = (store: ReviewStore, pid: string, version = 1) =>
	store.table('reviews').put(pid, packWith(pid, version).packed, FETCHED_AT + version);

/** Makes it anew of the first version. */
function attach(store: ReviewStore, pid: string) {
	const { item, packed } = packWith(pid);
	store.table('reviews').attach(pid, packed.digest, 's', 'k', item);
}

/** The version of what is there, if all of it is. */
function versionOf(store: ReviewStore, pid: string): unknown {
	const item = store.table('reviews').attachment(pid, 's', 'k');
	const { version } = (item?.about ?? {}) as { version?: number };
	return item && (JSON.stringify(item) === JSON.stringify(packWith(pid, version).item) ? version : 'wrong');
}

const PIDS = Array.from({ length: 10 }, (_, index) => `p-${index}`);

/** A closed file with what was made of ten products. */
function createFilled() {
	const file = createStoreFile();
	const store = file.open();
	for (const pid of PIDS) put(store, pid);
	store.close();
	const query = (sql: string) => {
		const database = new DatabaseSync(file.file);
		const rows = database.prepare(sql).all();
		database.close();
		return rows;
	};
	/** The products of each block. */
	const blocks = () =>
		query(
			"SELECT group_concat(pid, ' ') AS pids FROM (SELECT block, pid FROM entries ORDER BY pid) JOIN blocks USING (block) GROUP BY block",
		).map(({ pids }) => pids);
	return { ...file, query, blocks };
}

test('a block has what was put into it, and a damaged one throws', () => {
	const members = new Map([
		[memberKey('a', 'reviews', 'p-1'), Buffer.from('Größe')],
		[memberKey('a', 'reviews', '1'), Buffer.alloc(0)],
		[memberKey('a', 'review-data', 'p-1'), Buffer.from('日本')],
	]);
	const block = packBlock(members);
	expect(openBlock(block)).toEqual(members);
	expect(() => openBlock({ ...block, value: block.value.subarray(0, -3) })).toThrow();
	expect(openBlock(packBlock(new Map()))).toEqual(new Map());
});

describe('in the store', () => {
	test('what is written together is together, up to the size of a block', () => {
		const { open, blocks } = createFilled();
		const store = open();
		for (const pid of PIDS) expect(versionOf(store, pid)).toBe(1);
		expect(blocks()).toEqual(['p-0 p-1 p-2 p-3', 'p-4 p-5 p-6 p-7', 'p-8 p-9']);
	});

	test('a product that changes stays where it is, and the others with it', () => {
		const { open, blocks } = createFilled();
		const store = open();
		expect(versionOf(store, 'p-5')).toBeDefined();
		put(store, 'p-5', 2);
		put(store, 'p-new');
		// Nobody has made anything of this one yet.
		store.table('reviews').put('p-0', pack({ pid: 'p-0', version: 2 }), FETCHED_AT + 2);
		expect(versionOf(store, 'p-5')).toBe(2);
		store.close();
		const next = open();
		expect(versionOf(next, 'p-0')).toBeUndefined();
		expect(versionOf(next, 'p-5')).toBe(2);
		for (const pid of ['p-4', 'p-6', 'p-9', 'p-new']) expect(versionOf(next, pid)).toBe(1);
		expect(blocks()).toEqual(['p-0 p-1 p-2 p-3', 'p-4 p-5 p-6 p-7', 'p-8 p-9', 'p-new']);
	});

	test('what the thread made of a value goes when the value does, before anything is written', () => {
		const { open } = createFilled();
		const store = open();
		const table = store.table('reviews');
		put(store, 'p-1', 2);
		table.attach('p-1', packWith('p-1', 2).packed.digest, 's', 'other', { text: 'Other', about: 1 });
		expect(versionOf(store, 'p-1')).toBe(2);
		expect(table.attachment('p-1', 's', 'other')).toEqual({ text: 'Other', about: 1 });
		table.put('p-1', pack({ pid: 'p-1', version: 3 }), FETCHED_AT + 3);
		for (const key of ['k', 'other']) expect(table.attachment('p-1', 's', key)).toBeUndefined();
		store.close();
		expect(versionOf(open(), 'p-1')).toBeUndefined();
	});

	test('of a value that is older than the one in the file is not kept', () => {
		const { open } = createFilled();
		const [one, other] = [open(), open()];
		put(one, 'p-1', 2);
		put(other, 'p-1', 3);
		other.close();
		one.close();
		expect(versionOf(open(), 'p-1')).toBe(3);
	});

	test.each([
		['damaged', "UPDATE blocks SET value = x'00' WHERE block = 1"],
		['gone', 'DELETE FROM blocks WHERE block = 1'],
		['of others', "UPDATE entries SET block = 2 WHERE pid IN ('p-0', 'p-1', 'p-2', 'p-3')"],
		['without a number', "UPDATE entries SET block = 'x' WHERE pid IN ('p-0', 'p-1', 'p-2', 'p-3')"],
	])('if a block is %s, what was in it is made again', (_what, damage) => {
		const { open, query, warnings } = createFilled();
		query(damage);
		const store = open();
		expect(versionOf(store, 'p-2')).toBeUndefined();
		expect(versionOf(store, 'p-5')).toBe(1);
		attach(store, 'p-2');
		store.close();
		const next = open();
		expect(versionOf(next, 'p-2')).toBe(1);
		expect(versionOf(next, 'p-5')).toBe(1);
		expect(versionOf(next, 'p-1')).toBeUndefined();
		expect(warnings).toEqual([]);
	});

	test('a block is not written again if nothing in it has changed', () => {
		const { file, open, query } = createFilled();
		const database = new DatabaseSync(file);
		const [first] = query('SELECT codec, value FROM blocks') as unknown as PackedBlock[];
		// As another version of Node would have written it.
		const other = gzipped(decode(first?.codec ?? 0, first?.value ?? Buffer.of()));
		database.prepare('UPDATE blocks SET codec = 2, value = ? WHERE block = 1').run(other);
		database.close();
		const store = open();
		for (const pid of PIDS) put(store, pid);
		store.close();
		expect(query('SELECT codec FROM blocks WHERE block = 1')).toEqual([{ codec: 2 }]);
		for (const pid of PIDS) expect(versionOf(open(), pid)).toBe(1);
	});

	test('what nobody uses goes with its block, and the rest of that can be made again', () => {
		const { open, blocks } = createFilled();
		const later = Date.now() + 5 * 86_400_000;
		const store = open('account', () => later);
		for (const pid of PIDS) if (pid !== 'p-9') store.table('reviews').entry(pid);
		expect(store.prune(later - 86_400_000)).toBe(1);
		store.close();
		const next = open();
		expect(versionOf(next, 'p-8')).toBeUndefined();
		expect(versionOf(next, 'p-7')).toBe(1);
		attach(next, 'p-8');
		next.close();
		expect(versionOf(open(), 'p-8')).toBe(1);
		expect(blocks()).toEqual(['p-0 p-1 p-2 p-3', 'p-4 p-5 p-6 p-7', 'p-8']);
	});
});

test('what cannot be written is not kept in memory, except for values', () => {
	const buffer = createWriteBuffer(() => false);
	const { packed } = packWith('p-1');
	const row = { kind: 'reviews', pid: 'p-1', fetchedAt: FETCHED_AT, state: 'fetched' } as const;
	buffer.put({ ...row, packed, validators: undefined });
	expect(buffer.attachments.get('reviews', 'p-1', 's', 'k')).toBeDefined();
	expect(buffer.flush()).toBe(false);
	expect(buffer.attachments.get('reviews', 'p-1', 's', 'k')).toBeUndefined();
	expect(buffer.rowOf('reviews', 'p-1')?.packed).toEqual(pack({ pid: 'p-1', version: 1 }));
});
