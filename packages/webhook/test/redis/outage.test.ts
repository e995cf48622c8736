import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { needs } from 'product-reviews-test-support/programs';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { afterEach, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '../../src/node/start-receiver.js';
import { createRedisCollector, type RedisCollectorOptions } from '../../src/redis/index.js';
import { sharedHeader } from '../../src/verify/shared-header.js';
import { startProxy } from './support/proxy.js';
import { until, watchRebuilds } from './support/rebuilds.js';
import { KEY, send } from './support/send.js';

describe('a receiver whose Redis goes away', needs('redis-server'), () => {
	const servers: RedisServer[] = [];
	const receivers: Receiver[] = [];
	const lines: string[] = [];
	afterEach(async () => {
		await Promise.all(receivers.splice(0).map((one) => one.close(0)));
		await Promise.all(servers.splice(0).map((one) => one.remove()));
		lines.length = 0;
	});

	async function startServer(): Promise<RedisServer> {
		const redis = await startRedis({ isDurable: true });
		servers.push(redis);
		return redis;
	}

	async function receive(redis: RedisServer, options: Partial<RedisCollectorOptions>): Promise<Receiver> {
		const onLog = (line: string) => void lines.push(line);
		const settings = { connection: redis.url, quiet: 300, atMost: 60_000, onLog, rebuild: async () => {} };
		const collector = createRedisCollector({ ...settings, ...options });
		const one = await startReceiver({ verify: sharedHeader('x-key', KEY), collector, port: 0, onLog });
		receivers.push(one);
		return one;
	}

	/** Connections that Redis has, but for the one that asks. */
	async function clientsOf(redis: RedisServer): Promise<string[]> {
		const client = new Redis(redis.url);
		const list = String(await client.client('LIST'));
		client.disconnect();
		return list.trim().split('\n').slice(1);
	}

	const isUp = async ({ url }: Receiver) => (await fetch(new URL('/status', url))).status === 200;

	async function timed(answer: Promise<Response>) {
		const before = performance.now();
		const { status } = await answer;
		return { status, milliseconds: performance.now() - before };
	}

	test('answers 503 within a second, says so now and then, and recovers', async () => {
		const redis = await startServer();
		const { rebuild, seen } = watchRebuilds();
		const receiver = await receive(redis, { rebuild });
		await until(() => isUp(receiver));
		expect((await send(receiver.url, 'p-before')).status).toBe(202);
		await redis.stop();
		for (let index = 0; index < 20; index++) {
			const { status, milliseconds } = await timed(send(receiver.url, 'p-during'));
			expect(status).toBe(503);
			expect(milliseconds).toBeLessThan(1_000);
			await wait(100);
		}
		expect(await isUp(receiver)).toBe(false);
		expect((await fetch(new URL('/healthz', receiver.url))).status).toBe(200);
		expect(lines.filter((line) => line.startsWith('Redis:'))).toHaveLength(1);
		await redis.start();
		await until(async () => (await send(receiver.url, 'p-after')).status === 202);
		// What was overdue may be rebuilt before the sender comes again.
		const rebuilt = () => seen.flatMap(({ pids }) => pids);
		await until(() => rebuilt().includes('p-after'));
		expect(rebuilt()).toEqual(['p-before', 'p-after']);
	});

	test('answers 503 within a second where Redis is there and does not answer', async () => {
		const redis = await startServer();
		const receiver = await receive(redis, {});
		await until(() => isUp(receiver));
		redis.signal('SIGSTOP');
		const answers = await Promise.all(Array.from({ length: 5 }, () => timed(send(receiver.url, 'p-1'))));
		for (const { status, milliseconds } of answers) {
			expect(status).toBe(503);
			expect(milliseconds).toBeLessThan(1_000);
		}
		redis.signal('SIGCONT');
		await until(async () => (await send(receiver.url, 'p-1')).status === 202);
	});

	test('notices a connection that is gone without a word', async () => {
		const redis = await startServer();
		const proxy = await startProxy(redis.port);
		try {
			const { rebuild, seen } = watchRebuilds();
			const receiver = await receive(redis, { rebuild, connection: `redis://127.0.0.1:${proxy.port}` });
			await until(() => isUp(receiver));
			expect((await send(receiver.url, 'p-1')).status).toBe(202);
			proxy.mute();
			const mutedAt = Date.now();
			await until(async () => (await send(receiver.url, 'p-2')).status === 202);
			expect(Date.now() - mutedAt).toBeLessThan(8_000);
			await until(() => seen.some(({ pids }) => pids.includes('p-2')));
		} finally {
			proxy.close();
		}
	});

	test('starts without it, and works once it is there', async () => {
		const redis = await startServer();
		await redis.stop();
		const { rebuild, seen } = watchRebuilds();
		const receiver = await receive(redis, { rebuild });
		expect(await timed(send(receiver.url, 'p-1'))).toMatchObject({ status: 503 });
		await redis.start();
		await until(async () => (await send(receiver.url, 'p-1')).status === 202);
		await until(() => seen.length > 0);
		expect(seen[0]?.pids).toEqual(['p-1']);
	});

	test('lets go of Redis where the port of the receiver is taken', async () => {
		const redis = await startServer();
		const { port } = await receive(redis, {});
		const count = async () => (await clientsOf(redis)).length;
		await until(async () => (await count()) > 2);
		const before = await count();
		const collector = createRedisCollector({ connection: redis.url, rebuild: async () => {} });
		const started = startReceiver({ verify: sharedHeader('x-key', KEY), collector, port });
		await expect(started).rejects.toThrow('EADDRINUSE');
		await until(async () => (await count()) === before);
	});

	test('ends quickly while it is away', async () => {
		const redis = await startServer();
		const receiver = await receive(redis, {});
		await until(() => isUp(receiver));
		await redis.stop();
		const before = performance.now();
		await receivers.pop()?.close();
		expect(performance.now() - before).toBeLessThan(4_000);
	});

	test('loses nothing that was accepted when it is killed and started again', async () => {
		const redis = await startServer();
		const { rebuild, seen } = watchRebuilds();
		const both = await Promise.all([
			receive(redis, { rebuild, quiet: 2_000 }),
			receive(redis, { rebuild, quiet: 2_000 }),
		]);
		await until(async () => (await isUp(both[0])) && (await isUp(both[1])));
		const accepted = new Set<string>();
		let isOver = false;
		const sending = both.map(async ({ url }, place) => {
			for (let index = 0; !isOver; index++) {
				const pid = `p-${place}-${index}`;
				if ((await send(url, pid)).status === 202) accepted.add(pid);
			}
		});
		await until(() => accepted.size > 20);
		await redis.stop('SIGKILL');
		const acceptedBefore = accepted.size;
		await redis.start();
		await until(() => accepted.size > acceptedBefore + 20);
		isOver = true;
		await Promise.all(sending);
		await until(async () => seen.length > 0 && (await both[0].collector.status()).waiting.products === 0);
		const rebuilt = new Set(seen.flatMap(({ pids }) => pids));
		expect([...accepted].filter((pid) => !rebuilt.has(pid))).toEqual([]);
		console.log(
			`${accepted.size} accepted, ${acceptedBefore} of them before the kill; ${seen.length} rebuild(s)`,
		);
	});

	test('finishes a rebuild during which it went away', async () => {
		const redis = await startServer();
		const { rebuild, seen, most } = watchRebuilds(1_500);
		const receiver = await receive(redis, { rebuild });
		await until(() => isUp(receiver));
		await send(receiver.url, 'p-1');
		await until(() => seen.length === 1);
		await redis.stop('SIGKILL');
		await wait(500);
		await redis.start();
		await until(async () => {
			const status = await receiver.collector.status().catch(() => undefined);
			return status?.waiting.products === 0 && !status.isRebuilding;
		});
		expect(seen).toHaveLength(1);
		expect(most.atOnce).toBe(1);
	});

	test('ends a rebuild before another may begin where it stays away', async () => {
		const redis = await startServer();
		const { rebuild, seen, most } = watchRebuilds(3_000);
		const receiver = await receive(redis, { rebuild, lockDuration: 1_000, retryAfter: 100 });
		await until(() => isUp(receiver));
		await send(receiver.url, 'p-1');
		await until(() => seen.length === 1);
		await redis.stop('SIGKILL');
		await wait(1_500);
		await redis.start();
		await until(() => seen.length === 2);
		await until(async () => (await receiver.collector.status()).waiting.products === 0);
		expect(seen.map(({ pids }) => pids)).toEqual([['p-1'], ['p-1']]);
		expect(most.atOnce).toBe(1);
		expect(lines.join('\n')).toContain(
			'The rebuild was ended: Redis could not be reached, so another receiver may take over.',
		);
	});
});
