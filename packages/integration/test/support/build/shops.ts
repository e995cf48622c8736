import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen } from 'product-reviews-test-support/listen';
import { expect, onTestFinished } from 'vitest';
import { answer } from '../service/payload.js';
import { type RawReply, rawJson, startRawSockets } from '../service/raw-sockets.js';
import { type BuildProject, createProject } from './project.js';
import { productIds } from './service.js';

const CLI = fileURLToPath(new URL('../../../bin/product-reviews.js', import.meta.url));
const REPORT = '.cache/product-reviews/product-reviews-report.json';

/** What a shop is made of. */
interface ShopSetup {
	/** How many products it has. */
	readonly count: number;
	/** How many of them have a page. By default, all. */
	readonly pages?: number;
	readonly options?: Readonly<Record<string, unknown>>;
	/** The rest of the Astro configuration. */
	readonly config?: Readonly<Record<string, unknown>>;
	/** @default 'store' */
	readonly fixture?: string;
}

const WARM: ShopSetup = { count: 20 };

/** The answer of a service that works. */
export function goodReply(pid: string): RawReply {
	const { html, jsonld } = answer({ pid });
	return rawJson({ status: 200, pid, dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld });
}

/**
 * Starts a service for shops that are there for a test each. They share it, since what a store holds belongs to its
 * address; it answers as the shop of the running test says.
 */
export async function startShops() {
	let reply: (pid: string) => RawReply = goodReply;
	const service = await startRawSockets(({ pid }) => reply(pid), listen);
	let warm: Promise<BuildProject> | undefined;

	function open(project: BuildProject, { count, pages = count, options, config }: ShopSetup) {
		const pids = productIds(count);
		return {
			pids,
			answers(next: (pid: string) => RawReply) {
				reply = next;
			},
			async build(more: Record<string, unknown> = {}, environment: Record<string, string> = {}) {
				const { status, output } = await project.build({
					service: service.url,
					options: { products: pids, maxAge: 0, retries: 1, ...options, ...more },
					config: { ...config },
					pages: pids.slice(0, pages),
					environment,
				});
				const file = join(project.root, REPORT);
				// A build that a page ends writes none.
				const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
				return { status, output, report };
			},
			pagesWithReviews: () =>
				project
					.files()
					.filter((file) => file.startsWith('products/') && project.read(file).includes('Boils fast.'))
					.length,
			invalidate: () =>
				execFileSync(
					process.execPath,
					[CLI, 'invalidate', '--all', '--cache-dir', '.cache/product-reviews'],
					{ cwd: project.root, encoding: 'utf8' },
				),
		};
	}

	function openInTest(project: BuildProject, setup: ShopSetup) {
		onTestFinished(() => project.remove());
		reply = goodReply;
		return open(project, setup);
	}

	async function buildWarm(): Promise<BuildProject> {
		reply = goodReply;
		const project = createProject('store');
		const { status, output, report } = await open(project, WARM).build();
		expect(status, output).toBe(0);
		expect(report.totals).toMatchObject({ fetched: WARM.count });
		return project;
	}

	return {
		/** A shop with nothing stored. */
		create: (setup: ShopSetup) => openInTest(createProject(setup.fixture ?? 'store'), setup),
		/** A shop whose store holds the reviews of all its 20 products: a copy of one that is built once. */
		async createWarm() {
			warm ??= buildWarm();
			return openInTest((await warm).copy(), WARM);
		},
		async close() {
			(await warm)?.remove();
			await service.close();
		},
	};
}
