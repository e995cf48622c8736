import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NOW } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteLog } from '../../../src/node/index.js';
import { changeOf, collecting, QUIET } from '../../support/collecting.js';

function open(file: string) {
	const log = openSqliteLog(file);
	onTestFinished(() => log.close());
	return log;
}

const newFile = () => join(createFolder(), 'folder', 'changes.db');

test('what was written is there after it was opened again', async () => {
	const file = newFile();
	const first = open(file);
	await first.record(changeOf(['a', 'b'], NOW, 'one'));
	await first.close();
	const second = open(file);
	expect(await second.waiting()).toMatchObject({ pids: ['a', 'b'], firstAt: NOW });
	expect(await second.record(changeOf(['c'], NOW, 'one'))).toBe(false);
});

test('two processes can have it open', async () => {
	const file = newFile();
	const [one, other] = [open(file), open(file)];
	await one.record(changeOf(['a'], NOW, 'one'));
	expect(await other.record(changeOf(['a'], NOW, 'one'))).toBe(false);
	await other.record(changeOf(['b'], NOW));
	expect((await one.waiting())?.pids).toEqual(['a', 'b']);
	await one.settle((await one.waiting())?.upTo ?? 0, NOW);
	expect(await other.waiting()).toBeUndefined();
});

test('10,000 changes at once are one transaction, and each gets its answer', async () => {
	const log = open(newFile());
	const started = performance.now();
	const answers = await Promise.all(
		Array.from({ length: 10_000 }, (_, index) =>
			log.record(changeOf([`p-${index % 2_000}`], NOW + index, `event-${index % 9_000}`)),
		),
	);
	expect(answers.filter(Boolean)).toHaveLength(9_000);
	expect((await log.waiting())?.pids).toHaveLength(2_000);
	expect(performance.now() - started).toBeLessThan(5_000);
});

test('ids of events are forgotten after twenty minutes, and not before', async () => {
	const log = open(newFile());
	await log.record(changeOf(['a'], NOW, 'old'));
	await log.record(changeOf(['a'], NOW + 1_200_000));
	expect(await log.record(changeOf(['a'], NOW + 1_200_000, 'old'))).toBe(false);
	await log.record(changeOf(['a'], NOW + 1_200_001));
	expect(await log.record(changeOf(['a'], NOW + 1_200_001, 'old'))).toBe(true);
});

test('a change that cannot be written is rejected with all that came with it, and the next is taken', async () => {
	const file = newFile();
	const log = open(file);
	const bad = changeOf([Symbol('p') as unknown as string], NOW, 'bad');
	const together = await Promise.allSettled([log.record(changeOf(['a'], NOW, 'good')), log.record(bad)]);
	expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await log.waiting()).toBeUndefined();
	expect(await log.record(changeOf(['a'], NOW, 'good'))).toBe(true);
});

test('a change is rejected once it is closed; what came before is written', async () => {
	const file = newFile();
	const log = open(file);
	const before = log.record(changeOf(['a'], NOW));
	await log.close();
	expect(await before).toBe(true);
	await expect(log.record(changeOf(['b'], NOW))).rejects.toThrow();
	await log.close();
	expect((await open(file).waiting())?.pids).toEqual(['a']);
});

describe('a damaged row', () => {
	const damage = (file: string, sql: string) => {
		const database = new DatabaseSync(file);
		database.exec(sql);
		database.close();
	};

	test('of a product may be any product: the next rebuild is for all, and the log says why', async () => {
		const file = newFile();
		const receiver = collecting(openSqliteLog(file));
		const { add, clock, rebuilds, lines } = receiver;
		await add(['a', 'b']);
		damage(file, "UPDATE changes SET pid = 'c' WHERE pid = 'a'");
		await clock.advance(QUIET);
		expect(rebuilds).toMatchObject([{ what: 'all' }]);
		expect(lines[0]).toBe(
			'The file of waiting changes had 1 damaged row, which was removed. It may have lost which products changed, so the next rebuild is for all products. If this keeps happening, check the disk.',
		);
		await receiver.last.succeed();
		expect(await open(file).waiting()).toBeUndefined();
	});

	test.each([
		"UPDATE changes SET sequence = 0 WHERE pid = 'a'",
		"UPDATE changes SET pid = 'd' WHERE pid = 'a'",
		'UPDATE numbers SET last = 0',
		'DELETE FROM numbers',
	])('is neither settled nor made whole by what comes next: %s', async (sql) => {
		const file = newFile();
		const log = open(file);
		await log.record(changeOf(['b'], NOW));
		const before = await log.waiting();
		await log.record(changeOf(['a', 'c'], NOW + 1));
		damage(file, sql);
		await log.record(changeOf(['d'], NOW + 2));
		await log.settle(before?.upTo ?? 0, NOW + 2);
		const { pids = [], all = false } = (await log.waiting()) ?? {};
		expect(all || pids.includes('a')).toBe(true);
		expect(pids).toContain('d');
		expect(log.damage?.()).toMatch(/damaged row/);
		expect(log.damage?.()).toBeUndefined();
	});

	test('of a receiver that rebuilds does not keep others from rebuilding, and ends no process', async () => {
		const file = newFile();
		const [one, other] = [open(file), open(file)];
		(await one.hold?.(() => {}))?.started(process.pid);
		damage(file, 'UPDATE holder SET pid = 1');
		expect(await other.hold?.(() => {})).toBeDefined();
	});
});

test('a file that is damaged beyond rows is set aside, and everything counts as changed', async () => {
	const file = newFile();
	const first = open(file);
	await first.record(changeOf(['a'], NOW));
	await first.close();
	const bytes = readFileSync(file);
	bytes.fill(0xff, 4_096, 4_200);
	writeFileSync(file, bytes);
	const log = open(file);
	expect(await log.waiting()).toMatchObject({ pids: [], all: true });
	expect(log.damage?.()).toMatch(
		/^The file of waiting changes was damaged \(.*\)\. It was renamed to "changes\.db\.set-aside", and a new one was started\. .* all products\./,
	);
	expect(readFileSync(`${file}.set-aside`).equals(bytes)).toBe(true);
});

describe('a file that is not ours is refused, and left as it was:', () => {
	const foreign: Record<string, (file: string) => void> = {
		'a text': (file) => writeFileSync(file, 'Shopping: eggs, milk, and a database.\n'.repeat(100)),
		'a database of another program': (file) => {
			const database = new DatabaseSync(file);
			database.exec('CREATE TABLE customers (name TEXT); INSERT INTO customers VALUES (1)');
			database.close();
		},
		'an empty database of another program': (file) => {
			const database = new DatabaseSync(file);
			database.exec('PRAGMA application_id = 7; PRAGMA user_version = 1');
			database.close();
		},
		'a file of a later version': (file) => {
			const database = new DatabaseSync(file);
			database.exec(`CREATE TABLE x (y); PRAGMA application_id = ${0x41505277}; PRAGMA user_version = 99`);
			database.close();
		},
		'a file that was cut': (file) => {
			writeFileSync(file, 'SQLite format 3\u0000');
		},
	};

	test.each(Object.entries(foreign))('%s', (_name, make) => {
		const folder = createFolder();
		const file = join(folder, 'changes.db');
		make(file);
		const before = readFileSync(file);
		expect(() => openSqliteLog(file)).toThrow(
			expect.objectContaining({
				message: expect.stringMatching(/cannot be used \(.*changes\.db\): .*Move it away/s),
			}),
		);
		expect(readFileSync(file).equals(before)).toBe(true);
		expect(readdirSync(folder)).toEqual(['changes.db']);
	});

	test('a folder is named', () => {
		const folder = createFolder();
		expect(() => openSqliteLog(folder)).toThrow(folder);
	});
});

test('an empty file is made one of ours', async () => {
	const file = join(createFolder(), 'changes.db');
	writeFileSync(file, '');
	expect(await open(file).record(changeOf(['a'], NOW))).toBe(true);
});
