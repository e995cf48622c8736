import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NOW } from 'product-reviews-test-support/clock';
import { bitsOfRows, memoryFolder, shrinkPages } from 'product-reviews-test-support/flipped-bits';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import type { ChangeLog } from '../../../src/index.js';
import { openSqliteLog } from '../../../src/node/index.js';
import { changeOf } from '../../support/collecting.js';

/** Every so many bits are flipped: a prime, to meet each bit of a byte. */
const STEP = 3;

test('no flipped bit names another product, loses one, throws, or stays', async () => {
	const file = join(createFolder('flipped-changes', memoryFolder()), 'changes.db');
	const opened = async (action: (log: ChangeLog) => Promise<void>) => {
		const log = openSqliteLog(file, () => {});
		await action(log).finally(() => log.close());
	};
	await opened(async (log) => {
		await log.record(changeOf(['p8'], NOW));
		await log.record(changeOf(['p9'], NOW + 1));
	});
	shrinkPages(file);
	const whole = readFileSync(file);
	const bits = [...bitsOfRows(whole)].filter((bit) => bit % STEP === 0);
	const wrong: string[] = [];
	for (const bit of bits) {
		writeFileSync(file, whole.with(bit >> 3, (whole[bit >> 3] as number) ^ (1 << (bit & 7))));
		try {
			for (const time of [1, 2]) {
				await opened(async (log) => {
					if (time === 1) await log.record(changeOf(['p1'], NOW + 2));
					const { pids = [], all = false, firstAt = 0, upTo = 0 } = (await log.waiting()) ?? {};
					expect(['p8', 'p9', 'p1']).toEqual(expect.arrayContaining([...pids]));
					expect(pids.length === 3 || all).toBe(true);
					if (!all) expect(firstAt).toBe(NOW);
					if (time === 1) return;
					await log.settle(upTo);
					expect(await log.waiting()).toBeUndefined();
				});
			}
		} catch (error) {
			wrong.push(`bit ${bit}: ${(error as Error).message}`);
		}
		for (const name of readdirSync(dirname(file)))
			if (name !== basename(file)) rmSync(join(dirname(file), name));
	}
	expect(wrong).toEqual([]);
	expect(bits.length).toBeGreaterThan(200);
});
