import { createServer } from 'node:net';
import { listen } from 'product-reviews-test-support/listen';
import type { NodeProgram } from 'product-reviews-test-support/node-program';
import { needs } from 'product-reviews-test-support/programs';
import { startRedis } from 'product-reviews-test-support/redis-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { expectMarks, productIds, startService, startShop } from '../support/build/service.js';

const PASSWORD = 'canary-redis-password';
/** So many that the last ones, which all builders are after, hardly count. */
const PIDS = productIds(400);
const PAGES = productIds(10);

function expectWhole(project: BuildProject, output: string): void {
	expectMarks(project, PAGES);
	expect(output).not.toContain(PASSWORD);
}

describe('builders that share Redis, each in an empty folder', needs('redis-server'), () => {
	/** A service and a storage of the running test's own, and what starts a builder. */
	async function createSetup(products: readonly string[], latency: number) {
		const { url, remove } = await startRedis({ password: PASSWORD });
		onTestFinished(remove);
		const service = await startService(products, { latency });
		onTestFinished(service.close);
		const start = (): [BuildProject, NodeProgram] => {
			const project = createProject('store', {
				service: service.url,
				pages: PAGES,
				options: { products, storage: { driver: 'redis' } },
				environment: { REVIEWS_STORAGE_CONFIG: JSON.stringify({ url }) },
			});
			onTestFinished(project.remove);
			const program = project.start(['build']);
			onTestFinished(async () => void (await program.end('SIGKILL')));
			return [project, program];
		};
		return { start, requests: () => service.requests.count({ operation: 'crawlerReviews' }) };
	}

	test('four at once make at most 1.2 requests a product, and one that comes later none', async () => {
		const { start, requests } = await createSetup(PIDS, 50);
		for (const [project, program] of [start(), start(), start(), start()]) {
			expect(await program.ended, program.output()).toBe(0);
			expectWhole(project, program.output());
		}
		const made = requests();
		expect(made).toBeGreaterThanOrEqual(PIDS.length);
		expect(made).toBeLessThanOrEqual(1.2 * PIDS.length);

		const [project, program] = start();
		expect(await program.ended, program.output()).toBe(0);
		expectWhole(project, program.output());
		expect(program.output()).toContain('400 answers read');
		expect(requests()).toBe(made);
	});

	test('one that is killed stops no other', async () => {
		const { start, requests } = await createSetup(PIDS.slice(0, 60), 400);
		const [, killed] = start();
		await expect.poll(requests).toBeGreaterThan(8);
		const [, other] = start();
		await killed.end('SIGKILL');
		expect(await other.ended, other.output()).toBe(0);
		expect(other.output()).toContain('60 products');
	});
});

// If each product waited for the storage that hangs, the build would take over two minutes.
test.each(['refuses', 'hangs'])('a storage that %s costs a build a line and no page', async (behaves) => {
	const { port, close } = await listen(createServer());
	if (behaves === 'refuses') await close();
	else onTestFinished(close);
	const storage = { driver: 'redis', config: { host: '127.0.0.1', port, password: PASSWORD } };
	const setup = { pages: PAGES, options: { storage }, atEnd: onTestFinished };
	const { project } = await startShop('store', PIDS, setup);
	const output = await project.build();
	expectWhole(project, output);
	expect(output).toContain('400 fetched');
	expect(output.match(/The shared storage failed/g)?.length).toBe(1);
});
