import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NOW } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ChangeLog, createMemoryLog } from '../../../src/index.js';
import { openSqliteLog } from '../../../src/node/index.js';
import { identifyProcess, isRunning } from '../../../src/node/sqlite-log.js';
import { changeOf, collecting, QUIET } from '../../support/collecting.js';

const newFile = () => join(createFolder(), 'folder', 'changes.db');

function open(file = newFile()) {
	const log = openSqliteLog(file);
	onTestFinished(() => log.close());
	return log;
}

const settle = async (log: ChangeLog, startedAt: number) =>
	log.settle((await log.waiting())?.upTo ?? 0, startedAt);

describe.each([
	['memory', createMemoryLog],
	['a file', open],
])('changes in %s', (_where, open) => {
	test('that come together and in disorder are merged, by product', async () => {
		const log = open();
		expect(await log.waiting()).toBeUndefined();
		const times = [7, 3, 9, 1, 5];
		const answers = times.map((time) => log.record(changeOf(['a', `p-${time}`], NOW + time)));
		expect(await Promise.all(answers)).toEqual(times.map(() => true));
		expect(await log.record(changeOf(['a'], NOW + 20))).toBe(true);
		const waiting = await log.waiting();
		expect(waiting?.pids.toSorted()).toEqual(['a', 'p-1', 'p-3', 'p-5', 'p-7', 'p-9']);
		expect(waiting).toMatchObject({ all: false, lastAt: NOW + 20 });
	});

	test('may be of anything, beside the products; they are counted, and have a first and a last time', async () => {
		const log = open();
		expect(await log.count()).toEqual({ products: 0, all: false });
		await log.record(changeOf(['a', 'b'], NOW));
		expect(await log.count()).toEqual({ products: 2, all: false });
		await log.record(changeOf('all', NOW + 5));
		expect(await log.count()).toEqual({ products: 2, all: true });
		const pids = expect.arrayContaining(['a', 'b']);
		expect(await log.waiting()).toMatchObject({ pids, all: true, firstAt: NOW, lastAt: NOW + 5 });
		await settle(log, NOW + 10);
		expect(await log.waiting()).toBeUndefined();
	});

	test('keep odd ids as they are, and every event that has none counts', async () => {
		const log = open();
		const pids = ['__proto__', 'Größe', '🧦', "o'clock", 'a\u0000b', ' ', '007', 'A', 'a', 'x'.repeat(500)];
		const change = { ...changeOf(pids, NOW), id: undefined };
		expect(await Promise.all([log.record(change), log.record(change)])).toEqual([true, true]);
		expect((await log.waiting())?.pids.toSorted()).toEqual(pids.toSorted());
	});

	test('during a rebuild wait for the next, of the same product too, as if they came when it began', async () => {
		const log = open();
		await log.record(changeOf(['a', 'b'], NOW));
		const before = await log.waiting();
		await log.record(changeOf(['b', 'c'], NOW + 20));
		// A second receiver of the same log settles what the first one has.
		for (const startedAt of [NOW + 10, NOW + 15]) {
			await log.settle(before?.upTo ?? 0, startedAt);
			const after = await log.waiting();
			expect(after?.pids.toSorted()).toEqual(['b', 'c']);
			expect(after).toMatchObject({ firstAt: startedAt, lastAt: NOW + 20, all: false });
		}
	});

	test('may be of 60,000 products', async () => {
		const log = open();
		const pids = Array.from({ length: 60_000 }, (_, index) => `p-${index}`);
		for (const half of [pids.slice(30_000), pids.slice(0, 30_000)]) await log.record(changeOf(half, NOW));
		expect((await log.waiting())?.pids).toHaveLength(60_000);
		expect(await log.count()).toEqual({ products: 60_000, all: false });
	});
});

test('an event that was written before is known, also after a rebuild, for twenty minutes', async () => {
	const log = open();
	expect(await log.record(changeOf(['a'], NOW, 'same'))).toBe(true);
	expect(await log.record(changeOf(['b'], NOW + 1, 'same'))).toBe(false);
	expect((await log.waiting())?.pids).toEqual(['a']);
	await settle(log, NOW + 10);
	for (const [age, isNew] of [
		[1_200_000, false],
		[1_200_001, true],
	] as const) {
		await log.record(changeOf(['other'], NOW + age));
		expect(await log.record(changeOf(['a'], NOW + age, 'same'))).toBe(isNew);
	}
});

test('two processes can have a file open, and one that opens it later knows what they wrote', async () => {
	const file = newFile();
	const [one, other] = [open(file), open(file)];
	await one.record(changeOf(['a'], NOW, 'one'));
	expect(await other.record(changeOf(['a'], NOW, 'one'))).toBe(false);
	await other.record(changeOf(['b'], NOW));
	await Promise.all([one.close(), other.close()]);
	const later = open(file);
	expect(await later.waiting()).toMatchObject({ pids: ['a', 'b'], firstAt: NOW });
	expect(await later.record(changeOf(['c'], NOW, 'one'))).toBe(false);
});

test('of 10,000 changes at once each gets its answer', async () => {
	const log = open();
	const answers = await Promise.all(
		Array.from({ length: 10_000 }, (_, index) =>
			log.record(changeOf([`p-${index % 2_000}`], NOW + index, `event-${index % 9_000}`)),
		),
	);
	expect(answers.filter(Boolean)).toHaveLength(9_000);
	expect((await log.waiting())?.pids).toHaveLength(2_000);
});

test('a change that cannot be written is rejected with all that came with it, and the next is taken', async () => {
	const log = open();
	const bad = changeOf([Symbol('p') as unknown as string], NOW, 'bad');
	const together = await Promise.allSettled([log.record(changeOf(['a'], NOW, 'good')), log.record(bad)]);
	expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await log.waiting()).toBeUndefined();
	expect(await log.record(changeOf(['a'], NOW, 'good'))).toBe(true);
});

test('a change is rejected once the log is closed; what came before is written', async () => {
	const file = newFile();
	const log = open(file);
	const before = log.record(changeOf(['a'], NOW));
	await log.close();
	expect(await before).toBe(true);
	await expect(log.record(changeOf(['b'], NOW))).rejects.toThrow();
	expect((await open(file).waiting())?.pids).toEqual(['a']);
});

test('a process that rebuilds is told from another one that has its number', () => {
	const { pid, started } = identifyProcess(process.pid);
	expect(isRunning({ pid, started })).toBe(true);
	expect(isRunning({ pid, started: `${started}0` })).toBe(false);
	// Noted without /proc, before the machine was started.
	expect(isRunning({ pid, started: '1000' })).toBe(false);
	expect(isRunning({ pid, started: String(Date.now()) })).toBe(true);
});

test.each<[string, (bytes: Buffer) => Buffer, RegExp]>([
	[
		'a row that names another product is removed',
		(bytes) => Buffer.from(bytes.toString('latin1').replaceAll('product-a', 'product-b'), 'latin1'),
		/^The file of waiting changes had \d damaged rows?, which w.* removed\. .* all products\./,
	],
	[
		'pages that cannot be read are set aside with their file',
		(bytes) => bytes.fill(0xff, 4_096, 4_200),
		/^The file of waiting changes was damaged \(.*\)\. It was renamed to "changes\.db\.set-aside", and a new one was started\. .* all products\./,
	],
])('of a file that is damaged, %s, and everything counts as changed', async (_what, spoil, said) => {
	const file = newFile();
	const first = open(file);
	await first.record(changeOf(['product-a'], NOW));
	await first.close();
	const whole = readFileSync(file);
	const spoilt = spoil(Buffer.from(whole));
	expect(spoilt.equals(whole)).toBe(false);
	writeFileSync(file, spoilt);
	const { collector, clock, rebuilds, lines } = collecting(openSqliteLog(file));
	await collector.start();
	await clock.advance(QUIET);
	expect(rebuilds).toMatchObject([{ what: 'all' }]);
	expect(lines[0]).toMatch(said);
	if (said.source.includes('set-aside')) expect(readFileSync(`${file}.set-aside`).equals(spoilt)).toBe(true);
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
	expect(await open(file).record(changeOf(['a'], NOW))).toBe(true);
});
