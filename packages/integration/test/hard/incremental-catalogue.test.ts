import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { productIds } from '../support/build/service.js';
import { startShop } from '../support/build/shop.js';
import { expectSame, readFiles } from '../support/build/updated-site.js';

const PIDS = productIds(30);
const PAGES = PIDS.length + 3;
const { project, service } = await startShop('incremental-store', PIDS);
const fresh = createProject('incremental-store');

afterAll(() => fresh.remove());

test('an incremental build makes the site of a full one: after an edit, for nothing, and where a cache is lost', async () => {
	/** @returns how many pages were rendered. */
	const build = async ({ build }: BuildProject) => {
		const { status, output } = await build({
			service: service.url,
			options: { products: PIDS, revalidate: 'always' },
			config: { experimental: { incrementalBuild: true } },
			pages: PIDS,
		});
		expect(status, output).toBe(0);
		const pages = output.split('\n').filter((line) => /[├└]─/.test(line));
		return pages.filter((line) => !/\((?:cached|restored)\)/.test(line)).length;
	};
	const filesOf = ({ root }: BuildProject) => readFiles(join(root, 'dist'));

	expect(await build(project)).toBe(PAGES);
	const [review] = service.store.listReviews({ pid: 'p-17' });
	service.store.editReview(review?.id ?? '', { body: 'Another text, in one place only' });
	expect(await build(project)).toBe(1);
	expect(await build(fresh)).toBe(PAGES);
	const full = filesOf(fresh);
	expectSame(filesOf(project), full);
	expect(await build(project)).toBe(0);
	expectSame(filesOf(project), full);

	for (const lost of ['incremental-build.json', 'product-reviews']) {
		rmSync(join(project.root, '.cache', lost), { recursive: true });
		expect(await build(project)).toBe(PAGES);
		expectSame(filesOf(project), full);
	}
});
