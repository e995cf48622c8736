import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { printed } from '../../support/cli/command.js';
import { createCountingService, createSharingSite } from '../../support/unit/sharing-site.js';

const PIDS = ['p-1', 'p-2', 'p-3'];

/** Two projects that share a storage, and a third one to come. */
function startTwo() {
	const service = createCountingService();
	const base = createFolder();
	const start = () => createSharingSite(base, service);
	return { start, one: start(), other: start() };
}

test('a refresh asks the service for nothing that others know, and others for nothing that it fetched', async () => {
	const { one, other } = startTwo();
	expect(await one.refresh(PIDS)).toEqual(PIDS);
	expect(await other.refresh([...PIDS, 'p-4'])).toEqual(['p-4']);
	expect(await one.refresh([...PIDS, 'p-4'])).toEqual([]);
	expect([...one.warnings, ...other.warnings]).toEqual([]);
});

test('products that are named are outdated for others as well, and so are all', async () => {
	const { one, other, start } = startTwo();
	await one.refresh(PIDS);
	// Its own store has what it fetches, but the storage does not.
	expect(await other.refresh(['p-3'], { pids: ['p-1'] })).toEqual([]);
	expect(await start().refresh(PIDS)).toEqual(['p-1']);
	expect(await other.refresh(['p-1'], { all: true })).toEqual(['p-1']);
	expect(await start().refresh(PIDS)).toEqual(['p-2', 'p-3']);
});

test('products that a person invalidated in a store are outdated for others as well, once', async () => {
	const { one, other, start } = startTwo();
	await one.refresh(PIDS);
	await printed(one.context.cacheFile, ['cache', 'invalidate', 'p-2']);
	expect(await one.refresh(['p-1'])).toEqual([]);
	expect(await other.refresh(PIDS)).toEqual(['p-2']);
	await one.refresh(PIDS);
	// Others are not told again what was fetched since.
	expect(await one.refresh(PIDS)).toEqual([]);
	expect(await start().refresh(PIDS)).toEqual([]);
});
