import type { Sandbox } from 'product-reviews-sandbox';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(5);
const EVERYTHING = [...PIDS.map((pid) => `products/${pid}`), 'stars', 'own-markup', 'plain'].toSorted();
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function createSetup(config: Record<string, unknown> = {}) {
	const service = await startService(PIDS);
	const project = createProject('incremental-store');
	cleanups.push(() => project.remove(), service.close);
	/** Builds, and gives the pages that were rendered. */
	const build = async (options: Record<string, unknown> = {}) => {
		const { status, output } = await project.build({
			service: service.url,
			options: { products: PIDS, revalidate: 'always', ...options },
			config: { experimental: { incrementalBuild: true }, ...config },
			pages: PIDS,
		});
		expect(status, output).toBe(0);
		const lines = output.split('\n').filter((line) => line.includes('├─') || line.includes('└─'));
		return {
			output,
			rendered: EVERYTHING.filter((page) =>
				lines.some((line) => line.includes(`/${page}/index.html`) && !/\((?:cached|restored)\)/.test(line)),
			),
		};
	};
	return { service, project, build };
}

const editText = (service: Sandbox, pid: string) => {
	const [review] = service.store.listReviews({ pid });
	service.store.editReview(review?.id ?? '', { body: 'Another text' });
};
const addReview = (service: Sandbox, pid: string) =>
	service.store.createReview(pid, {
		rating: 1,
		author: 'New',
		title: 'New',
		body: 'New text',
		status: 'published',
	});

describe('with experimental.incrementalBuild', () => {
	test('exactly the pages that show what changed are rendered again', async () => {
		const { service, project, build } = await createSetup();
		expect((await build()).rendered).toEqual(EVERYTHING);
		const second = await build();
		expect(second.rendered).toEqual([]);
		expect(second.output).toContain('8 of 8 with a cacheKey reused, 0 changed');

		editText(service, 'p-2');
		expect((await build()).rendered).toEqual(['own-markup', 'products/p-2']);
		expect(project.read('products/p-2/index.html')).toContain('Another text');
		expect(project.read('own-markup/index.html')).toContain('Another text');

		addReview(service, 'p-3');
		const fourth = await build();
		expect(fourth.rendered).toEqual(['products/p-3', 'stars']);
		expect(fourth.output).toContain('6 of 8 with a cacheKey reused, 2 changed');
		expect(project.read('products/p-3/index.html')).toContain('New text');
		expect((await build()).rendered).toEqual([]);
	});

	test('an option that changes what pages show renders them again', async () => {
		const { build } = await createSetup();
		await build();
		expect((await build({ labels: { rating: '{rating} of 5' } })).rendered).toEqual(EVERYTHING);
	});

	test.each([
		['base', { base: '/shop' }],
		['trailingSlash: never', { trailingSlash: 'never' }],
	])('pages are known by their path with %s', async (_name, config) => {
		const { service, build } = await createSetup(config);
		await build();
		editText(service, 'p-5');
		expect((await build()).rendered).toEqual(['products/p-5']);
	});
});
