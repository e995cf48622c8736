import { needs } from 'product-reviews-test-support/programs';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CollectorOptions, sharedHeader } from '../../src/index.js';
import { type Receiver, startReceiver } from '../../src/node/index.js';
import { openRedisLog } from '../../src/redis/index.js';
import { until, watchRebuilds } from './support/rebuilds.js';
import { KEY, send } from './support/send.js';

describe('a receiver whose Redis goes away', needs('redis-server'), () => {
	let redis: RedisServer;
	const receivers: Receiver[] = [];
	const lines: string[] = [];
	beforeEach(async () => {
		redis = await startRedis({ isDurable: true });
	});
	afterEach(async () => {
		await Promise.all(receivers.splice(0).map((one) => one.close(0)));
		await redis.remove();
		lines.length = 0;
	});

	type Options = Partial<CollectorOptions> & { readonly lockDuration?: number };

	async function start({ lockDuration, ...options }: Options): Promise<Receiver> {
		const one = await startReceiver({
			log: openRedisLog(redis.url, { lockDuration }),
			rebuild: async () => {},
			...{ debounce: 300, maxWait: 60_000, retryAfter: 500, port: 0 },
			onLog: (line: string) => void lines.push(line),
			verify: sharedHeader('x-key', KEY),
			...options,
		});
		receivers.push(one);
		return one;
	}
	const isUp = async ({ url }: Receiver) => (await fetch(new URL('/status', url))).status === 200;
	/** Starts one that has its Redis. */
	async function receive(options: Options = {}): Promise<Receiver> {
		const one = await start(options);
		await until(() => isUp(one));
		return one;
	}
	const statusOf = async ({ url }: Receiver, pid: string) => (await send(url, pid)).status;
	const untilAccepted = (receiver: Receiver, pid: string) =>
		until(async () => (await statusOf(receiver, pid)) === 202);
	const untilDone = ({ collector }: Receiver) =>
		until(async () => {
			const { waiting, isRebuilding } = await collector.status();
			return waiting.products === 0 && !isRebuilding;
		});

	test('answers 503, says so now and then, and recovers', async () => {
		const { rebuild, seen } = watchRebuilds();
		const receiver = await receive({ rebuild });
		expect(await statusOf(receiver, 'p-before')).toBe(202);
		await redis.stop();
		const saying = (text: string) => lines.filter((line) => line.startsWith(text));
		await until(() => saying('The waiting changes cannot be used').length > 0);
		for (let index = 0; index < 20; index++) expect(await statusOf(receiver, 'p-during')).toBe(503);
		const reason = expect.stringMatching(/Redis cannot be used: .+\[PR_REDIS_UNREACHABLE\]/);
		expect(saying('The waiting changes')).toEqual([reason]);
		expect(saying('Error while handling an event')).toEqual(Array(20).fill(reason));
		expect(await isUp(receiver)).toBe(false);
		expect((await fetch(new URL('/healthz', receiver.url))).status).toBe(503);
		await redis.start();
		await untilAccepted(receiver, 'p-after');
		// What was overdue may be rebuilt before the sender comes again.
		const rebuilt = () => seen.flatMap(({ pids }) => pids);
		await until(() => rebuilt().includes('p-after'));
		expect(rebuilt().toSorted()).toEqual(['p-after', 'p-before']);
		await until(() => saying('The waiting changes can be used again.').length === 1);
	});

	test('answers 503 where Redis is there and does not answer: before it does', async () => {
		const receiver = await receive();
		redis.signal('SIGSTOP');
		const answers = await Promise.all(Array.from({ length: 5 }, () => statusOf(receiver, 'p-1')));
		redis.signal('SIGCONT');
		expect(answers).toEqual(Array(5).fill(503));
		await untilAccepted(receiver, 'p-1');
	});

	test('starts without it, works once it is there, and ends while it is away', async () => {
		await redis.stop();
		const { rebuild, seen } = watchRebuilds();
		const receiver = await start({ rebuild });
		expect(await statusOf(receiver, 'p-1')).toBe(503);
		await redis.start();
		await untilAccepted(receiver, 'p-1');
		await until(() => seen.length > 0);
		expect(seen[0]?.pids).toEqual(['p-1']);
		await redis.stop();
		await receivers.pop()?.close();
	});

	test('loses nothing that was accepted when it is killed and started again', async () => {
		const { rebuild, seen } = watchRebuilds();
		const both = await Promise.all([1, 2].map(() => receive({ rebuild, debounce: 2_000 })));
		const accepted = new Set<string>();
		let isOver = false;
		const sending = both.map(async (receiver, place) => {
			for (let index = 0; !isOver; index++) {
				const pid = `p-${place}-${index}`;
				if ((await statusOf(receiver, pid)) === 202) accepted.add(pid);
			}
		});
		try {
			await until(() => accepted.size > 20);
			await redis.stop('SIGKILL');
			const before = accepted.size;
			await redis.start();
			await until(() => accepted.size > before + 20);
		} finally {
			isOver = true;
			await Promise.all(sending);
		}
		await until(() => seen.length > 0);
		await untilDone(both[0] as Receiver);
		const rebuilt = new Set(seen.flatMap(({ pids }) => pids));
		expect([...accepted].filter((pid) => !rebuilt.has(pid))).toEqual([]);
	});

	test('ends a rebuild before another may begin where it stays away', async () => {
		const { rebuild, seen, most } = watchRebuilds(60_000);
		const receiver = await receive({ rebuild, lockDuration: 1_000 });
		await send(receiver.url, 'p-1');
		await until(() => seen.length === 1);
		await redis.stop('SIGKILL');
		const ended = 'Rebuild failed: Redis could not be reached, so another receiver may take over.';
		await until(() => lines.join('\n').includes(ended));
		await redis.start();
		await until(() => seen.length === 2);
		expect(seen.map(({ pids }) => pids)).toEqual([['p-1'], ['p-1']]);
		expect(most.atOnce).toBe(1);
	});
});
