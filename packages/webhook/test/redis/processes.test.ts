import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { needs } from 'product-reviews-test-support/programs';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { eventOf, messageOfNow, SECRET, send } from 'product-reviews-test-support/signing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const PACKAGE = join(import.meta.dirname, '../..');
const CLI = join(PACKAGE, 'dist/cli.js');
const RECEIVER = join(import.meta.dirname, 'support/receiver.mjs');
const PASSWORD = 'hunter2-and-more';

/** What a receiver of `support/receiver.mjs` writes down. */
interface Line {
	readonly process: number;
	readonly began?: readonly string[];
	readonly ended?: readonly string[];
}

describe('receivers behind a load balancer', needs('redis-server'), () => {
	let redis: RedisServer;
	let folder = '';
	let file = '';
	beforeEach(async () => {
		folder = createFolder('receivers');
		file = join(folder, 'lines.jsonl');
		redis = await startRedis({ password: PASSWORD });
	});
	afterEach(() => redis.remove());

	/** Two of the same program, each in a process of its own. */
	const startTwo = (...args: string[]) =>
		Promise.all(
			[1, 2].map(async () => {
				const env = { ...process.env, REVIEWS_WEBHOOK_SECRET: SECRET, REDIS: redis.url };
				const program = runNodeInTest(args, { env });
				const [, url = ''] = await program.says(/Listening at (http:[^;\s]+);/);
				return { ...program, pid: Number(program.child.pid), url };
			}),
		);
	/** As on the command line, with a command that writes down what it was asked for. */
	const startCommands = (...when: string[]) => {
		const run = `echo "$REVIEWS_CHANGED" >> "${file}"`;
		return startTwo(CLI, '--run', run, ...when, '--port', '0', '--redis-env', 'REDIS');
	};
	const startReceivers = (options: object) =>
		startTwo(RECEIVER, JSON.stringify({ url: redis.url, maxWait: 5_000, file, ...options }));
	const lines = <Entry = Line>(): Entry[] =>
		existsSync(file) ? JSON.parse(`[${readFileSync(file, 'utf8').trim().replaceAll('\n', ',')}]`) : [];
	const sendTo = (receiver: { readonly url: string } | undefined, pid: string) =>
		send(receiver?.url ?? '', messageOfNow({ body: eventOf(pid) }));

	test('publish at once: one of them for each event', async () => {
		const receivers = await startCommands('--immediate');
		for (const index of [0, 1, 2, 3]) {
			expect(await sendTo(receivers[index % 2], `p-${index}`)).toBe(202);
			await expect.poll(() => lines().length).toBeGreaterThan(index);
		}
		await wait(1_000);
		expect(lines()).toEqual([0, 1, 2, 3].map((index) => ({ pids: [`p-${index}`] })));
		for (const receiver of receivers) {
			expect(await receiver.end('SIGTERM')).toBe(0);
			expect(receiver.output()).not.toMatch(new RegExp(`${PASSWORD}|whsec_`));
		}
	});

	test.each([300, 0])(
		'finish what another was killed over, and lose no product, after %i ms without an event',
		async (debounce) => {
			// However long it takes to send all events, the first rebuild takes longer.
			const hold = join(folder, 'hold');
			writeFileSync(hold, '');
			const receivers = await startReceivers({ debounce, lockDuration: 1_000, duration: 300, hold });
			const pids = Array.from({ length: 40 }, (_, index) => `p-${index}`);
			for (const [index, pid] of pids.entries()) expect(await sendTo(receivers[index % 2], pid)).toBe(202);
			await expect.poll(() => lines().length).toBe(1);
			const killed = receivers.find(({ pid }) => pid === lines()[0]?.process);
			const left = receivers.find(({ pid }) => pid !== lines()[0]?.process);
			await killed?.end('SIGKILL');
			rmSync(hold);
			// Its last word, which only the rebuild that another begins can hold.
			expect(await sendTo(left, 'p-late')).toBe(202);
			await expect.poll(() => lines().some(({ ended }) => ended)).toBe(true);
			const [, second, third] = lines();
			expect(second?.process).toBe(left?.pid);
			expect(second?.began?.toSorted()).toEqual([...pids, 'p-late'].toSorted());
			expect(third?.ended).toHaveLength(41);
			await wait(2_500);
			expect(lines()).toHaveLength(3);
		},
	);
});

test('the command line says what to install where ioredis is not', async () => {
	// A folder without node_modules above it.
	const folder = createFolder('without-ioredis');
	cpSync(join(PACKAGE, 'dist'), join(folder, 'dist'), { recursive: true });
	cpSync(join(PACKAGE, 'package.json'), join(folder, 'package.json'));
	const REDIS = `redis://:${PASSWORD}@127.0.0.1:1`;
	const { ended, output } = runNodeInTest(
		[join(folder, 'dist/cli.js'), '--run', 'true', '--redis-env', 'REDIS'],
		{ env: { ...process.env, REVIEWS_WEBHOOK_SECRET: SECRET, REDIS } },
	);
	expect(await ended).toBe(1);
	expect(output()).toBe(
		'--redis-env needs ioredis, which is not installed. Run: npm install ioredis [PR_WEBHOOK_OPTIONS]\n',
	);
});
