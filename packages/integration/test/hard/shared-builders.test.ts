import { createServer } from 'node:net';
import type { Sandbox } from 'product-reviews-sandbox';
import { listen } from 'product-reviews-test-support/listen';
import type { NodeProgram } from 'product-reviews-test-support/node-program';
import { needs } from 'product-reviews-test-support/programs';
import { startRedis } from 'product-reviews-test-support/redis-server';
import { startS3 } from 'product-reviews-test-support/s3-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';

const PASSWORD = 'canary-redis-password';
const PAGES = productIds(20);

/** A storage that builders share. */
interface Engine {
	readonly driver: string;
	readonly config: Readonly<Record<string, string>>;
	readonly secret: string;
	close(): Promise<void>;
}

const ENGINES = [
	{
		name: 'Redis',
		options: needs('redis-server'),
		products: 2_000,
		mostRequests: 1.1,
		canLock: true,
		async start(): Promise<Engine> {
			const { url, remove } = await startRedis({ password: PASSWORD });
			return { driver: 'redis', config: { url }, secret: PASSWORD, close: remove };
		},
	},
	{
		// Without locks, builders may fetch the same product at the same time, each of them once: about 7 % of 2,000 products,
		// and 20 % of 400, since builders meet more often the fewer there are. Four without a storage make 4 requests a product.
		name: 'S3',
		options: {},
		products: 400,
		mostRequests: 2,
		canLock: false,
		async start(): Promise<Engine> {
			const { config, close } = await startS3();
			return { driver: 's3', config: { ...config }, secret: config.secretAccessKey, close };
		},
	},
];

for (const { name, options, products, mostRequests, canLock, start: startEngine } of ENGINES) {
	describe(`builders that share ${name}, each in an empty folder`, options, () => {
		const PIDS = productIds(products);
		let service: Sandbox;
		let engine: Engine;
		const projects: BuildProject[] = [];
		const programs: NodeProgram[] = [];

		beforeAll(async () => {
			engine = await startEngine();
			service = await startService(PIDS, { latency: 50 });
		});

		afterAll(async () => {
			await Promise.all(programs.map((program) => program.end('SIGKILL')));
			for (const project of projects) project.remove();
			await service?.close();
			await engine?.close();
		});

		const start = (changes: AstroRun = {}): [BuildProject, NodeProgram] => {
			const project = createProject('store');
			const program = project.start(['build'], {
				service: service.url,
				pages: PAGES,
				environment: { REVIEWS_STORAGE_CONFIG: JSON.stringify(engine.config) },
				...changes,
				options: { products: PIDS, storage: { driver: engine.driver }, ...changes.options },
			});
			projects.push(project);
			programs.push(program);
			return [project, program];
		};
		const expectWhole = (project: BuildProject, output: string) => {
			for (const index of PAGES.keys()) {
				expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
			}
			expect(output).not.toContain(engine.secret);
		};

		test(`four at once make at most ${mostRequests} requests a product, and one that comes later none`, async () => {
			const builders = [start(), start(), start(), start()];
			for (const [project, program] of builders) {
				expect(await program.ended, program.output()).toBe(0);
				expectWhole(project, program.output());
			}
			const requests = service.requests.count({ operation: 'crawlerReviews' });
			expect(requests).toBeGreaterThanOrEqual(PIDS.length);
			expect(requests).toBeLessThanOrEqual(mostRequests * PIDS.length);

			const [project, program] = start();
			expect(await program.ended, program.output()).toBe(0);
			expectWhole(project, program.output());
			expect(program.output()).toContain(`${products.toLocaleString('en')} answers read`);
			expect(service.requests.count({ operation: 'crawlerReviews' })).toBe(requests);
		});

		if (canLock) {
			test('one that is killed holds up nobody for long', async () => {
				// A service of its own, so that nothing is known yet.
				const slow = await startService(PIDS.slice(0, 60), { latency: 400 });
				const run = { service: slow.url, pages: [], options: { products: PIDS.slice(0, 60) } };
				const [, killed] = start(run);
				await expect.poll(() => slow.requests.count({ operation: 'crawlerReviews' })).toBeGreaterThan(8);
				const [, other] = start(run);
				await killed.end('SIGKILL');
				const startedAt = performance.now();
				expect(await other.ended, other.output()).toBe(0);
				expect(performance.now() - startedAt).toBeLessThan(25_000);
				expect(other.output()).toContain('60 products');
				await slow.close();
			});
		}
	});
}

test.each(['refuses', 'hangs'])(
	'a storage that %s costs a build no page, and little time',
	async (behaves) => {
		const service = await startService(productIds(400));
		const storage = await listen(createServer());
		if (behaves === 'refuses') await storage.close();
		const project = createProject('store');
		try {
			const startedAt = performance.now();
			const { status, output } = await project.build({
				service: service.url,
				pages: PAGES,
				options: {
					products: productIds(400),
					storage: { driver: 'redis', config: { host: '127.0.0.1', port: storage.port, password: PASSWORD } },
				},
			});
			expect(status, output).toBe(0);
			expect(performance.now() - startedAt).toBeLessThan(30_000);
			for (const index of PAGES.keys()) {
				expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
			}
			expect(output).toContain('400 fetched');
			expect(output.match(/The shared storage failed/g)?.length).toBe(1);
			expect(output).not.toContain(PASSWORD);
		} finally {
			project.remove();
			await service.close();
			if (behaves === 'hangs') await storage.close();
		}
	},
);
