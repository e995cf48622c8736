import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createMemoryCache } from '../../../src/cache/open-cache.js';
import { NO_VALUE, packConfirmed } from '../../../src/cache/values.js';
import { storageDriver } from '../../../src/options/storage-driver.js';
import { importDriver, tellOthers } from '../../../src/session/shared.js';
import { messageOf } from '../../support/unit/error.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const open = async (driver: string | URL) =>
	(await importDriver(storageDriver({ driver, config: {} }).entrypoint, ROOT))({});

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
	['learn what was named, and what a person invalidated', ['p-1'], false, ['p-1', 'invalidated']],
	['learn that anything may have changed', [], true, undefined],
])('other builders and servers %s', (_what, pids, all, expected) => {
	const cache = createMemoryCache();
	for (const pid of ['invalidated', 'fetched since']) cache.table('mark').put(pid, packConfirmed(), 2);
	cache.table('rating').put('fetched since', NO_VALUE, 3);
	cache.table('mark').put('named once', NO_VALUE, 2);
	const told: unknown[] = [];
	const outdate = async (outdated: unknown) => void told.push(outdated);
	void tellOthers({ outdate }, cache, { pids, all });
	expect(told).toEqual([expected]);
});
