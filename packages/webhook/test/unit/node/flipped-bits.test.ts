import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NOW } from 'product-reviews-test-support/clock';
import {
	bitsOfRows,
	memoryFolder,
	pageOf,
	rootPageOf,
	shrinkPages,
} from 'product-reviews-test-support/flipped-bits';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { openSqliteLog } from '../../../src/node/index.js';
import { changeOf } from '../../support/collecting.js';

const LATER = NOW + 1_000;
/** Of the bits that are not of a table every so many is flipped. */
const ELSEWHERE = 11;
/** Every so many bits the log is used on, and opened again. */
const USES = 7;

/** Two products that wait, of two events, and a receiver that rebuilds. */
async function fill() {
	const file = join(createFolder('flipped-changes', memoryFolder()), 'changes.db');
	const log = openSqliteLog(file);
	await log.record(changeOf(['p8'], NOW, 'e4'));
	await log.record(changeOf(['p9'], NOW + 1, 'e8'));
	(await log.hold?.(() => {}))?.started(process.pid);
	await log.close();
	shrinkPages(file);
	return file;
}

/** What is wrong with a log that has to have both products, or to say that it has lost some. */
async function lookAt(file: string): Promise<string[]> {
	const log = openSqliteLog(file);
	try {
		const waiting = await log.waiting();
		const said = log.damage?.();
		const { pids = [], all = false, firstAt, lastAt } = waiting ?? {};
		const count = await log.count();
		return [
			...(pids.some((pid) => pid !== 'p8' && pid !== 'p9') ? [`names ${JSON.stringify(pids)}`] : []),
			...(pids.length < 2 && !all ? [`has lost ${2 - pids.length}`] : []),
			...(pids.length < 2 && !said ? ['says nothing'] : []),
			...(!all && (firstAt !== NOW || lastAt !== NOW + 1) ? [`waits since ${firstAt} to ${lastAt}`] : []),
			...(count.products === pids.length && count.all === all ? [] : [`counts ${JSON.stringify(count)}`]),
		];
	} finally {
		await log.close();
	}
}

/** Uses a log: records, rebuilds, settles. */
async function use(file: string, knowsEvents = true): Promise<string[]> {
	const log = openSqliteLog(file);
	try {
		await log.waiting();
		const mayForget = !knowsEvents || log.damage?.() !== undefined;
		// Their ids are a bit apart from those that are known.
		const areNew = [
			await log.record(changeOf(['p1'], LATER, 'e5')),
			await log.record(changeOf(['p1'], LATER, 'e9')),
		];
		const isAgain = await log.record(changeOf(['p8'], LATER, 'e4'));
		const before = await log.waiting();
		const during = await log.record(changeOf(['p2'], LATER + 1));
		const hold = await log.hold?.(() => {});
		await log.settle(before?.upTo ?? 0, LATER);
		const after = await log.waiting();
		hold?.release();
		return [
			...(areNew.includes(false) ? ['takes a new event for an old one'] : []),
			...(isAgain && !mayForget ? ['takes an old event for a new one'] : []),
			...(before?.pids.includes('p1') && during ? [] : ['has lost what was recorded']),
			...(JSON.stringify(after?.pids) === '["p2"]' && !after?.all
				? []
				: [`is left with ${JSON.stringify(after)}`]),
		];
	} finally {
		await log.close();
	}
}

test('no flipped bit names another product, loses one unsaid, throws, or stays', {
	timeout: 300_000,
}, async () => {
	const file = await fill();
	const whole = readFileSync(file);
	const wrong: string[] = [];
	let flipped = 0;
	const tables = ['changes', 'numbers', 'events', 'holder'].map((name) => rootPageOf(name, file));
	for (const bit of bitsOfRows(whole)) {
		if (!tables.includes(pageOf(bit)) && bit % ELSEWHERE !== 0) continue;
		const damaged = Buffer.from(whole);
		damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
		writeFileSync(file, damaged);
		try {
			// Either is the first to meet the damage.
			const found = flipped % USES === 0 ? await use(file) : await lookAt(file);
			wrong.push(...found.map((what) => `bit ${bit} ${what}`));
			if (flipped % USES === 1) {
				const left = [
					...(await lookAt(file)).filter((what) => what !== 'says nothing'),
					...(await use(file, false)),
				];
				wrong.push(...left.map((what) => `after bit ${bit} it ${what}`));
			}
		} catch (error) {
			wrong.push(`bit ${bit} throws ${error}`);
		}
		flipped += 1;
		for (const name of readdirSync(dirname(file)))
			if (name !== basename(file)) rmSync(join(dirname(file), name));
	}
	expect(wrong).toEqual([]);
	expect(flipped).toBeGreaterThan(2_000);
});
