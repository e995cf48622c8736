import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClock } from 'product-reviews-test-support/clock';
import { errorOf } from 'product-reviews-test-support/error-of';
import { expect, test } from 'vitest';
import { boundStorage } from '../../../src/build/bound-storage.js';
import { importDriver } from '../../../src/build/import-driver.js';
import { planSharedWork } from '../../../src/build/shared-work.js';
import { shuffled } from '../../../src/build/shuffled.js';
import { ProductReviewsConfigurationError } from '../../../src/errors.js';
import { storageDriver } from '../../../src/options/storage-driver.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PIDS = Array.from({ length: 3_000 }, (_, index) => `p-${index}`);

async function* list(pids: readonly string[]) {
	yield* pids;
}

async function all(products: AsyncGenerator<string>): Promise<string[]> {
	const pids: string[] = [];
	for await (const pid of products) pids.push(pid);
	return pids;
}

test('with locks products are fetched in order; without, each builder has another order', async () => {
	expect(await all(planSharedWork({ canLock: true, canReadMany: true }, 8).order(list(PIDS)))).toEqual(PIDS);
	const [one, other] = [
		planSharedWork({ canLock: false, canReadMany: false }, 8),
		planSharedWork({ canLock: false, canReadMany: false }, 8),
	];
	const orders = [await all(one.order(list(PIDS))), await all(other.order(list(PIDS)))];
	for (const order of orders) expect(order.toSorted()).toEqual(PIDS.toSorted());
	expect(orders[0]).not.toEqual(orders[1]);
	expect(one.lookahead).toBe(8);
	expect(one.chunksInFlight).toBe(1);
});

test('a shuffled list gives its first product before it is read to its end', async () => {
	let read = 0;
	async function* counted() {
		for (const pid of PIDS) {
			read += 1;
			yield pid;
		}
	}
	const products = shuffled(counted(), () => 0);
	expect((await products.next()).value).toBe('p-0');
	expect(read).toBe(1_001);
});

test('a storage that always answers just in time is given up', async () => {
	const clock = createClock();
	let [asked, warned] = [0, 0];
	const slow = async () => {
		asked += 1;
		clock.pass(1_900);
		return new Map();
	};
	const storage = boundStorage(
		{ read: slow, write: async () => true, lock: async () => 'taken', now: clock.now },
		clock.now,
		() => {
			warned += 1;
		},
	);
	for (let index = 0; index < 30; index++) await storage.read('reviews', ['p-1']);
	expect([asked, warned]).toEqual([10, 1]);
	expect(await storage.write([])).toBe(false);
	expect(await storage.lock('reviews', 'p-1')).not.toBe('taken');
});

test('reading a batch may take longer than reading one product', async () => {
	const clock = createClock();
	let asked = 0;
	const read = async () => {
		asked += 1;
		clock.pass(1_900);
		return new Map();
	};
	const storage = boundStorage(
		{ read, write: async () => true, lock: async () => 'taken', now: clock.now },
		clock.now,
		() => expect.unreachable(),
	);
	for (let index = 0; index < 30; index++) await storage.read('reviews', PIDS.slice(0, 100));
	expect(asked).toBe(30);
});

test('a storage that is slow now and then is kept, and a fast one too', async () => {
	const clock = createClock();
	let asked = 0;
	const read = async () => {
		asked += 1;
		clock.pass(asked % 100 === 0 ? 1_500 : 10);
		return new Map();
	};
	const storage = boundStorage(
		{ read, write: async () => true, lock: async () => 'taken', now: clock.now },
		clock.now,
		() => expect.unreachable(),
	);
	for (let index = 0; index < 900; index++) await storage.read('reviews', ['p-1']);
	expect(asked).toBe(900);
});

test('drivers of unstorage are imported, and those of the project', async () => {
	const memory = await importDriver(storageDriver({ driver: 'memory', config: {} }).entrypoint, ROOT);
	expect(memory({}).name).toBe('memory');
	const own = new URL('../../../../../node_modules/unstorage/drivers/memory.mjs', import.meta.url);
	expect((await importDriver(storageDriver({ driver: own, config: {} }).entrypoint, ROOT))({}).name).toBe(
		'memory',
	);
});

test('a driver that does not exist is a clear error', async () => {
	const error = await errorOf(importDriver('no-such-driver', ROOT));
	expect(error).toBeInstanceOf(ProductReviewsConfigurationError);
	expect(String(error)).toMatch(/The driver "no-such-driver" of the option "storage" cannot be loaded/);
	expect(String(await errorOf(importDriver('node:path/posix', ROOT)))).toContain('does not export a driver');
});

/** Files that a file imports statically, and the names of packages that it imports so. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
	if (seen.has(file)) return seen;
	seen.add(file);
	for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
		/^(?:import|export)\b[^;]*?'([^']+)';$/gm,
	)) {
		if (name.startsWith('.')) loadedBy(join(dirname(file), name), seen);
		else seen.add(name);
	}
	return seen;
}

test.each(['index.js', 'build/start-build.js', 'astro/loader.js'])(
	'without the option nothing of it is loaded: %s',
	(start) => {
		const loaded = [...loadedBy(join(ROOT, 'dist', start))];
		expect(loaded.length).toBeGreaterThan(20);
		const ofStorage = loaded.filter((name) =>
			/^unstorage|shared-storage|store-sharing|storage-driver\.js/.test(name),
		);
		expect(ofStorage.filter((name) => !name.endsWith('vite-plugin-storage-driver.js'))).toEqual([]);
	},
);
