import { expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { editReviews, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(6);
const { project: own, service } = await startShop('incremental-store', PIDS, {
	options: { revalidate: 'always' },
	config: { build: { concurrency: 1 } },
});

/** A site whose pages are rendered in worker threads. */
function createThreaded(isIncremental = false, environment: Record<string, string> = {}) {
	const project = createProject('incremental-store', {
		service: service.url,
		options: { products: PIDS, revalidate: 'always' },
		pages: PIDS,
		config: {
			// Pages are known by their path, whatever comes before or after it.
			...(isIncremental && { base: '/shop', trailingSlash: 'never' }),
			build: { concurrency: isIncremental ? 1 : 4 },
			experimental: { incrementalBuild: isIncremental },
		},
		environment: { FIXTURE_THREADS: '1', ...environment },
	});
	onTestFinished(project.remove);
	return project;
}

const pagesOf = (project: typeof own) =>
	Object.fromEntries(
		[...project.contents()]
			.filter(([path]) => path.endsWith('.html'))
			.map(([path, text]) => [path, text.toString()]),
	);

/** What the audit of the last build found, in an order. */
const auditOf = (project: typeof own) => {
	const { findings, pages } = project.report().audit as { findings: { page: string }[]; pages: number };
	return { pages, findings: findings.toSorted((one, other) => one.page.localeCompare(other.page)) };
};

test('pages that are rendered in worker threads are the same byte for byte, and are audited', async () => {
	const threaded = createThreaded();
	// The build's own process has loaded the runtime. Others may have nothing but the bundle.
	expect(await own.build()).toContain('The runtime is external.');
	expect(await threaded.build()).toContain('The runtime is bundled.');
	expect(Object.keys(pagesOf(own))).toHaveLength(PIDS.length + 3);
	expect(pagesOf(threaded)).toEqual(pagesOf(own));
	expect(auditOf(threaded)).toEqual(auditOf(own));
	// All but the one that shows nothing of ours.
	expect(auditOf(threaded).pages).toBe(PIDS.length + 2);
	expect(service.requests.count()).toBe(2 * PIDS.length);
});

test('they have the keys that they give, which a build says, and are rendered again where those have the reviews', async () => {
	const project = createThreaded(true, { FIXTURE_REVIEW_KEYS: '1' });
	expect(await project.build()).toMatch(/Pages may be rendered by threads.*Add reviewsCacheKey\(\)/s);
	editReviews(service, 'p-2', 'Another text');
	await project.build();
	expect(project.read('products/p-2/index.html')).toContain('Another text');
});

test('those that cannot reach the build end it, with what helps, or are counted where they may be built without reviews', async () => {
	const project = createThreaded(false, { FIXTURE_UNREACHABLE: '1' });
	// All but the two that show nothing of ours, or only by markup of their own.
	expect(await project.build({ options: { onError: 'omit' } })).toContain(
		"7 pages were rendered outside the build's process and could not reach it",
	);
	expect(project.read('products/p-1/index.html')).toContain('<!--product-reviews: not reached-->');
	const { status, output } = await project.tryBuild();
	expect(status).toBe(1);
	expect(output).toContain('This page is rendered outside of the build');
	expect(output).toContain('`prerenderEnvironment` to "node"');
});
