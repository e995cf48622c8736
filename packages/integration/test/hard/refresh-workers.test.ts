import { Redis } from 'ioredis';
import type { Sandbox } from 'product-reviews-sandbox';
import type { NodeProgram } from 'product-reviews-test-support/node-program';
import { needs } from 'product-reviews-test-support/programs';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { BuildProject } from '../support/build/project.js';
import { productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(300);
let service: Sandbox;
let project: BuildProject;

beforeEach(async () => {
	const setup = { options: { retries: 0, concurrency: 4 }, atEnd: onTestFinished };
	({ project, service } = await startShop('store', PIDS, setup));
});

const start = (args: readonly string[], products = PIDS, environment: Record<string, string> = {}) =>
	project.startCommand(['update', '--cache-only', '--json', ...args], { options: { products }, environment });

const requested = () => service.requests.all.flatMap(({ pids }) => pids);
const untilRequested = (count: number) =>
	vi.waitUntil(() => requested().length >= count, { timeout: 60_000, interval: 20 });

/** What a worker says for programs, after its end. */
async function resultOf(worker: NodeProgram) {
	const status = await worker.ended;
	const { totals, failed, failures } = JSON.parse(worker.printed() || '{}');
	return { status, totals, failed, failures, errors: worker.errors() };
}

async function expectAllFresh(workers: readonly NodeProgram[]) {
	const results = await Promise.all(workers.map(resultOf));
	for (const { status, totals, failures, errors } of results) {
		expect(status, errors).toBe(0);
		expect([totals.products, totals.failed, failures]).toEqual([PIDS.length, 0, 0]);
	}
	expect(new Set(requested())).toEqual(new Set(PIDS));
}

/** Whether that many runs are over. */
async function hasCompleted(redis: Redis, count: number): Promise<boolean> {
	const [completed] = await redis.keys('*:completed');
	return completed !== undefined && (await redis.zcard(completed)) >= count;
}

describe('workers that share a Redis', needs('redis-server'), () => {
	let redis: RedisServer;

	beforeEach(async () => {
		redis = await startRedis();
	});

	afterEach(() => redis.remove());

	const startShared = (args: readonly string[], products?: string[]) =>
		start(['--redis-env', 'REDIS_URL', ...args], products, { REDIS_URL: redis.url });

	test('one of three is killed: each product once, at most 2 % twice', async () => {
		service.faults.add({ kind: 'latency', ms: 100, operation: 'crawlerReviews' });
		// With --all, age does not tell the worker that takes over what was fetched before.
		const [victim, ...others] = [1, 2, 3].map(() => startShared(['--all']));
		await untilRequested(100);
		expect(await victim?.end('SIGKILL')).toBe('SIGKILL');
		await expectAllFresh(others);
		expect(requested().length).toBeLessThanOrEqual(306);
		const client = new Redis(redis.url);
		// The result stays for workers that come late, and no chunk does.
		expect((await client.keys('*')).filter((key) => /:\d+-[0-9a-f]{32}/.test(key))).toEqual([]);
		client.disconnect();

		service.requests.reset();
		expect(await resultOf(start([]))).toMatchObject({ status: 0, totals: { products: PIDS.length } });
		expect(requested()).toEqual([]);
	});

	test('Redis loses everything in the middle: only what another worker has under way is requested twice', async () => {
		service.faults.add({ kind: 'latency', ms: 100, operation: 'crawlerReviews' });
		const workers = [1, 2].map(() => startShared(['--all']));
		await untilRequested(120);
		await redis.stop('SIGKILL');
		await redis.start();
		await expectAllFresh(workers);
		// A worker finishes its chunk of 100 products, while another may begin with the same products again.
		expect(requested().length).toBeLessThan(300 + 100);
	});

	test('a worker with another command line helps with the run that is under way, as it was asked for', async () => {
		const list = PIDS.slice(0, 150);
		// The planner takes its chunk long enough for the helper to start.
		service.faults.add({ kind: 'latency', ms: 500, operation: 'crawlerReviews' });
		const planner = startShared(['--all'], list);
		await untilRequested(10);
		const helping = resultOf(startShared(['p-1'], list));
		// The planner looks again after the helper has ended this run, and begun its own.
		const client = new Redis(redis.url);
		await vi.waitUntil(async () => await hasCompleted(client, 1), { timeout: 60_000, interval: 5 });
		planner.child.kill('SIGSTOP');
		client.disconnect();
		const helper = await helping;
		planner.child.kill('SIGCONT');
		expect(helper, helper.errors).toMatchObject({ status: 0, totals: { products: 1, failed: 0 } });
		const { status, totals } = await resultOf(planner);
		expect([status, totals.products]).toEqual([0, 150]);
		expect(requested().toSorted()).toEqual([...list, 'p-1'].toSorted());
	});

	test('a product that fails fails the run for all workers', async () => {
		service.faults.add({ kind: 'status', status: 500, pid: 'p-7', operation: 'crawlerReviews' });
		const results = await Promise.all([1, 2].map(() => resultOf(startShared([]))));
		for (const { status, totals, failed, failures } of results) {
			expect([status, failures]).toEqual([1, 1]);
			expect(failed).toMatchObject([{ pid: 'p-7', reason: expect.stringContaining('500') }]);
			expect(totals).toMatchObject({ products: 300, fetched: 299, failed: 1 });
		}
		expect(requested()).toHaveLength(300);
	});

	test('a product list that cannot be read ends the run for all workers', async () => {
		for (const { status, errors } of await Promise.all([1, 2].map(() => resultOf(startShared([], []))))) {
			expect(status).toBe(1);
			expect(errors).toContain('PR_PRODUCT_LIST_EMPTY');
		}
	});
});

test('without Redis a worker says so, and does not repeat the address', async () => {
	const program = start(['--redis', 'redis://:pass-phrase@127.0.0.1:1']);
	expect(await program.ended).toBe(1);
	expect(program.errors()).toContain('Redis does not work: connect ECONNREFUSED 127.0.0.1:1.');
	expect(program.errors()).toContain('PR_REDIS_UNREACHABLE');
	expect(program.errors()).not.toContain('pass-phrase');
});
