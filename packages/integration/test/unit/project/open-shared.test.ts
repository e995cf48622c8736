import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { broadcastChanges, importDriver, storageDriver } from '../../../src/project/open-shared.js';
import { pack } from '../../../src/records/packed.js';
import { createMemoryStore } from '../../support/unit/cache.js';
import { messageOf } from '../../support/unit/error.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const open = async (driver: string | URL) =>
	(await importDriver((await storageDriver({ driver, config: {} })).entrypoint, ROOT))({});

test('drivers of unstorage are imported, and those of the project; others are clear errors', async () => {
	const own = new URL('../../../../../node_modules/unstorage/drivers/memory.mjs', import.meta.url);
	for (const driver of ['memory', own]) expect((await open(driver)).name).toBe('memory');
	expect(await messageOf(() => open('no-such-driver'))).toContain(
		'ProductReviewsConfigurationError: The driver "no-such-driver" of the option "storage" cannot be loaded',
	);
	expect(await messageOf(() => open('product-reviews-client'))).toContain('does not export a driver');
	for (const address of ['data:text/javascript,globalThis.isRun=true', 'node:path/posix', 'HTTPS://a/b.js'])
		expect(await messageOf(() => open(address))).toContain('is an address.');
	expect(globalThis).not.toHaveProperty('isRun');
});

test.each([
	[
		'learn what was named, and what is marked and was not fetched since',
		['named'],
		false,
		['named', 'marked'],
	],
	['learn that anything may have changed', [], true, undefined],
])('other builders and servers %s', (_what, pids, all, expected) => {
	const store = createMemoryStore();
	for (const pid of ['marked', 'fetched since', 'unmarked'])
		store.put(pid, 'reviews', pack(pid), { fetchedAt: 1, revision: 0 });
	store.mark(['marked', 'fetched since', 'not stored'], 'event');
	const { revision } = store.markOf('fetched since');
	store.put('fetched since', 'reviews', pack('new'), { fetchedAt: 1, revision });
	const told: unknown[] = [];
	const invalidate = async (changed: unknown) => void told.push(changed);
	void broadcastChanges({ invalidate }, store, { pids, all });
	expect(told).toEqual([expected]);
});
