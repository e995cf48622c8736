import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { needs, type RedisServer, startRedis } from 'product-reviews-test-support/programs';
import { eventOf, messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
	type CollectorOptions,
	type Rebuild,
	standardWebhooks,
	WebhookConfigurationError,
} from '../../src/index.js';
import { type Receiver, startReceiver } from '../../src/node/index.js';
import { openRedisLog } from '../../src/redis/index.js';
import { runCli } from '../support/cli.js';

const PACKAGE = join(import.meta.dirname, '../..');
const PASSWORD = 'hunter2-and-more';

/** A rebuild that takes a while, and remembers what it was asked for. */
function watchRebuilds(duration = 0) {
	const seen: string[][] = [];
	let running = 0;
	const most = { atOnce: 0 };
	const rebuild: Rebuild = async ({ pids, signal }) => {
		seen.push(pids.toSorted());
		running += 1;
		most.atOnce = Math.max(most.atOnce, running);
		await wait(duration, undefined, { signal }).finally(() => {
			running -= 1;
		});
	};
	return { rebuild, seen, most };
}

const statusOf = ({ url }: Pick<Receiver, 'url'>, pid: string) =>
	send(url, messageOfNow({ body: eventOf(pid) }));
const untilAccepted = (receiver: Receiver, pid: string) =>
	expect.poll(() => statusOf(receiver, pid)).toBe(202);
const isUp = async ({ url }: Receiver) => (await fetch(new URL('/status', url))).status === 200;

describe('receivers that share a Redis', needs('redis-server'), () => {
	let redis: RedisServer;
	const receivers: Receiver[] = [];
	const lines: string[] = [];
	beforeEach(async () => {
		redis = await startRedis({ isDurable: true, password: PASSWORD });
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
			verify: standardWebhooks(SECRET),
			...options,
		});
		receivers.push(one);
		return one;
	}
	/** Starts one that has its Redis. */
	async function receive(options: Options = {}): Promise<Receiver> {
		const one = await start(options);
		await expect.poll(() => isUp(one)).toBe(true);
		return one;
	}

	test('make exactly one more rebuild of what comes during one, and never two at a time', async () => {
		const { rebuild, seen, most } = watchRebuilds(500);
		const both = [await receive({ rebuild, debounce: 0 }), await receive({ rebuild, debounce: 0 })] as const;
		await statusOf(both[0], 'p-1');
		await expect.poll(() => seen).toHaveLength(1);
		const pids = ['p-0', 'p-1', 'p-2', 'p-3'];
		await Promise.all(pids.map((pid, index) => statusOf(both[index % 2 === 0 ? 0 : 1], pid)));
		expect((await both[1].collector.status()).waiting.products).toBe(4);
		const elsewhere = openRedisLog(redis.url, { prefix: '{another site}' });
		expect(await elsewhere.waiting()).toBeUndefined();
		await elsewhere.close();
		// Sooner than a lock that was not released expires.
		await expect.poll(() => seen, { timeout: 10_000 }).toHaveLength(2);
		await wait(1_200);
		expect(seen).toEqual([['p-1'], pids]);
		expect(most.atOnce).toBe(1);
	});

	test('start without it, answer 503 while it is away, say so now and then, and recover', async () => {
		const { rebuild, seen } = watchRebuilds();
		const saying = (text: string) => lines.filter((line) => line.startsWith(text));
		await redis.stop();
		const receiver = await start({ rebuild });
		expect(await statusOf(receiver, 'p-early')).toBe(503);
		await redis.start();
		await untilAccepted(receiver, 'p-before');
		await expect.poll(() => saying('The waiting changes can be used again.')).toHaveLength(1);
		lines.length = 0;
		await redis.stop();
		await expect.poll(() => saying('The waiting changes cannot be used')).toHaveLength(1);
		for (let index = 0; index < 20; index++) expect(await statusOf(receiver, 'p-during')).toBe(503);
		const reason = expect.stringMatching(/Redis cannot be used: .+\[PR_REDIS_UNREACHABLE\]/);
		expect(saying('The waiting changes')).toEqual([reason]);
		expect(saying('Error while handling an event')).toEqual(Array(20).fill(reason));
		expect(await isUp(receiver)).toBe(false);
		expect((await fetch(new URL('/healthz', receiver.url))).status).toBe(503);
		await redis.start();
		await untilAccepted(receiver, 'p-after');
		// What was overdue may be rebuilt before the sender comes again, and what Redis did not hear the end of, twice.
		await expect.poll(() => [...new Set(seen.flat())].toSorted()).toEqual(['p-after', 'p-before']);
		await expect.poll(() => saying('The waiting changes can be used again.')).toHaveLength(1);
		// It can end while it is away.
		await redis.stop();
		await receivers.pop()?.close();
	});

	test('answer 503 where it is there and does not answer: before it does', async () => {
		const receiver = await receive();
		redis.signal('SIGSTOP');
		const answers = await Promise.all(Array.from({ length: 5 }, () => statusOf(receiver, 'p-1')));
		redis.signal('SIGCONT');
		expect(answers).toEqual(Array(5).fill(503));
		await untilAccepted(receiver, 'p-1');
	});

	test('lose nothing that was accepted when it is killed and started again', async () => {
		const { rebuild, seen } = watchRebuilds();
		const both = await Promise.all([1, 2].map(() => receive({ rebuild, debounce: 2_000 })));
		const accepted = new Set<string>();
		let isOver = false;
		const sending = both.map(async (receiver, place) => {
			for (let index = 0; !isOver; index++) {
				const pid = `p-${place}-${index}`;
				if ((await statusOf(receiver, pid)) === 202) accepted.add(pid);
				await wait(10);
			}
		});
		try {
			await expect.poll(() => accepted.size).toBeGreaterThan(20);
			await redis.stop('SIGKILL');
			const before = accepted.size;
			await redis.start();
			await expect.poll(() => accepted.size).toBeGreaterThan(before + 20);
		} finally {
			isOver = true;
			await Promise.all(sending);
		}
		await expect.poll(() => [...accepted].filter((pid) => !seen.flat().includes(pid))).toEqual([]);
	});

	/** Two of the command line, whose command notes whose it is and what it was asked for, and lasts while "hold" is there. */
	async function startCommands(...when: string[]) {
		const cwd = createFolder('receivers');
		const run = `echo "{\\"process\\":$PPID,\\"changed\\":$REVIEWS_CHANGED}" >> lines; while [ -e hold ]; do sleep 0.2; done`;
		const args = ['--run', run, ...when, '--port', '0', '--redis-env', 'REDIS'];
		const programs = [1, 2].map(async () => {
			const program = runCli(args, { REVIEWS_WEBHOOK_SECRET: SECRET, REDIS: redis.url }, cwd);
			return { ...program, url: await program.url() };
		});
		const [one, other] = await Promise.all(programs);
		if (!one || !other) throw new Error('There are two.');
		const file = join(cwd, 'lines');
		const noted = (): { readonly process: number; readonly changed: { readonly pids: string[] } }[] =>
			existsSync(file) ? JSON.parse(`[${readFileSync(file, 'utf8').trim().replaceAll('\n', ',')}]`) : [];
		return { both: [one, other] as const, hold: join(cwd, 'hold'), noted };
	}

	test('publish at once: one process for each event', async () => {
		const { both, noted } = await startCommands('--immediate');
		for (const index of [0, 1, 2, 3]) {
			expect(await statusOf(both[index % 2 ? 1 : 0], `p-${index}`)).toBe(202);
			await expect.poll(() => noted().length).toBeGreaterThan(index);
		}
		await wait(1_000);
		expect(noted().map(({ changed }) => changed.pids)).toEqual([['p-0'], ['p-1'], ['p-2'], ['p-3']]);
		for (const receiver of both) {
			expect(await receiver.end('SIGTERM')).toBe(0);
			expect(receiver.output()).not.toMatch(new RegExp(`${PASSWORD}|whsec_`));
		}
	});

	test.each([[['--debounce', '300ms', '--max-wait', '5s']], [['--immediate']]])(
		'finish what a process was killed over, and lose no product: %j',
		async (when) => {
			const { both, hold, noted } = await startCommands(...when);
			// However long it takes to send all events, the first rebuild takes longer.
			writeFileSync(hold, '');
			const pids = Array.from({ length: 10 }, (_, index) => `p-${index}`);
			for (const [index, pid] of pids.entries())
				expect(await statusOf(both[index % 2 ? 1 : 0], pid)).toBe(202);
			await expect.poll(() => noted().length).toBe(1);
			const isFirst = noted()[0]?.process === both[0].child.pid;
			const [killed, left] = isFirst ? both : both.toReversed();
			await killed?.end('SIGKILL');
			rmSync(hold);
			// Its last word, which only the rebuild that another begins can hold.
			expect(await send(left?.url ?? '', messageOfNow({ body: eventOf('p-late') }))).toBe(202);
			await expect.poll(() => noted().length).toBe(2);
			expect(noted()[1]?.process).toBe(left?.child.pid);
			expect(noted()[1]?.changed.pids.toSorted()).toEqual([...pids, 'p-late'].toSorted());
			await wait(1_500);
			expect(noted()).toHaveLength(2);
		},
	);

	test('end a rebuild before another may begin where it stays away', async () => {
		const { rebuild, seen, most } = watchRebuilds(60_000);
		const receiver = await receive({ rebuild, lockDuration: 1_000 });
		await statusOf(receiver, 'p-1');
		await expect.poll(() => seen).toHaveLength(1);
		await redis.stop('SIGKILL');
		const ended = 'Update failed: Redis could not be reached, so another receiver may take over.';
		await expect.poll(() => lines.join('\n')).toContain(ended);
		await redis.start();
		await expect.poll(() => seen).toEqual([['p-1'], ['p-1']]);
		expect(most.atOnce).toBe(1);
	});
});

test('the command line says what to install where ioredis is not', async () => {
	// A folder without node_modules above it.
	const folder = createFolder('without-ioredis');
	for (const name of ['dist', 'package.json'])
		cpSync(join(PACKAGE, name), join(folder, name), { recursive: true });
	const env = { ...process.env, REVIEWS_WEBHOOK_SECRET: SECRET, REDIS: `redis://:${PASSWORD}@127.0.0.1:1` };
	const args = [join(folder, 'dist/cli.js'), '--run', 'true', '--redis-env', 'REDIS'];
	const { ended, output } = runNodeInTest(args, { env });
	expect(await ended).toBe(1);
	expect(output()).toBe(
		'--redis-env needs ioredis, which is not installed. Run: npm install ioredis [PR_WEBHOOK_OPTIONS]\n',
	);
});

const NO_ADDRESSES = ['', 'localhost:6379', 'https://user:secret@example.com', undefined];
test.each(NO_ADDRESSES)('%j is refused as an address of Redis, and not repeated', (connection) => {
	const create = () => openRedisLog(connection);
	expect(create).toThrow(WebhookConfigurationError);
	expect(create).not.toThrow(/secret/);
});
