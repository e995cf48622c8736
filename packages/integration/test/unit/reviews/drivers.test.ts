import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { createFolder } from 'product-reviews-test-support/folder';
import { listenInTest } from 'product-reviews-test-support/listen';
import type { Driver } from 'unstorage';
import fs from 'unstorage/drivers/fs-lite';
import http from 'unstorage/drivers/http';
import s3 from 'unstorage/drivers/s3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { storageDriver } from '../../../src/project/open-shared.js';
import type { SharedStorage } from '../../../src/reviews/shared-storage.js';
import { describeError, StorageDriver } from '../../../src/reviews/storage-driver.js';
import { startS3 } from '../../support/service/s3-server.js';
import { record } from '../../support/unit/record.js';
import { openStorage } from '../../support/unit/storage.js';

const openDriver = (driver: object, patience = 10_000) =>
	new StorageDriver({ open: () => driver as Driver, patience, warn: (message) => expect.fail(message) });
const open = (driver: Driver) => openStorage(driver, (message) => expect.fail(message));
const write = (storage: SharedStorage, pid: string) => {
	const times = { fetchedAt: Date.now(), changedAt: Date.now(), seen: storage.seenOf(pid) ?? 'unknown' };
	return storage.write('reviews', pid, { record: record({ pid }), ...times });
};

/** What a driver is to do: two instances, answers of awkward ids, an event. */
async function check(create: () => Driver): Promise<void> {
	const driver = create();
	const keys = new Set<string>();
	const setItem: Driver['setItem'] = (key, ...others) => {
		keys.add(key);
		return driver.setItem?.(key, ...others);
	};
	const [one, other] = [open({ ...driver, setItem }), open(create())];
	const pids = ['p-1', 'P-1', 'A/b:c', '..', 'ä?#', 'x'.repeat(300), 'con'];
	await Promise.all([other.poll(), ...pids.map((pid) => one.check(pid))]);
	for (const pid of pids) expect(await write(one, pid)).toBe(true);
	const read = await other.read('reviews', [...pids, 'missing']);
	for (const pid of pids)
		expect(read.get(pid), pid).toMatchObject({ record: record({ pid }), isOutdated: false });
	expect(read.has('missing')).toBe(false);
	const seen = other.seenOf('p-1');
	expect(await one.invalidate(['p-1'])).toBe(true);
	expect((await one.read('reviews', ['p-1'])).get('p-1')?.isOutdated).toBe(true);
	// The pulse is read once a second.
	await expect.poll(() => other.check('p-1').then(() => other.isChanged('p-1', seen))).toBe(true);
	expect(await one.invalidate(undefined)).toBe(true);
	for (const { isOutdated } of (await other.read('reviews', pids)).values()) expect(isOutdated).toBe(true);
	expect(keys.size).toBe(pids.length + 3);
	for (const [index, key] of [...keys].entries())
		await driver.setItem?.(key, POISON[index % POISON.length] ?? '', {});
	expect((await other.read('reviews', pids)).size).toBe(0);
	await Promise.all([one.close(), other.close()]);
}

/** What somebody may have written in place of an answer. */
const POISON = ['', '{"value":{"reviews":[{"title":"<script>"}]}}', 'null', '\0', 'x'.repeat(100_000)];

test('files', async () => {
	const base = createFolder();
	await check(() => fs({ base }));
	expect(readdirSync(base)).toEqual(['product-reviews']);
});

describe('a bucket of S3', () => {
	async function startBucket() {
		const { config, close, ...server } = await startS3();
		onTestFinished(close);
		const warnings: string[] = [];
		const openBucket = (changes: Partial<typeof config> = {}) =>
			openStorage(s3({ ...config, ...changes }), (message) => warnings.push(message));
		return { ...server, config, warnings, openBucket };
	}

	test('does what a driver is to do', async () => {
		const { config, keys } = await startBucket();
		await check(() => s3(config));
		expect(keys().every((key) => key.startsWith('product-reviews/2/a-1/'))).toBe(true);
	});

	test('a product is two requests, and what changed for all another one; one finds out that what is written can be read', async () => {
		const { openBucket, requests } = await startBucket();
		const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
		const storage = openBucket();
		for (const pid of pids) expect(await write(storage, pid)).toBe(true);
		expect(Object.fromEntries(requests)).toEqual({ PUT: 100, HEAD: 1 });
		expect((await storage.read('reviews', pids)).size).toBe(100);
		expect(requests.get('GET')).toBe(201);
	});

	test('with a wrong name: what is written is lost, so it counts as a failure', async () => {
		const { openBucket, warnings } = await startBucket();
		const storage = openBucket({ bucket: 'shoop' });
		expect(await write(storage, 'p-1')).toBe(false);
		expect(await storage.invalidate(['p-1'])).toBe(false);
		expect(warnings).toEqual([
			'The shared storage failed: what was written to the bucket "shoop" is not there. Check the name of the bucket. Meanwhile, requests go to the service. [PR_STORAGE_FAILED]',
		]);
	});

	test('with wrong credentials: the line says so, without markup and without secrets', async () => {
		const { openBucket, warnings } = await startBucket();
		await openBucket({ accessKeyId: 'canary-access-key' }).poll();
		expect(warnings.map((line) => line.replace(/:\d+/, ':port'))).toEqual([
			'The shared storage failed: [unstorage] [s3] [GET] http://127.0.0.1:port/shop/product-reviews/2/a-1/pulse/all: 403 Forbidden InvalidAccessKeyId The AWS Access Key Id you provided does not exist in our records. … Meanwhile, requests go to the service. [PR_STORAGE_FAILED]',
		]);
	});
});

test('a server over http, whatever it says the type is', async () => {
	const types = [undefined, 'text/plain', 'application/json', 'application/octet-stream'];
	const checks = types.map(async (type) => {
		const values = new Map<string, Buffer>();
		const server = createServer(async (request, response) => {
			const key = String(request.url);
			if (type) response.setHeader('content-type', type);
			if (request.method === 'PUT') values.set(key, await buffer(request));
			const value = values.get(key);
			response.statusCode = value ? 200 : 404;
			response.end(value);
		});
		const { url } = await listenInTest(server);
		await check(() => http({ base: url }));
	});
	await Promise.all(checks);
});

test.each([
	['redis', 'unstorage/drivers/redis', {}],
	['fs', 'unstorage/drivers/fs-lite', { base: '.astro/product-reviews' }],
	['cloudflareKVBinding', 'unstorage/drivers/cloudflare-kv-binding', {}],
	['shop-storage/driver', 'shop-storage/driver', {}],
	['constructor', 'constructor', {}],
	[new URL('file:///srv/shop/driver.js'), '/srv/shop/driver.js', {}],
])('the driver %s is found as that of sessions', async (driver, entrypoint, config) => {
	expect(await storageDriver({ driver, config: {} })).toEqual({ entrypoint, config });
});

test('a prefix of the driver hides nothing; a Redis cluster, which reads keys of one slot at once, is read by key', async () => {
	const prefixing = openDriver({
		getItems: async (items: readonly { readonly key: string }[]) =>
			items.map(({ key }) => ({ key: `reviews:${key}`, value: `value of ${key}` })),
	});
	const key = 'product-reviews:2:a-1:answer:reviews:p-1';
	expect(await prefixing.get([key])).toEqual(new Map([[key, `value of ${key}`]]));
	const cluster = openDriver({
		name: 'redis',
		options: { cluster: [{ host: '127.0.0.1' }] },
		getItem: async (key: string) => `value of ${key}`,
		async getItems() {
			throw new Error("CROSSSLOT Keys in request don't hash to the same slot");
		},
	});
	expect([...((await cluster.get(['a', 'b'])) ?? []).keys()]).toEqual(['a', 'b']);
});

test.each([
	['Invalid URL: redis://:pa/ss@word@10.0.0.1:6379', 'Invalid URL: redis://…@10.0.0.1:6379.'],
	['GET https://10.0.0.1/a?sig=canary failed', 'GET https://10.0.0.1/a?… failed.'],
	['connect to 10.0.0.1 as shop@10.0.0.2', 'connect to 10.0.0.1 as shop@10.0.0.2.'],
])('no credentials of an address are in what is said of the error %s', (message, said) => {
	expect(describeError(new Error(message), undefined)).toBe(said);
});

// Vitest fails a run with a rejection that nobody handles.
test.each<[string, (client: unknown) => unknown]>([
	['is there', (client) => client],
	['comes later', async (client) => client],
	['never comes', async () => Promise.reject(new Error('No route.'))],
])('a client that cannot connect ends nothing where it %s', async (name, give) => {
	const client = new EventEmitter();
	const driver = openDriver({ getInstance: () => give(client), getItem: () => null });
	await driver.get(['a']);
	await turn();
	if (client.listenerCount('error') > 0) client.emit('error', new Error('No route.'));
	else expect(name).toBe('never comes');
	expect(await driver.get(['a'])).toEqual(new Map());
});

test.each([
	[{}, 2_592_000],
	[{ ttl: 60 }, 60],
])('what is stored has a time to live, which the options %j may set', async (options, ttl) => {
	const setItem = vi.fn();
	const driver = openDriver({ options, setItem });
	expect(await driver.set('a', 'text')).toBe(true);
	expect(setItem).toHaveBeenCalledWith('a', 'text', { ttl });
});

test('a driver that takes one request a key has 32 of them at once', async () => {
	const seen = { running: 0, most: 0 };
	const getItem = async () => {
		seen.most = Math.max(seen.most, ++seen.running);
		await turn();
		seen.running -= 1;
		return 'text';
	};
	const driver = openDriver({ getItem });
	const keys = Array.from({ length: 100 }, (_, index) => `${index}`);
	expect((await driver.get(keys))?.size).toBe(100);
	expect(seen.most).toBe(32);
});

// A build renders pages in this thread, and reads no answers meanwhile.
test('an answer that came while this thread was busy is not late', async () => {
	const driver = openDriver({ getItem: () => turn('text') }, 100);
	const found = driver.get(['a']);
	const until = performance.now() + 300;
	while (performance.now() < until);
	expect((await found)?.size).toBe(1);
});
