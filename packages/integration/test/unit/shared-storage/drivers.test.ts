import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { createClock } from 'product-reviews-test-support/clock';
import { createFolder } from 'product-reviews-test-support/folder';
import { listenInTest } from 'product-reviews-test-support/listen';
import { startS3 } from 'product-reviews-test-support/s3-server';
import type { Driver } from 'unstorage';
import fs from 'unstorage/drivers/fs-lite';
import http from 'unstorage/drivers/http';
import s3 from 'unstorage/drivers/s3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { storageDriver } from '../../../src/options/storage-driver.js';
import { describeError } from '../../../src/shared-storage/create-runner.js';
import { openDriver } from '../../../src/shared-storage/open-driver.js';
import { openStorage } from '../../support/unit/open-storage.js';
import { record } from '../../support/unit/record.js';
import { startInstance } from '../../support/unit/storage.js';

// The machine of the tests may be busy.
const open = (driver: Driver) =>
	openStorage(driver, { warn: (message) => expect.fail(message), patience: 10_000 });

/** What a driver is to do: two instances, answers of awkward ids, an event. */
async function check(create: () => Driver, waitsForPoll = true): Promise<void> {
	const driver = create();
	const keys = new Set<string>();
	const noting = {
		...driver,
		setItem: (...args: Parameters<NonNullable<Driver['setItem']>>) => {
			keys.add(args[0]);
			return driver.setItem?.(...args);
		},
	};
	const [one, other] = [open(noting), open(create())];
	const pids = ['p-1', 'A/b:c', '..', 'ä?#', 'x'.repeat(300), 'con'];
	await other.poll();
	const times = { fetchedAt: Date.now(), changedAt: Date.now(), stamp: {} };
	const entries = pids.map((pid) => ({ kind: 'reviews' as const, pid, value: record({ pid }), ...times }));
	expect(await one.write(entries)).toBe(true);
	const read = await other.read('reviews', [...pids, 'missing']);
	for (const pid of pids) expect(read.get(pid)?.entry?.value, pid).toEqual(record({ pid }));
	expect(read.get('missing')).toEqual({ stamp: {}, entry: undefined });
	expect(await one.outdate(['p-1'])).toBe(true);
	expect((await other.read('reviews', ['p-1'])).get('p-1')?.entry?.isOutdated).toBe(true);
	// It comes a second later.
	if (waitsForPoll) await expect.poll(() => other.poll()).toEqual(['p-1']);
	expect(keys.size).toBeGreaterThanOrEqual(pids.length);
	for (const key of keys) await driver.setItem?.(key, pick(POISON), {});
	for (const [pid, { entry }] of await other.read('reviews', pids)) expect(entry, pid).toBeUndefined();
	await Promise.all([one.close(), other.close()]);
}

/** What somebody may have written in place of an answer. */
const POISON = ['', '{"value":{"reviews":[{"title":"<script>"}]}}', 'null', '\0', 'x'.repeat(100_000)];
let turns = 0;
const pick = (texts: readonly string[]) => texts[turns++ % texts.length] ?? '';

test('files', async () => {
	const base = createFolder();
	await check(() => fs({ base }));
	expect(readdirSync(base)).toEqual(['product-reviews']);
});

test('a bucket of S3', async () => {
	const { config, keys, close } = await startS3();
	onTestFinished(close);
	await check(() => s3(config));
	expect(keys().every((key) => key.startsWith('product-reviews/1/a-1/'))).toBe(true);
});

test.each([undefined, 'text/plain', 'application/json', 'application/octet-stream'])(
	'a server over http that says the type is %s',
	async (type) => {
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
		await check(() => http({ base: url }), false);
	},
);

test.each([
	['redis', ['PX', 3_000, 'NX']],
	['upstash', [{ px: 3_000, nx: true }]],
	['vercel-kv', [{ px: 3_000, nx: true }]],
])('%s locks with the command of its database, below its own prefix', async (name, options) => {
	const set = vi.fn().mockResolvedValueOnce('OK').mockResolvedValueOnce(null);
	const driver = { name, options: { base: 'shop:' }, getInstance: () => ({ set }) } as unknown as Driver;
	const { setIfAbsent } = openDriver(driver);
	expect(await setIfAbsent('lock:p-1', 3_000)).toBe(true);
	expect(await setIfAbsent('lock:p-1', 3_000)).toBe(false);
	expect(set).toHaveBeenLastCalledWith('shop:lock:p-1', '1', ...options);
});

test.each([
	['redis', 'unstorage/drivers/redis', {}],
	['fs', 'unstorage/drivers/fs-lite', { base: '.astro/product-reviews' }],
	['cloudflareKVBinding', 'unstorage/drivers/cloudflare-kv-binding', {}],
	['shop-storage/driver', 'shop-storage/driver', {}],
	['constructor', 'constructor', {}],
	[new URL('file:///srv/shop/driver.js'), '/srv/shop/driver.js', {}],
])('the driver %s is found as that of sessions', (driver, entrypoint, config) => {
	expect(storageDriver({ driver, config: {} })).toEqual({ entrypoint, config });
});

test('a prefix that the driver writes in another way does not hide what is stored', async () => {
	const { get } = openDriver({
		getItems: async (items: readonly { readonly key: string }[]) =>
			items.map(({ key }) => ({ key: `reviews:${key}`, value: `value of ${key}` })),
	} as unknown as Driver);
	const key = 'product-reviews:1:a-1:mark:p-1';
	expect(await get([key])).toEqual(new Map([[key, `value of ${key}`]]));
});

test('a Redis cluster, which reads no keys of several slots at once, is read key by key', async () => {
	const { get } = openDriver({
		name: 'redis',
		options: { cluster: [{ host: '127.0.0.1' }] },
		getItem: async (key: string) => `value of ${key}`,
		async getItems() {
			throw new Error("CROSSSLOT Keys in request don't hash to the same slot");
		},
	} as unknown as Driver);
	expect([...(await get(['a', 'b'])).keys()]).toEqual(['a', 'b']);
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
	const { get } = openDriver({ getInstance: () => give(client), getItem: () => null } as unknown as Driver);
	await turn();
	if (client.listenerCount('error') > 0) client.emit('error', new Error('No route.'));
	else expect(name).toBe('never comes');
	expect(await get(['a'])).toEqual(new Map());
});

describe('a driver that takes one request a key', () => {
	/** How many of 100 products are found, and after how long, if each request takes so long. @param lost never answered, by number */
	async function read(milliseconds: number, waitsForEach = false, lost?: number) {
		const clock = createClock();
		const seen = { requests: 0, running: 0, most: 0 };
		const request = async () => {
			const number = ++seen.requests;
			seen.most = Math.max(seen.most, ++seen.running);
			await new Promise<void>((resolve) => {
				if (number !== lost) clock.after(milliseconds, resolve);
			});
			seen.running -= 1;
			return null;
		};
		const driver = { name: 'slow', getItem: request, setItem: request } as unknown as Driver;
		const { storage, warnings } = startInstance({ driver }, { clock, waitsForEach });
		const startedAt = clock.now();
		let time = 0;
		const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
		const found = storage.read('reviews', pids).finally(() => {
			time = clock.now() - startedAt;
		});
		await clock.advance(2_000);
		return { found: (await found).size, time, warnings: warnings.length, seen };
	}

	test('has 32 of them at once', async () => {
		expect(await read(10)).toMatchObject({ found: 100, seen: { requests: 201, most: 32 } });
	});

	test('is waited for 100 ms by a server, and as long for each request by a build', async () => {
		expect(await read(90)).toMatchObject({ found: 0, time: 100, warnings: 1 });
		expect(await read(90, true)).toMatchObject({ found: 100, time: 7 * 90, warnings: 0 });
		expect(await read(90, true, 200)).toMatchObject({ found: 0, time: 7 * 90 + 100, warnings: 1 });
	});
});
