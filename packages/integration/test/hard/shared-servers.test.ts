import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Sandbox } from 'product-reviews-sandbox';
import type { Listening } from 'product-reviews-test-support/listen';
import { needs, type RedisServer, startRedis } from 'product-reviews-test-support/programs';
import { SECRET } from 'product-reviews-test-support/signing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BuildProject, BuiltServer } from '../support/build/project.js';
import { startRoundRobin } from '../support/build/round-robin.js';
import { editReviews, markOf, productIds, startShop } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const PASSWORD = 'canary-redis-password';
/** In the options of the build. */
const CONFIGURED = 'canary-config';
/** All of them take a minute. */
const [PRODUCTS, VIEWS] = process.env['TEST_FULL'] === '1' ? [500, 10_000] : [150, 1_500];
const PIDS = productIds(PRODUCTS);
const VISITORS = 8;

describe('four servers that share a Redis', needs('redis-server'), () => {
	let project: BuildProject;
	let service: Sandbox;
	let redis: RedisServer;
	let servers: BuiltServer[];
	let proxy: Listening;
	let startedAt = 0;

	beforeAll(async () => {
		startedAt = performance.now();
		redis = await startRedis({ password: PASSWORD });
		const environment = { REVIEWS_STORAGE_CONFIG: JSON.stringify({ url: redis.url }) };
		({ project, service } = await startShop('on-demand-store', PIDS, {
			latency: 20,
			pages: [],
			options: {
				products: undefined,
				// Nothing is asked for again because of its age.
				onDemand: { maxAge: '1d', timeout: '10s', maxProducts: 1_000 },
				storage: { driver: 'redis', config: { base: 'shop', connectionName: CONFIGURED } },
				webhook: {},
			},
			environment,
		}));
		await project.build();
		const serve = () => project.serve({ ...environment, REVIEWS_WEBHOOK_SECRET: SECRET });
		servers = await Promise.all([1, 2, 3, 4].map(serve));
		proxy = await startRoundRobin(servers.map(({ url }) => url));
	});

	afterAll(async () => {
		await proxy?.close();
		await Promise.all((servers ?? []).map((server) => server.stop()));
		await redis?.remove();
	});

	const requests = () => service.requests.count({ operation: 'crawlerReviews' });
	/** A page; throws where it failed or shows no reviews. */
	const view = async (url: string, pid: string): Promise<string> => {
		const response = await fetch(`${url}/live/${pid}`);
		const html = await response.text();
		if (response.status !== 200 || !html.includes('application/ld+json')) {
			throw new Error(`${response.status} for ${pid}: ${html}`);
		}
		return html;
	};
	const sendEvent = async (to: string, pid: string) =>
		(await fetch(`${to}/api/reviews/webhook`, signedEvent(pid))).status;
	const allShow = async (pid: string, text: string) => {
		for (const { url } of servers) expect(await view(url, pid)).toContain(text);
	};
	const untilAllShow = (pid: string, text: string, timeout = 30_000) =>
		vi.waitFor(() => allShow(pid, text), { timeout, interval: 100 });

	test(`${VIEWS} views of ${PRODUCTS} products make at most 1.2 requests a product`, async () => {
		// A page waits 100 ms at the most for Redis, which the first of a server may exceed.
		for (const { url } of servers) await Promise.all(PIDS.slice(0, VISITORS).map((pid) => view(url, pid)));
		service.requests.reset();
		let views = 0;
		const visit = async () => {
			while (views < VIEWS) {
				const index = (views++ * 7_919) % PIDS.length;
				expect(await view(proxy.url, PIDS[index] as string)).toContain(markOf(index));
			}
		};
		await Promise.all(Array.from({ length: VISITORS }, visit));
		expect(requests()).toBeLessThanOrEqual(1.2 * PIDS.length);
		expect(requests()).toBeGreaterThanOrEqual(PIDS.length - VISITORS);
	});

	test('an event that one of them receives is seen by all within two seconds, with one request', async () => {
		await allShow('p-1', markOf(0));
		const before = requests();
		editReviews(service, 'p-1', 'Edited once.');
		expect(await sendEvent(String(servers[2]?.url), 'p-1')).toBe(202);
		await untilAllShow('p-1', 'Edited once.', 2_000);
		expect(requests() - before).toBe(1);
	});

	test('Redis that hangs, stops under load and comes back empty costs no page and no review', async () => {
		let isOver = false;
		let views = 0;
		const load = Promise.all(
			[0, 30, 60, 90].map(async (start) => {
				for (let index = start; !isOver; index = (index + 7) % PIDS.length) {
					await view(proxy.url, PIDS[index] as string);
					views += 1;
					await setTimeout(20);
				}
			}),
		);
		const untilViewed = (more: number, before = views) =>
			expect.poll(() => views, { interval: 20 }).toBeGreaterThan(before + more);
		try {
			await untilViewed(20);
			// One page in five seconds waits for it.
			redis.signal('SIGSTOP');
			await untilViewed(40);
			redis.signal('SIGCONT');
			await redis.stop('SIGKILL');
			await untilViewed(20);
			editReviews(service, 'p-2', 'Edited while Redis was away.');
			// The sender tries again: not all instances can learn of it.
			expect(await sendEvent(String(servers[0]?.url), 'p-2')).toBe(503);
			await expect.poll(() => view(String(servers[0]?.url), 'p-2')).toContain('Edited while Redis was away.');
			await redis.start();
			// Even if the sender does not.
			await untilAllShow('p-2', 'Edited while Redis was away.');
		} finally {
			isOver = true;
			await load;
		}
		await allShow('p-1', 'Edited once.');
		await expect.poll(() => sendEvent(String(servers[1]?.url), 'p-3')).toBe(202);
	});

	test('the logs have at most one line a minute about it, and nothing contains the password', () => {
		const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
		for (const server of servers) {
			const lines = server.log().match(/.*(?:storage|redis).*/gi) ?? [];
			expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(1 + minutes);
			expect(server.log()).not.toContain(PASSWORD);
		}
		for (const path of project.files()) {
			const text = readFileSync(join(project.root, 'dist', path), 'utf8');
			expect(text, path).not.toContain(PASSWORD);
			// Browsers get nothing of the configuration.
			if (!path.startsWith('server')) expect(text, path).not.toContain(CONFIGURED);
		}
	});
});
