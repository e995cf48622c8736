import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { needs } from 'product-reviews-test-support/programs';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Collector } from '../../src/collect/collector.js';
import { WebhookConfigurationError } from '../../src/errors.js';
import { createRedisCollector, type RedisCollectorOptions } from '../../src/redis/index.js';
import { openRedisLog } from '../../src/redis/redis-log.js';
import { changeOf, until, watchRebuilds } from './support/rebuilds.js';

const QUIET = 200;

describe('collectors that share a Redis', needs('redis-server'), () => {
	let redis: RedisServer;
	let prefix = '';
	let sites = 0;
	const open: Collector[] = [];
	const lines: string[] = [];
	beforeAll(async () => {
		redis = await startRedis();
	});
	afterEach(async () => {
		await Promise.all(open.splice(0).map((collector) => collector.close(0)));
		lines.length = 0;
	});
	afterAll(() => redis.remove());

	/** Several collectors of one site, which started. */
	async function collectors(number: number, options: Partial<RedisCollectorOptions>): Promise<Collector[]> {
		prefix = `{site-${++sites}}`;
		const settings = { connection: redis.url, prefix, quiet: QUIET, atMost: 5_000, rebuild: async () => {} };
		const onLog = (line: string) => void lines.push(line);
		const all = Array.from({ length: number }, () =>
			createRedisCollector({ ...settings, onLog, ...options }),
		);
		open.push(...all);
		await Promise.all(all.map((collector) => collector.start()));
		await until(() =>
			Promise.all(all.map((one) => one.status())).then(
				() => true,
				() => false,
			),
		);
		return all;
	}
	const isDone = async (collector: Collector) => {
		const { waiting, isRebuilding } = await collector.status();
		return waiting.products === 0 && !waiting.all && !isRebuilding;
	};

	test('make one rebuild of what came to either, each product once', async () => {
		const { rebuild, seen } = watchRebuilds();
		const [one, other] = (await collectors(2, { rebuild })) as [Collector, Collector];
		const added = Array.from({ length: 60 }, (_, index) =>
			[one, other][index % 2]?.add(changeOf(`p-${index % 20}`, `p-${(index + 1) % 20}`)),
		);
		expect(await Promise.all(added)).toEqual(Array(60).fill(true));
		expect((await other.status()).waiting).toEqual({ products: 20, all: false });
		await until(() => isDone(one));
		await wait(3 * QUIET);
		expect(seen.map(({ pids }) => pids.toSorted())).toEqual([
			Array.from({ length: 20 }, (_, index) => `p-${index}`).toSorted(),
		]);
		expect((await one.status()).counts.changes + (await other.status()).counts.changes).toBe(60);
		expect((await one.status()).lastRebuild).toMatchObject({ products: 20, all: false });
		expect(await one.status()).toMatchObject({ lastRebuild: (await other.status()).lastRebuild });
	});

	test('wait until nothing more came for a while', async () => {
		// Longer than a busy machine makes a test wait.
		const quiet = 1_500;
		const { rebuild, seen } = watchRebuilds();
		const [one, other] = (await collectors(2, { rebuild, quiet })) as [Collector, Collector];
		let lastAt = 0;
		for (const collector of [one, other, one, other, one]) {
			await wait(quiet / 4);
			lastAt = Date.now();
			await collector.add(changeOf('p-1'));
		}
		const { nextRebuildAt = 0 } = await one.status();
		expect(nextRebuildAt).toBeGreaterThan(lastAt + quiet / 2);
		expect(nextRebuildAt).toBeLessThan(lastAt + 2 * quiet);
		await until(() => seen.length > 0);
		expect(seen[0]?.startedAt).toBeGreaterThanOrEqual(lastAt + quiet - 20);
		expect(seen[0]?.startedAt).toBeLessThan(lastAt + 2 * quiet);
		await wait(quiet + 2 * QUIET);
		expect(seen).toHaveLength(1);
	});

	test('let no change wait longer than at most, however many come', async () => {
		const { rebuild, seen } = watchRebuilds();
		const [one, other] = (await collectors(2, { rebuild, atMost: 600 })) as [Collector, Collector];
		const firstAt = Date.now();
		for (let index = 0; seen.length === 0 && index < 100; index++) {
			await (index % 2 === 0 ? one : other).add(changeOf(`p-${index}`));
			await wait(40);
		}
		expect(Number(seen[0]?.startedAt) - firstAt).toBeGreaterThanOrEqual(580);
		expect(Number(seen[0]?.startedAt) - firstAt).toBeLessThan(1_200);
	});

	test('make exactly one more rebuild of what comes during one, and never two at a time', async () => {
		const { rebuild, seen, most } = watchRebuilds(500);
		const [one, other] = (await collectors(2, { rebuild })) as [Collector, Collector];
		await one.add(changeOf('p-1', 'p-2'));
		await until(() => seen.length === 1);
		expect((await other.status()).isRebuilding).toBe(true);
		for (const collector of [one, other, one, other]) await collector.add(changeOf('p-2', 'p-3'));
		await until(() => seen.length === 2);
		await until(() => isDone(one));
		await wait(3 * QUIET);
		expect(seen.map(({ pids }) => pids.toSorted())).toEqual([
			['p-1', 'p-2'],
			['p-2', 'p-3'],
		]);
		expect(most.atOnce).toBe(1);
	});

	test('rebuild at once without quiet time: one of them, and once more for what comes meanwhile', async () => {
		const { rebuild, seen, most } = watchRebuilds(500);
		const [one, other] = (await collectors(2, { rebuild, quiet: 0 })) as [Collector, Collector];
		const addedAt = Date.now();
		await one.add(changeOf('p-1'));
		await until(() => seen.length === 1);
		expect(Number(seen[0]?.startedAt) - addedAt).toBeLessThan(500);
		await Promise.all([one, other, one, other].map((each, index) => each.add(changeOf(`p-${index}`))));
		await until(() => seen.length === 2);
		expect(Number(seen[1]?.startedAt) - Number(seen[0]?.startedAt)).toBeLessThan(1_500);
		await until(() => isDone(one));
		await wait(500);
		expect(seen.map(({ pids }) => pids.toSorted())).toEqual([['p-1'], ['p-0', 'p-1', 'p-2', 'p-3']]);
		expect(most.atOnce).toBe(1);
	});

	test('rebuild at once for what is new, even in the pause after a failure', async () => {
		const { rebuild, seen } = watchRebuilds(0, (count) => {
			if (count <= 2) throw new Error('The service failed');
		});
		const retryAfter = 3_000;
		const [one, other] = (await collectors(2, { rebuild, quiet: 0, retryAfter })) as [Collector, Collector];
		await one.add(changeOf('p-1'));
		await until(async () => (await other.status()).lastRebuild?.error !== undefined);
		const addedAt = Date.now();
		await other.add(changeOf('p-2'));
		await until(() => seen.length === 2);
		expect(Number(seen[1]?.startedAt) - addedAt).toBeLessThan(1_500);
		expect(seen[1]?.pids.toSorted()).toEqual(['p-1', 'p-2']);
		await until(() => seen.length === 3);
		// The pauses grow as if it had waited.
		expect(Number(seen[2]?.startedAt) - Number(seen[1]?.startedAt)).toBeGreaterThan(5_500);
		await until(() => isDone(one));
	});

	test('keep everything after a failure, and try again with growing pauses', async () => {
		const { rebuild, seen } = watchRebuilds(0, (count) => {
			if (count <= 3) throw new Error(`Disk full (${count})`);
		});
		const [one, other] = (await collectors(2, { rebuild, retryAfter: 150, retryAtMost: 400 })) as [
			Collector,
			Collector,
		];
		await one.add(changeOf('p-1'));
		await until(() => seen.length === 1);
		await until(async () => (await other.status()).lastRebuild?.error === 'Disk full (1).');
		expect((await other.status()).waiting.products).toBe(1);
		await other.add(changeOf('p-2'));
		await until(() => seen.length === 4);
		await until(() => isDone(one));
		const pauses = seen.slice(1).map(({ startedAt }, index) => startedAt - Number(seen[index]?.startedAt));
		expect(pauses[0]).toBeGreaterThanOrEqual(140);
		expect(pauses[1]).toBeGreaterThanOrEqual(290);
		expect(pauses[2]).toBeGreaterThanOrEqual(390);
		expect(pauses[2]).toBeLessThan(800);
		expect(seen[3]?.pids).toEqual(['p-1', 'p-2']);
		expect(lines.filter((line) => line.includes('failed'))).toEqual([
			'Rebuild failed: Disk full (1). Retrying in 0.1 s.',
			'Rebuild failed: Disk full (2). Retrying in 0.3 s.',
			'Rebuild failed: Disk full (3). Retrying in 0.4 s.',
		]);
		expect((await one.status()).lastRebuild?.error).toBeUndefined();
	});

	test('rebuild everything where an event does not say which', async () => {
		const { rebuild, seen } = watchRebuilds();
		const [one, other] = (await collectors(2, { rebuild })) as [Collector, Collector];
		await one.add(changeOf('p-1'));
		await other.add({ ...changeOf(), all: true });
		expect((await one.status()).waiting).toEqual({ products: 1, all: true });
		await until(() => isDone(one));
		expect(seen).toMatchObject([{ pids: [], all: true }]);
	});

	test('know an event that another took', async () => {
		const { rebuild, seen } = watchRebuilds();
		const [one, other] = (await collectors(2, { rebuild })) as [Collector, Collector];
		const change = changeOf('p-1');
		const unnamed = { ...changeOf('p-2'), id: undefined };
		expect(await one.add(change)).toBe(true);
		expect(await other.add(change)).toBe(false);
		expect(await Promise.all([one, other, one].map((collector) => collector.add(unnamed)))).toEqual(
			Array(3).fill(true),
		);
		await until(() => isDone(one));
		expect(await other.add(change)).toBe(false);
		await wait(3 * QUIET);
		expect(seen).toHaveLength(1);
	});

	test('forget the names of events after a while', async () => {
		const [one] = (await collectors(1, {})) as [Collector];
		await one.add({ ...changeOf('p-1'), id: 'named' });
		const client = new Redis(redis.url);
		const left = await client.pttl(`${prefix}:event:named`);
		client.disconnect();
		expect(left).toBeGreaterThan(1_190_000);
		expect(left).toBeLessThanOrEqual(1_200_000);
	});

	test('rebuild for what a receiver wrote down that was killed before it planned', async () => {
		const { rebuild, seen } = watchRebuilds();
		const [one] = (await collectors(1, { rebuild, lookEvery: 200 })) as [Collector];
		const client = new Redis(redis.url);
		await openRedisLog(client, prefix).record(changeOf('p-1'));
		client.disconnect();
		await until(() => seen.length === 1);
		await until(() => isDone(one));
		expect(seen[0]?.pids).toEqual(['p-1']);
	});

	test('hand a rebuild over where the receiver that runs it ends', async () => {
		const { rebuild: slow, seen: seenSlow } = watchRebuilds(60_000);
		const { rebuild, seen } = watchRebuilds();
		const [one] = (await collectors(1, { rebuild: slow })) as [Collector];
		await one.add(changeOf('p-1'));
		await until(() => seenSlow.length === 1);
		const other = createRedisCollector({ connection: redis.url, prefix, quiet: QUIET, rebuild });
		open.push(other);
		await other.start();
		const startedAt = Date.now();
		await one.close(300);
		expect(Date.now() - startedAt).toBeGreaterThanOrEqual(290);
		const closedAt = Date.now();
		expect(closedAt - startedAt).toBeLessThan(1_500);
		await until(() => seen.length === 1);
		expect(Number(seen[0]?.startedAt) - closedAt).toBeLessThan(3_000);
		expect(seen[0]?.pids).toEqual(['p-1']);
	});

	test('wait at the end for the rebuild that runs', async () => {
		const { rebuild, seen } = watchRebuilds(400);
		const [one] = (await collectors(1, { rebuild })) as [Collector];
		await one.add(changeOf('p-1'));
		await until(() => seen.length === 1);
		await one.close(10_000);
		const [other] = [createRedisCollector({ connection: redis.url, prefix, rebuild })];
		open.push(other);
		await until(() =>
			other.status().then(
				() => true,
				() => false,
			),
		);
		expect(await other.status()).toMatchObject({ waiting: { products: 0 }, isRebuilding: false });
		expect((await other.status()).lastRebuild?.error).toBeUndefined();
	});

	test('take 2,000 changes of 100 products each in one rebuild', async () => {
		const { rebuild, seen } = watchRebuilds();
		const [one, other] = (await collectors(2, { rebuild, quiet: 500, atMost: 60_000 })) as [
			Collector,
			Collector,
		];
		const changes = Array.from({ length: 2_000 }, (_, index) =>
			changeOf(...Array.from({ length: 100 }, (_, place) => `p-${(index * 100 + place) % 20_000}`)),
		);
		for (let from = 0; from < changes.length; from += 20) {
			const some = changes.slice(from, from + 20);
			await Promise.all(some.map((change, index) => (index % 2 === 0 ? one : other).add(change)));
		}
		await until(() => isDone(one));
		expect(seen.map(({ pids }) => new Set(pids).size)).toEqual([20_000]);
	});
});

test.each(['', 'localhost:6379', 'https://user:secret@example.com', undefined])(
	'refuse %j as an address of Redis, and do not repeat it',
	(connection) => {
		const create = () => createRedisCollector({ connection: connection as string, rebuild: async () => {} });
		expect(create).toThrow(WebhookConfigurationError);
		expect(create).not.toThrow(/secret/);
	},
);
