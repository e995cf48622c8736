import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { needs } from 'product-reviews-test-support/programs';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { SECRET } from 'product-reviews-test-support/signing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from './support/rebuilds.js';
import { KEY, send, sendSigned } from './support/send.js';
import { type ReceiverProcess, startProcess } from './support/start-process.js';

const PACKAGE = join(import.meta.dirname, '../..');
const CLI = join(PACKAGE, 'dist/cli.js');
const RECEIVER = join(import.meta.dirname, 'support/receiver.mjs');
const PASSWORD = 'hunter2-and-more';

let folder = '';
const running: ReceiverProcess[] = [];
beforeEach(() => {
	folder = createFolder('receivers');
});
afterEach(async () => {
	await Promise.all(running.splice(0).map((one) => one.end('SIGKILL')));
});

async function start(...options: Parameters<typeof startProcess>): Promise<ReceiverProcess> {
	const one = await startProcess(...options);
	running.push(one);
	return one;
}

function linesOf(file: string): Record<string, unknown>[] {
	try {
		return readFileSync(file, 'utf8')
			.trim()
			.split('\n')
			.map((line) => JSON.parse(line));
	} catch {
		return [];
	}
}

describe('receivers behind a load balancer', needs('redis-server'), () => {
	let redis: RedisServer;
	beforeEach(async () => {
		redis = await startRedis({ password: PASSWORD });
	});
	afterEach(() => redis.remove());

	/** As on the command line, with a rebuild that writes down what it was asked for. */
	function startCli(...when: string[]) {
		const file = join(folder, 'changed.jsonl');
		const script = join(folder, 'rebuild.mjs');
		writeFileSync(
			script,
			`import { appendFileSync } from 'node:fs';
			appendFileSync(${JSON.stringify(file)}, process.env.REVIEWS_CHANGED + '\\n');`,
		);
		const run = ['--run', `"${process.execPath}" "${script}"`, ...when, '--port', '0'];
		const env = { REVIEWS_WEBHOOK_SECRET: SECRET, REDIS: redis.url };
		return { file, start: () => start(CLI, [...run, '--redis-env', 'REDIS'], env) };
	}

	test('make one rebuild of 500 events that both got, and end when told to', async () => {
		const { file, start } = startCli('--quiet', '3s', '--at-most', '1m');
		const receivers = await Promise.all([start(), start()]);
		const before = performance.now();
		const answers = await Promise.all(
			Array.from({ length: 500 }, async (_, index) => {
				const { url = '' } = receivers[index % 2] ?? {};
				const deliver = async () => (await sendSigned(url, `event-${index}`, `p-${index}`)).status;
				let answer = await deliver();
				// A busy receiver asks the sender to send again.
				while (answer === 503) answer = await deliver();
				return answer;
			}),
		);
		expect(answers).toEqual(Array(500).fill(202));
		console.log(`500 events over two receivers: ${(performance.now() - before).toFixed(0)} ms`);
		// The sender was not told, and sends some again: to the other.
		for (const index of [0, 1, 2]) {
			const again = await sendSigned(receivers[(index + 1) % 2]?.url ?? '', `event-${index}`, 'p-0');
			expect(await again.json()).toEqual({ status: 'already accepted' });
		}
		await until(() => linesOf(file).length > 0);
		await wait(4_000);
		const rebuilds = linesOf(file) as { pids: string[] }[];
		expect(rebuilds.map(({ pids }) => pids.toSorted())).toEqual([
			Array.from({ length: 500 }, (_, index) => `p-${index}`).toSorted(),
		]);
		const statuses = await Promise.all(
			receivers.map(async ({ url }) => (await fetch(new URL('/status', url))).json() as Promise<object>),
		);
		for (const status of statuses) {
			expect(status).toMatchObject({ waiting: { products: 0 }, lastRebuild: { products: 500, all: false } });
		}
		const endedAt = performance.now();
		await Promise.all(receivers.map((one) => one.end('SIGTERM')));
		expect(performance.now() - endedAt).toBeLessThan(4_000);
		expect(receivers.map((one) => one.output()).join('')).not.toMatch(new RegExp(`${PASSWORD}|whsec_`));
	});

	test('publish at once: one of them for each event, and none twice', async () => {
		const { file, start } = startCli('--at-once');
		const receivers = await Promise.all([start(), start()]);
		for (const index of [0, 1, 2, 3]) {
			await sendSigned(receivers[index % 2]?.url ?? '', `event-${index}`, `p-${index}`);
			await until(() => linesOf(file).length > index);
		}
		await wait(1_000);
		expect(linesOf(file)).toEqual([0, 1, 2, 3].map((index) => ({ pids: [`p-${index}`] })));
	});

	test.each([
		{ name: 'after a while', quiet: 300 },
		{ name: 'at once', quiet: 0 },
	])('finish what another was killed over, and lose no product, $name', async ({ quiet }) => {
		const file = join(folder, 'rebuilds.jsonl');
		// However long it takes to send all events, the first rebuild takes longer.
		const hold = join(folder, 'hold');
		writeFileSync(hold, '');
		const options = { connection: redis.url, quiet, atMost: 5_000, lockDuration: 1_000, duration: 300 };
		const args = [JSON.stringify({ ...options, file, hold, key: KEY })];
		const receivers = await Promise.all([start(RECEIVER, args), start(RECEIVER, args)]);
		for (let index = 0; index < 40; index++) {
			expect((await send(receivers[index % 2]?.url ?? '', `p-${index}`)).status).toBe(202);
		}
		await until(() => linesOf(file).length === 1);
		await wait(700);
		const first = linesOf(file)[0] as { process: number };
		const killed = receivers.find(({ pid }) => pid === first.process);
		const left = receivers.find(({ pid }) => pid !== first.process);
		await killed?.end('SIGKILL');
		const killedAt = Date.now();
		rmSync(hold);
		// Its last word, which only the rebuild that another begins can hold.
		expect((await send(left?.url ?? '', 'p-late')).status).toBe(202);
		await until(() => linesOf(file).some((line) => 'ended' in line));
		const [, second, third] = linesOf(file) as {
			process: number;
			began?: string[];
			ended?: string[];
			at: number;
		}[];
		expect(second?.process).toBe(left?.pid);
		expect(second?.began?.toSorted()).toEqual(
			[...Array.from({ length: 40 }, (_, index) => `p-${index}`), 'p-late'].toSorted(),
		);
		expect(third?.ended).toHaveLength(41);
		expect(Number(second?.at) - killedAt).toBeLessThan(4_000);
		await wait(2_500);
		expect(linesOf(file)).toHaveLength(3);
	});

	test('do not rebuild two at a time where one hangs and comes back', async () => {
		const file = join(folder, 'rebuilds.jsonl');
		const options = {
			connection: redis.url,
			quiet: 200,
			atMost: 5_000,
			lockDuration: 1_000,
			duration: 4_000,
		};
		const args = [JSON.stringify({ ...options, file, key: KEY })];
		const receivers = await Promise.all([start(RECEIVER, args), start(RECEIVER, args)]);
		expect((await send(receivers[0]?.url ?? '', 'p-1')).status).toBe(202);
		await until(() => linesOf(file).length === 1);
		const { process: hung = 0 } = linesOf(file)[0] as { process: number };
		process.kill(hung, 'SIGSTOP');
		await until(() => linesOf(file).length === 2);
		process.kill(hung, 'SIGCONT');
		await until(() => linesOf(file).some((line) => 'ended' in line));
		await wait(2_500);
		const lines = linesOf(file);
		// The one that hung noticed that it has the lock no more, and ended its rebuild.
		expect(lines.filter((line) => 'ended' in line).map((line) => line['process'])).toEqual([
			lines[1]?.['process'],
		]);
		expect(lines[1]?.['process']).not.toBe(hung);
	});
});

test('the command line says what to install where BullMQ is not', async () => {
	// A folder without node_modules above it.
	cpSync(join(PACKAGE, 'dist'), join(folder, 'dist'), { recursive: true });
	cpSync(join(PACKAGE, 'package.json'), join(folder, 'package.json'));
	const env = { REVIEWS_WEBHOOK_SECRET: SECRET, REDIS: `redis://:${PASSWORD}@127.0.0.1:1` };
	const { ended, output } = runNodeInTest(
		[join(folder, 'dist/cli.js'), '--run', 'true', '--redis-env', 'REDIS'],
		{
			env: { ...process.env, ...env },
		},
	);
	expect(await ended).toBe(1);
	expect(output()).toBe(
		'--redis-env needs BullMQ, which is not installed. Run: npm install bullmq ioredis [PR_WEBHOOK_OPTIONS]\n',
	);
});
