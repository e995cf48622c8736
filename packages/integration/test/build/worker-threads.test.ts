import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(6);
const projects: BuildProject[] = [];
let service: Sandbox;

beforeAll(async () => {
	service = await startService(PIDS);
});

afterAll(async () => {
	for (const project of projects) project.remove();
	await service.close();
});

/** A site whose pages are rendered four at once: in the build's process, or in worker threads. */
function createSetup(isThreaded: boolean) {
	const project = createProject('incremental-store');
	projects.push(project);
	const build = async (
		incremental: boolean,
		options: Record<string, unknown> = {},
		environment: Record<string, string> = {},
	) => {
		const { status, output } = await project.build({
			service: service.url,
			options: { products: PIDS, revalidate: 'always', ...options },
			config: {
				// Pages are known by their path, whatever comes before or after it.
				...(incremental && { base: '/shop', trailingSlash: 'never' }),
				build: { concurrency: isThreaded && !incremental ? 4 : 1 },
				experimental: { incrementalBuild: incremental },
			},
			pages: PIDS,
			environment: { ...(isThreaded && { FIXTURE_THREADS: '1' }), ...environment },
		});
		const report = join(project.root, '.cache/product-reviews/product-reviews-report.json');
		return { status, output, report: () => JSON.parse(readFileSync(report, 'utf8')) };
	};
	const pages = () =>
		Object.fromEntries(
			project
				.files()
				.filter((path) => path.endsWith('.html'))
				.toSorted()
				.map((path) => [path, project.read(path)]),
		);
	return { project, build, pages };
}

describe('pages that are rendered in worker threads', () => {
	test('are the same byte for byte, and are audited', async () => {
		const [own, threaded] = [createSetup(false), createSetup(true)];
		const [ownBuild, threadedBuild] = [await own.build(false), await threaded.build(false)];
		expect(threadedBuild.status, threadedBuild.output).toBe(0);
		// The build's own process has loaded the runtime. Others may have nothing but the bundle.
		expect(ownBuild.output).toContain('The runtime is external.');
		expect(threadedBuild.output).toContain('The runtime is bundled.');
		expect(Object.keys(own.pages())).toHaveLength(PIDS.length + 3);
		expect(threaded.pages()).toEqual(own.pages());
		const sorted = ({ findings, pages }: { findings: { page: string }[]; pages: number }) => ({
			pages,
			findings: findings.toSorted((one, other) => one.page.localeCompare(other.page)),
		});
		expect(sorted(threadedBuild.report().audit)).toEqual(sorted(ownBuild.report().audit));
		// All but the one that shows nothing of ours.
		expect(threadedBuild.report().audit.pages).toBe(PIDS.length + 2);
		expect(service.requests.count()).toBe(2 * PIDS.length);
	});

	test('have the keys that they give, which a build says, and are rendered again where those have the reviews', async () => {
		const { project, build } = createSetup(true);
		const own = { FIXTURE_REVIEW_KEYS: '1' };
		const { output } = await build(true, {}, own);
		expect(output).toMatch(/Pages may be rendered by threads.*Add reviewsCacheKey\(\)/s);
		const [review] = service.store.listReviews({ pid: 'p-2' });
		service.store.editReview(review?.id ?? '', { body: 'Another text' });
		expect((await build(true, {}, own)).status).toBe(0);
		expect(project.read('products/p-2/index.html')).toContain('Another text');
	});

	test('that cannot reach the build end it, with what helps', async () => {
		const { build } = createSetup(true);
		const { status, output } = await build(false, {}, { FIXTURE_UNREACHABLE: '1' });
		expect(status).toBe(1);
		expect(output).toContain('This page is rendered outside of the build');
		expect(output).toContain('`prerenderEnvironment` to "node"');
	});

	test('are counted where they may be built without reviews', async () => {
		const { build, pages } = createSetup(true);
		const { status, output } = await build(false, { onError: 'omit' }, { FIXTURE_UNREACHABLE: '1' });
		expect(status, output).toBe(0);
		// All but the two that show nothing of ours, or only by markup of their own.
		expect(output).toContain("7 pages were rendered outside the build's process and could not reach it");
		expect(pages()['products/p-1/index.html']).toContain('<!--product-reviews: not reached-->');
	});
});
