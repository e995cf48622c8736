import { createServer } from 'node:net';
import { listen } from 'product-reviews-test-support/listen';
import { needs, startRedis } from 'product-reviews-test-support/programs';
import { expect, onTestFinished, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { expectMarks, productIds, startService, startShop } from '../support/build/service.js';

const PASSWORD = 'canary-redis-password';
/** So many that the last ones, which all builders are after, hardly count. */
const PIDS = productIds(1_000);
const PAGES = productIds(10);

function expectWhole(project: BuildProject, output: string): void {
	expectMarks(project, PAGES);
	expect(output).not.toContain(PASSWORD);
}

test(
	'of builders that share Redis, each in an empty folder, four at once make at most 1.2 requests a product, also if another is killed, and one that comes later none',
	needs('redis-server'),
	async () => {
		const { url, remove } = await startRedis({ password: PASSWORD });
		onTestFinished(remove);
		const service = await startService(PIDS, { latency: 50 });
		onTestFinished(service.close);
		const requests = () => service.requests.count({ operation: 'crawlerReviews' });
		const create = () => {
			const project = createProject('store', {
				service: service.url,
				pages: PAGES,
				options: { products: PIDS, storage: { driver: 'redis' } },
				environment: { REVIEWS_STORAGE_CONFIG: JSON.stringify({ url }) },
			});
			onTestFinished(project.remove);
			return project;
		};
		const start = () => {
			const project = create();
			const program = project.start(['build']);
			onTestFinished(async () => void (await program.end('SIGKILL')));
			return { project, program };
		};
		const killed = start();
		await expect.poll(requests, { interval: 5 }).toBeGreaterThan(8);
		const builders = [start(), start(), start(), start()];
		await killed.program.end('SIGKILL');
		for (const { project, program } of builders) {
			expect(await program.ended, program.output()).toBe(0);
			expectWhole(project, program.output());
		}
		const made = requests();
		expect(made).toBeGreaterThanOrEqual(PIDS.length);
		expect(made).toBeLessThanOrEqual(1.2 * PIDS.length);

		const later = create();
		const output = await later.build();
		expectWhole(later, output);
		expect(output).toContain('1,000 responses read');
		expect(requests()).toBe(made);
	},
);

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
	expect(output).toContain('1,000 fetched');
	expect(output.match(/The shared storage failed/g)?.length).toBe(1);
});
