import { setTimeout as wait } from 'node:timers/promises';
import { needs } from 'product-reviews-test-support/programs';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Collector, type CollectorOptions, WebhookConfigurationError } from '../../src/index.js';
import { openRedisLog } from '../../src/redis/index.js';
import { changeOf, until, watchRebuilds } from './support/rebuilds.js';

const QUIET = 200;
/** Nothing of what a test says happens because of a pause as long as this. */
const LONG = 600_000;
type Two = [Collector, Collector];

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
	afterAll(() => redis?.remove());

	/** Another collector of the site. */
	async function join(options: Partial<CollectorOptions>): Promise<Collector> {
		const log = openRedisLog(redis.url, { prefix });
		const onLog = (line: string) => void lines.push(line);
		const timing = { debounce: QUIET, maxWait: 5_000 };
		const collector = new Collector({ log, rebuild: async () => {}, onLog, ...timing, ...options });
		open.push(collector);
		await collector.start();
		return collector;
	}
	/** Two collectors of a new site. */
	async function two(options: Partial<CollectorOptions>): Promise<Two> {
		prefix = `{site-${++sites}}`;
		return Promise.all([join(options), join(options)]);
	}
	const untilDone = (collector: Collector) =>
		until(async () => {
			const { waiting, isRebuilding } = await collector.status();
			return waiting.products === 0 && !waiting.all && !isRebuilding;
		});

	test('make one rebuild of what came to either, each product once', async () => {
		const { rebuild, seen } = watchRebuilds();
		const [one, other] = await two({ rebuild, debounce: 2_000 });
		const changes = Array.from({ length: 60 }, (_, index) =>
			changeOf(`p-${index % 20}`, `p-${(index + 1) % 20}`),
		);
		await Promise.all(changes.map((change, index) => (index % 2 === 0 ? one : other).add(change)));
		expect((await other.status()).waiting).toEqual({ products: 20, all: false });
		await untilDone(one);
		await one.add(changeOf('p-2'));
		await untilDone(one);
		expect(seen.map(({ pids }) => pids)).toEqual([
			Array.from({ length: 20 }, (_, index) => `p-${index}`).toSorted(),
			['p-2'],
		]);
		expect((await one.status()).counts.changes + (await other.status()).counts.changes).toBe(61);
	});

	test.each([
		['of what comes during one', QUIET],
		['at once', 0],
	])('make exactly one more rebuild %s, and never two at a time', async (_, debounce) => {
		const { rebuild, seen, most } = watchRebuilds(500);
		const [one, other] = await two({ rebuild, debounce });
		await one.add(changeOf('p-1'));
		await until(() => seen.length === 1);
		await Promise.all([one, other, one, other].map((each, index) => each.add(changeOf(`p-${index}`))));
		await until(() => seen.length === 2);
		await untilDone(one);
		await wait(3 * QUIET);
		expect(seen.map(({ pids }) => pids)).toEqual([['p-1'], ['p-0', 'p-1', 'p-2', 'p-3']]);
		expect(most.atOnce).toBe(1);
	});

	test('hand a rebuild over where the receiver that runs it ends, and wait for one that ends in time', async () => {
		const { rebuild: slow, seen: seenSlow } = watchRebuilds(LONG);
		const { rebuild, seen } = watchRebuilds(400);
		prefix = `{site-${++sites}}`;
		const one = await join({ rebuild: slow });
		await one.add(changeOf('p-1'));
		await until(() => seenSlow.length === 1);
		const other = await join({ rebuild });
		await one.close(300);
		await until(() => seen.length === 1);
		expect(seen[0]?.pids).toEqual(['p-1']);
		await other.close(60_000);
		const third = await join({ rebuild });
		expect(await third.status()).toMatchObject({ waiting: { products: 0 }, isRebuilding: false });
	});
});

test.each(['', 'localhost:6379', 'https://user:secret@example.com', undefined])(
	'refuse %j as an address of Redis, and do not repeat it',
	(connection) => {
		const create = () => openRedisLog(connection);
		expect(create).toThrow(WebhookConfigurationError);
		expect(create).not.toThrow(/secret/);
	},
);
