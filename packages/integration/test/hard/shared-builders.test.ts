import { createServer } from 'node:net';
import type { Sandbox } from 'product-reviews-sandbox';
import { listen } from 'product-reviews-test-support/listen';
import type { NodeProgram } from 'product-reviews-test-support/node-program';
import { needs } from 'product-reviews-test-support/programs';
import { startRedis } from 'product-reviews-test-support/redis-server';
import { startS3 } from 'product-reviews-test-support/s3-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService, startShop } from '../support/build/service.js';

const PASSWORD = 'canary-redis-password';
const PIDS = productIds(400);
const PAGES = productIds(10);

/** A storage that builders share. */
interface Engine {
	readonly config: Readonly<Record<string, string>>;
	readonly secret: string;
	close(): Promise<void>;
}

const ENGINES = [
	{
		driver: 'redis',
		options: needs('redis-server'),
		mostRequests: 1.2,
		async start(): Promise<Engine> {
			const { url, remove } = await startRedis({ password: PASSWORD });
			return { config: { url }, secret: PASSWORD, close: remove };
		},
	},
	{
		// A look and a write take longer than with Redis, so builders meet more often.
		driver: 's3',
		options: {},
		mostRequests: 1.5,
		async start(): Promise<Engine> {
			const { config, close } = await startS3();
			return { config: { ...config }, secret: config.secretAccessKey, close };
		},
	},
];

function expectWhole(project: BuildProject, output: string, secret: string): void {
	for (const index of PAGES.keys())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	expect(output).not.toContain(secret);
}

describe.each(ENGINES)('builders that share $driver, each in an empty folder', (given) => {
	const { driver, options, mostRequests } = given;
	let service: Sandbox;
	let engine: Engine;
	const projects: BuildProject[] = [];
	const programs: NodeProgram[] = [];

	beforeAll(async () => {
		if ('skip' in options) return;
		engine = await given.start();
		service = await startService(PIDS, { latency: 50 });
	});

	afterAll(async () => {
		await Promise.all(programs.map((program) => program.end('SIGKILL')));
		for (const project of projects) project.remove();
		await service?.close();
		await engine?.close();
	});

	function start(changes: AstroRun = {}): [BuildProject, NodeProgram] {
		const project = createProject('store');
		const program = project.start(['build'], {
			service: service.url,
			pages: PAGES,
			environment: { REVIEWS_STORAGE_CONFIG: JSON.stringify(engine.config) },
			...changes,
			options: { products: PIDS, storage: { driver }, ...changes.options },
		});
		projects.push(project);
		programs.push(program);
		return [project, program];
	}
	const requests = ({ requests }: Sandbox) => requests.count({ operation: 'crawlerReviews' });

	test(
		`four at once make at most ${mostRequests} requests a product, and one that comes later none`,
		options,
		async () => {
			for (const [project, program] of [start(), start(), start(), start()]) {
				expect(await program.ended, program.output()).toBe(0);
				expectWhole(project, program.output(), engine.secret);
			}
			const made = requests(service);
			expect(made).toBeGreaterThanOrEqual(PIDS.length);
			expect(made).toBeLessThanOrEqual(mostRequests * PIDS.length);

			const [project, program] = start();
			expect(await program.ended, program.output()).toBe(0);
			expectWhole(project, program.output(), engine.secret);
			expect(program.output()).toContain('400 answers read');
			expect(requests(service)).toBe(made);
		},
	);

	test.runIf(driver === 'redis')('one that is killed stops no other', options, async () => {
		// A service of its own, so that nothing is known yet.
		const slow = await startService(PIDS.slice(0, 60), { latency: 400 });
		const run = { service: slow.url, pages: [], options: { products: PIDS.slice(0, 60) } };
		const [, killed] = start(run);
		await expect.poll(() => requests(slow)).toBeGreaterThan(8);
		const [, other] = start(run);
		await killed.end('SIGKILL');
		expect(await other.ended, other.output()).toBe(0);
		expect(other.output()).toContain('60 products');
		await slow.close();
	});
});

// If each product waited for the storage that hangs, the build would take over four minutes.
test.each(['refuses', 'hangs'])('a storage that %s costs a build a line and no page', async (behaves) => {
	const { port, close } = await listen(createServer());
	if (behaves === 'refuses') await close();
	else onTestFinished(close);
	const storage = { driver: 'redis', config: { host: '127.0.0.1', port, password: PASSWORD } };
	const setup = { pages: PAGES, options: { storage }, atEnd: onTestFinished };
	const { project } = await startShop('store', PIDS, setup);
	const output = await project.build();
	expectWhole(project, output, PASSWORD);
	expect(output).toContain('400 fetched');
	expect(output.match(/The shared storage failed/g)?.length).toBe(1);
});
