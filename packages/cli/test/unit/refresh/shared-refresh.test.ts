import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { shareWithOthers } from '../../../../integration/src/build/share-with-others.js';
import {
	createCountingService,
	createSharingSite,
	withClockOff,
} from '../../../../integration/test/support/unit/sharing-site.js';
import { invalidateProducts } from '../../../src/commands/invalidate-products.js';
import { refreshChunk } from '../../../src/refresh/chunk.js';

const PIDS = ['p-1', 'p-2', 'p-3'];

function startTwo() {
	const service = createCountingService();
	const base = createFolder();
	const start = () => createSharingSite(base, service);
	return { service, start, one: start(), other: start() };
}

test('a refresh asks the service for nothing that others know, and others for nothing that it fetched', async () => {
	const { one, other } = startTwo();
	expect(await one.refresh(PIDS)).toEqual(PIDS);
	expect(await other.refresh([...PIDS, 'p-4'])).toEqual(['p-4']);
	expect(await one.refresh([...PIDS, 'p-4'])).toEqual([]);
	expect([...one.warnings, ...other.warnings]).toEqual([]);
});

test('products that are named are outdated for others as well', async () => {
	const { one, other, start } = startTwo();
	await one.refresh(PIDS);
	// Its own store has what it fetches, but the storage does not.
	expect(await other.refresh(['p-3'], { pids: ['p-1'] })).toEqual([]);
	expect(await start().refresh(PIDS)).toEqual(['p-1']);
});

test('if everything may have changed, nobody uses what was there before', async () => {
	const { one, other, start } = startTwo();
	await one.refresh(PIDS);
	expect(await other.refresh(['p-1'], { all: true })).toEqual(['p-1']);
	expect(await start().refresh(PIDS)).toEqual(['p-2', 'p-3']);
});

test('products that a person invalidated in a store are outdated for others as well', async () => {
	const { one, other, start } = startTwo();
	await one.refresh(PIDS);
	const database = new DatabaseSync(one.context.storeFile);
	for (const _line of invalidateProducts(database, ['p-2'], { json: false, now: Date.now() }));
	database.close();
	expect(await one.refresh(['p-1'])).toEqual([]);
	expect(await other.refresh(PIDS)).toEqual(['p-2']);
	await one.refresh(PIDS);
	// Others are not told again what was fetched since.
	expect(await one.refresh(PIDS)).toEqual([]);
	expect(await start().refresh(PIDS)).toEqual([]);
});

test('the chunks of a worker share a storage, and none of them makes the others outdated', async () => {
	const { one, other } = startTwo();
	await one.refresh(PIDS);
	const shared = await shareWithOthers(one.context);
	shared?.outdate(undefined);
	expect(await shared?.told()).toBe(true);
	for (const pid of PIDS) {
		const chunk = { pids: [pid], changed: { pids: [], all: true }, isLastTry: false };
		await refreshChunk(chunk, Date.now(), { ...one.context, shared });
	}
	await shared?.end();
	expect(await other.refresh(PIDS)).toEqual([]);
	expect([...one.warnings, ...other.warnings]).toEqual([]);
});

test('an answer two hours old is not fresh because the clock of whoever stored it is ahead', async () => {
	const { one, other } = startTwo();
	const hour = 3_600_000;
	await withClockOff(3 * hour, () => one.refresh(['p-1']));
	await withClockOff(5 * hour, () => one.refresh(['p-2']));
	expect(await withClockOff(2 * hour, () => other.refresh(['p-1']))).toEqual(['p-1']);
});

test('an old answer does not undo a mark, even if it seems to be from the future', async () => {
	const { one, other } = startTwo();
	await withClockOff(3_600_000, () => one.refresh(['p-1']));
	expect(await other.refresh(['p-1'], { pids: ['p-1'] })).toEqual(['p-1']);
});
