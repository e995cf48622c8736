import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Sandbox } from 'product-reviews-sandbox';
import { type NodeProgram, runNode } from 'product-reviews-test-support/node-program';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeWork, openRunRecord } from '../../../cli/src/refresh/redis/run-record.js';
import { CLI } from '../../../cli/test/support/command.js';
import { resolveConnection } from '../../src/options/connection.js';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';
import { storedProducts } from '../support/build/store.js';

const PIDS = productIds(600);
let redis: RedisServer;
let service: Sandbox;
let project: BuildProject;

beforeEach(async () => {
	redis = await startRedis();
	service = await startService(PIDS);
	project = createProject('store');
});

afterEach(async () => {
	project.remove();
	await Promise.all([service.close(), redis.remove()]);
});

function start(args: readonly string[], options: AstroRun['options'] = {}): NodeProgram {
	const { environment } = project.buildCommand({
		service: service.url,
		options: { products: PIDS, retries: 0, ...options },
		environment: { REDIS_URL: redis.url },
	});
	return runNode([CLI, 'refresh', '--json', ...args], { cwd: project.root, env: environment });
}

const WITH_REDIS = ['--redis-env', 'REDIS_URL'];

const requested = () => service.requests.all.flatMap(({ pids }) => pids);

/** What a worker says for programs, after its end. */
async function resultOf(worker: NodeProgram) {
	const status = await worker.ended;
	const { totals, failed, failures, worker: own } = JSON.parse(worker.printed() || '{}');
	return { status, totals, failed, failures, own, errors: worker.errors() };
}

test('three workers, one of them killed: each product once, at most 1 % twice', async () => {
	service.faults.add({ kind: 'latency', ms: 100, operation: 'crawlerReviews' });
	// With --all, age does not tell the worker that takes over what was fetched before.
	const workers = [1, 2, 3].map(() => start([...WITH_REDIS, '--all'], { concurrency: 2 }));
	const [victim, ...others] = workers as [NodeProgram, NodeProgram, NodeProgram];
	while (requested().length < 200) await wait(20);
	expect(await victim.end('SIGKILL')).toBe('SIGKILL');
	const results = await Promise.all(others.map(resultOf));

	for (const { status, totals, failures, errors } of results) {
		expect(status, errors).toBe(0);
		expect(totals).toMatchObject({ products: 600, failed: 0 });
		expect(failures).toBe(0);
	}
	expect(results.every(({ own }) => own.totals.products > 0)).toBe(true);
	expect(new Set(requested())).toEqual(new Set(PIDS));
	expect(requested().length).toBeLessThanOrEqual(606);
	expect(storedProducts(join(project.root, '.cache/product-reviews')).toSorted()).toEqual(PIDS.toSorted());

	const client = new Redis(redis.url);
	expect((await client.keys('*')).filter((key) => !key.includes('refresh:'))).toEqual([]);
	client.disconnect();
});

test('Redis loses everything in the middle: only what another worker has under way is requested twice', async () => {
	service.faults.add({ kind: 'latency', ms: 100, operation: 'crawlerReviews' });
	const list = { products: PIDS.slice(0, 300), concurrency: 4 };
	const workers = [1, 2].map(() => start([...WITH_REDIS, '--all'], list));
	while (requested().length < 120) await wait(20);
	await redis.stop('SIGKILL');
	await wait(500);
	await redis.start();
	const results = await Promise.all(workers.map(resultOf));
	for (const { status, totals, errors } of results) {
		expect(status, errors).toBe(0);
		expect(totals).toMatchObject({ products: 300, failed: 0 });
	}
	expect(new Set(requested())).toEqual(new Set(list.products));
	// A worker finishes its chunk of 100 products, while another may begin with the same products again.
	expect(requested().length).toBeLessThan(300 + 100);
});

test('a worker with another command line plans a run as it was asked for, but not an abandoned one', async () => {
	const { account } = resolveConnection({ baseUrl: service.url, wsid: service.wsid }, {});
	const client = new Redis(redis.url);
	const record = openRunRecord(client, account);
	const all = describeWork({ changed: { pids: [], all: true }, isNamed: false });
	await record.join(all, Date.now());
	const list = { products: PIDS.slice(0, 150) };
	const helper = await resultOf(start([...WITH_REDIS, 'p-1'], list));
	expect(helper, helper.errors).toMatchObject({ status: 0, totals: { products: 1, failed: 0 } });
	expect(new Set(requested())).toEqual(new Set(list.products));
	expect(requested()).toHaveLength(151);

	service.requests.reset();
	await record.join(all, Date.now());
	const [alive = ''] = (await client.keys('*')).filter((key) => key.endsWith(':alive'));
	await client.del(alive);
	client.disconnect();
	await resultOf(start([...WITH_REDIS, 'p-2'], list));
	expect(requested()).toEqual(['p-2']);
});

test('products that fail are tried once more, at the end, and fail the run for all workers', async () => {
	service.faults.add({ kind: 'status', status: 500, pid: 'p-7', operation: 'crawlerReviews' });
	service.faults.add({ kind: 'status', status: 500, pid: 'p-8', operation: 'crawlerReviews', times: 1 });
	const workers = [1, 2].map(() => start(WITH_REDIS, { products: PIDS.slice(0, 250) }));
	const results = await Promise.all(workers.map(resultOf));
	for (const { status, totals, failed, failures } of results) {
		expect(status).toBe(1);
		expect(failed).toMatchObject([{ pid: 'p-7', reason: expect.stringContaining('500') }]);
		expect(failures).toBe(1);
		expect(totals).toMatchObject({ products: 250, fetched: 249, failed: 1 });
	}
	const shares = results.map(({ own }) => own.totals.products);
	expect(shares[0] + shares[1]).toBe(250);
	expect(requested().filter((pid) => pid === 'p-7')).toHaveLength(2);
	expect(requested().filter((pid) => pid === 'p-8')).toHaveLength(2);
	expect(requested()).toHaveLength(252);
	service.requests.reset();
	service.faults.clear();
	const again = await resultOf(start([...WITH_REDIS, '--all'], { products: PIDS.slice(0, 250) }));
	expect(again).toMatchObject({ status: 0, totals: { products: 250, failed: 0 } });
	expect(requested()).toHaveLength(250);
});

test('a product list that cannot be read ends the run for all workers', async () => {
	const results = await Promise.all([1, 2].map(() => resultOf(start(WITH_REDIS, { products: [] }))));
	for (const { status, errors } of results) {
		expect(status).toBe(1);
		expect(errors).toContain('PR_PRODUCT_LIST_EMPTY');
	}
});

test('without Redis it says so, and does not repeat the address', async () => {
	const program = start(['--redis', 'redis://:pass-phrase@127.0.0.1:1']);
	expect(await program.ended).toBe(1);
	expect(program.errors()).toContain('Redis does not work: connect ECONNREFUSED 127.0.0.1:1.');
	expect(program.errors()).toContain('PR_REDIS_UNREACHABLE');
	expect(program.errors()).not.toContain('pass-phrase');
});
