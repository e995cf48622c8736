import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NOW } from 'product-reviews-test-support/clock';
import { bitsOfRows, memoryFolder, shrinkPages } from 'product-reviews-test-support/flipped-bits';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import type { ChangeLog } from '../../../src/index.js';
import { openSqliteLog } from '../../../src/node/index.js';
import { changeOf } from '../../support/collecting.js';

const LATER = NOW + 1_000;
/** Every so many bits are flipped: a prime, to meet each bit of a byte. */
const STEP = 3;

/** Opens a file of changes for an action. */
async function opened<Result>(file: string, action: (log: ChangeLog) => Promise<Result>): Promise<Result> {
	const log = openSqliteLog(file);
	try {
		return await action(log);
	} finally {
		await log.close();
	}
}

/** Looks at a file that has to have both products, or to say that it has lost some. @param hasSaid it has before */
const look = (file: string, hasSaid: boolean) =>
	opened(file, async (log) => {
		const { pids = [], all = false, firstAt, lastAt } = (await log.waiting()) ?? {};
		const said = hasSaid || log.damage?.() !== undefined;
		expect(['p8', 'p9']).toEqual(expect.arrayContaining([...pids]));
		expect(pids.length === 2 || (all && said)).toBe(true);
		if (!all) expect([firstAt, lastAt]).toEqual([NOW, NOW + 1]);
		expect(await log.count()).toEqual({ products: pids.length, all });
	});

/** Records, rebuilds and settles. @param hasSaid ids of events may be lost */
const use = (file: string, hasSaid: boolean) =>
	opened(file, async (log) => {
		await log.waiting();
		const mayForget = hasSaid || log.damage?.() !== undefined;
		// Their ids are a bit apart from those that are known.
		for (const id of ['e5', 'e9']) expect(await log.record(changeOf(['p1'], LATER, id))).toBe(true);
		expect((await log.record(changeOf(['p8'], LATER, 'e4'))) && !mayForget).toBe(false);
		const before = await log.waiting();
		expect(before?.pids).toContain('p1');
		expect(await log.record(changeOf(['p2'], LATER + 1))).toBe(true);
		const hold = await log.hold?.(() => {});
		await log.settle(before?.upTo ?? 0, LATER);
		expect(await log.waiting()).toMatchObject({ pids: ['p2'], all: false });
		hold?.release();
	});

test('no flipped bit names another product, loses one unsaid, throws, or stays', async () => {
	const file = join(createFolder('flipped-changes', memoryFolder()), 'changes.db');
	// Two products that wait, of two events, and a receiver that rebuilds.
	await opened(file, async (log) => {
		await log.record(changeOf(['p8'], NOW, 'e4'));
		await log.record(changeOf(['p9'], NOW + 1, 'e8'));
		(await log.hold?.(() => {}))?.started(process.pid);
	});
	shrinkPages(file);
	const whole = readFileSync(file);
	const bits = [...bitsOfRows(whole)].filter((bit) => bit % STEP === 0);
	const wrong: string[] = [];
	for (const [index, bit] of bits.entries()) {
		writeFileSync(file, whole.with(bit >> 3, (whole[bit >> 3] as number) ^ (1 << (bit & 7))));
		try {
			// Reading or writing is the first to meet the damage, and the second finds it mended.
			if (index % 2 === 0) await use(file, false);
			else for (const hasSaid of [false, true]) await look(file, hasSaid);
			if (index % 4 === 1) await use(file, true);
		} catch (error) {
			wrong.push(`bit ${bit}: ${(error as Error).message}`);
		}
		for (const name of readdirSync(dirname(file)))
			if (name !== basename(file)) rmSync(join(dirname(file), name));
	}
	expect(wrong).toEqual([]);
	expect(bits.length).toBeGreaterThan(2_000);
});
