import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NOW } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ChangeLog, createMemoryLog } from '../../../src/index.js';
import { openSqliteLog } from '../../../src/node/index.js';
import { advance, changeOf, collecting, QUIET } from '../../support/collecting.js';

const newFile = () => join(createFolder(), 'folder', 'changes.db');

function open(file = newFile(), onLog?: (line: string) => void) {
	const log = openSqliteLog(file, onLog);
	onTestFinished(() => log.close());
	return log;
}

const settle = async (log: ChangeLog) => log.settle((await log.waiting())?.upTo ?? 0);

describe.each([
	['memory', createMemoryLog],
	['a file', () => open()],
])('changes in %s', (_where, open) => {
	test('that come together and in disorder are merged, by product', async () => {
		const log = open();
		expect(await log.waiting()).toBeUndefined();
		const times = [7, 3, 9, 1, 5];
		await Promise.all(times.map((time) => log.record(changeOf(['a', `p-${time}`], NOW + time))));
		await log.record(changeOf(['a'], NOW + 20));
		expect(await log.waiting()).toMatchObject({
			pids: ['a', 'p-7', 'p-3', 'p-9', 'p-1', 'p-5'],
			...{ all: false, firstAt: NOW + 1, lastAt: NOW + 20 },
		});
	});

	test('may be of anything, beside the products', async () => {
		const log = open();
		await log.record(changeOf(['a', 'b'], NOW));
		await log.record(changeOf('all', NOW + 5));
		expect(await log.waiting()).toMatchObject({ pids: ['a', 'b'], all: true, lastAt: NOW + 5 });
		await settle(log);
		expect(await log.waiting()).toBeUndefined();
	});

	test('keep odd ids as they are', async () => {
		const log = open();
		const pids = ['__proto__', 'Größe', '🧦', "o'clock", 'a\u0000b', ' ', '007', 'A', 'a', 'x'.repeat(500)];
		await log.record(changeOf(pids, NOW));
		expect((await log.waiting())?.pids).toEqual(pids);
	});

	test('during a rebuild wait for the next, of the same product too', async () => {
		const log = open();
		await log.record(changeOf(['a', 'b'], NOW));
		const { upTo = 0 } = (await log.waiting()) ?? {};
		await log.record(changeOf(['b', 'c'], NOW + 20));
		// A second receiver of the same log settles what the first one has.
		for (const _ of [1, 2]) {
			await log.settle(upTo);
			const at = NOW + 20;
			expect(await log.waiting()).toMatchObject({ pids: ['b', 'c'], firstAt: at, lastAt: at, all: false });
		}
		// A number that was used once is not used again.
		await settle(log);
		await log.record(changeOf(['d'], NOW + 30));
		await log.settle(upTo);
		expect((await log.waiting())?.pids).toEqual(['d']);
	});

	test('may be of 60,000 products', async () => {
		const log = open();
		const pids = Array.from({ length: 60_000 }, (_, index) => `p-${index}`);
		for (const half of [pids.slice(30_000), pids.slice(0, 30_000)]) await log.record(changeOf(half, NOW));
		expect((await log.waiting())?.pids).toHaveLength(60_000);
	});
});

test('two processes can have a file open, and one that opens it later knows what they wrote', async () => {
	const file = newFile();
	const [one, other] = [open(file), open(file)];
	await one.record(changeOf(['a'], NOW));
	await other.record(changeOf(['b'], NOW));
	const hold = await one.hold?.();
	expect(await other.hold?.()).toBeUndefined();
	await hold?.release();
	await (await other.hold?.())?.release();
	await Promise.all([one.close(), other.close()]);
	expect(await open(file).waiting()).toMatchObject({ pids: ['a', 'b'], firstAt: NOW });
});

test('a change that cannot be written is rejected as a whole, and the next is taken', async () => {
	const log = open();
	const bad = changeOf(['a', Symbol('p') as unknown as string], NOW);
	await expect(log.record(bad)).rejects.toThrow();
	expect(await log.waiting()).toBeUndefined();
	await log.record(changeOf(['a'], NOW));
	await log.close();
	await expect(log.record(changeOf(['b'], NOW))).rejects.toThrow();
});

/** A file with a change of `product-a`, in which something was written over. */
async function spoiltFile(spoil: (bytes: Buffer) => Buffer) {
	const file = newFile();
	const first = open(file);
	await first.record(changeOf(['product-a'], NOW));
	await first.close();
	const spoilt = spoil(readFileSync(file));
	writeFileSync(file, spoilt);
	return { file, spoilt };
}

test('of a row that is damaged, everything counts as changed', async () => {
	const { file } = await spoiltFile((bytes) =>
		Buffer.from(bytes.toString('latin1').replaceAll('product-a', 'product-b'), 'latin1'),
	);
	expect(await open(file).waiting()).toMatchObject({ pids: [], all: true });
});

test('a file that is damaged is set aside, and everything counts as changed', async () => {
	const { file, spoilt } = await spoiltFile((bytes) => bytes.fill(0xff, 4_096, 4_200));
	const said: string[] = [];
	const { collector, rebuilds } = collecting(openSqliteLog(file, (line) => void said.push(line)));
	await collector.start();
	await advance(QUIET + 1);
	expect(rebuilds).toMatchObject([{ what: 'all' }]);
	const renamed = 'It was renamed to "changes.db.set-aside", and a new one was started.';
	const consequence =
		'It may have lost which products changed, so the next update is for all products. If this keeps happening, check the disk.';
	const reason = 'database disk image is malformed';
	expect(said).toEqual([`The file of waiting changes was damaged (${reason}). ${renamed} ${consequence}`]);
	expect(readFileSync(`${file}.set-aside`).equals(spoilt)).toBe(true);
});

describe('a file that is not ours is refused, and left as it was:', () => {
	const database = (sql: string) => (file: string) => {
		const made = new DatabaseSync(file);
		made.exec(sql);
		made.close();
	};

	test.each<[string, (file: string) => void]>([
		['a text', (file) => writeFileSync(file, 'Shopping: eggs, milk, and a database.\n'.repeat(100))],
		['a database of another program', database('CREATE TABLE customers (name TEXT)')],
		['an empty database of another program', database('PRAGMA application_id = 7; PRAGMA user_version = 1')],
		[
			'a file of a later version',
			database(`CREATE TABLE x (y); PRAGMA application_id = ${0x41505277}; PRAGMA user_version = 99`),
		],
		['a file that was cut', (file) => writeFileSync(file, 'SQLite format 3\u0000')],
	])('%s', (_name, make) => {
		const folder = createFolder();
		const file = join(folder, 'changes.db');
		make(file);
		const before = readFileSync(file);
		expect(() => openSqliteLog(file)).toThrow(/cannot be used \(.*changes\.db\): .*Move it away/s);
		expect(readFileSync(file).equals(before)).toBe(true);
		expect(readdirSync(folder)).toEqual(['changes.db']);
	});

	test('a folder', () => {
		const folder = createFolder();
		expect(() => openSqliteLog(folder)).toThrow(folder);
	});
});

test('an empty file is made one of ours', async () => {
	const file = join(createFolder(), 'changes.db');
	writeFileSync(file, '');
	await open(file).record(changeOf(['a'], NOW));
});
