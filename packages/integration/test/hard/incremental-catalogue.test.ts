import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(300);
const cleanups: (() => unknown)[] = [];

afterAll(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

const contents = (project: BuildProject) =>
	new Map(
		project
			.files()
			.sort()
			.map((path) => [path, project.read(path)]),
	);

test('of 300 pages one is rendered again when its review changed; the site is that of a full build each time', async () => {
	const service = await startService(PIDS);
	const project = createProject('incremental-store');
	const fresh = createProject('incremental-store');
	cleanups.push(service.close, project.remove, fresh.remove);
	/** Builds, and says which pages were rendered and how many were taken from the cache. */
	const build = async (project: BuildProject) => {
		const { status, output } = await project.build({
			service: service.url,
			options: { products: PIDS, revalidate: 'always', concurrency: 32 },
			config: { experimental: { incrementalBuild: true } },
			pages: PIDS,
		});
		expect(status, output).toBe(0);
		const pages = output.split('\n').filter((line) => /[├└]─/.test(line));
		const isRestored = (line: string) => /\((?:cached|restored)\)/.test(line);
		return {
			rendered: pages
				.filter((line) => !isRestored(line))
				.map((line) => /\/(\S+)\/index\.html/.exec(line)?.[1])
				.sort(),
			restored: pages.filter(isRestored).length,
		};
	};
	const everything = [...PIDS.map((pid) => `products/${pid}`), 'own-markup', 'plain', 'stars'].sort();
	const forget = (path: string) => rmSync(join(project.root, '.cache', path), { recursive: true });

	expect(await build(project)).toEqual({ rendered: everything, restored: 0 });

	const [review] = service.store.listReviews({ pid: 'p-77' });
	service.store.editReview(review?.id ?? '', { body: 'Another text, in one place only' });
	expect(await build(project)).toEqual({
		rendered: ['products/p-77'],
		restored: everything.length - 1,
	});
	await build(fresh);
	const full = contents(fresh);
	expect(contents(project)).toEqual(full);
	expect([...full].filter(([, text]) => text.includes('in one place only')).map(([path]) => path)).toEqual([
		join('products', 'p-77', 'index.html'),
	]);

	for (let time = 0; time < 3; time++) {
		expect(await build(project)).toEqual({ rendered: [], restored: everything.length });
		expect(contents(project)).toEqual(full);
	}

	for (const paths of [
		['incremental-build.json'],
		['product-reviews'],
		['incremental-build.json', 'product-reviews'],
	]) {
		for (const path of paths) forget(path);
		expect((await build(project)).rendered).toEqual(everything);
		expect(contents(project)).toEqual(full);
	}
});
