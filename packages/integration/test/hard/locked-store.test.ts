import { DatabaseSync } from 'node:sqlite';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterEach, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storeFileIn, storeWarnings } from '../support/build/store.js';

const PIDS = productIds(250);
const PAGES = PIDS.slice(0, 20);
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('a store that another process holds for a whole build is read; that it cannot be written costs a bounded time', async () => {
	const service = await startService(PIDS);
	const store = createLastingFolder('store');
	const project = createProject('store');
	cleanups.push(service.close, store.remove, project.remove);
	const build = async (options: Record<string, unknown> = {}) => {
		const startedAt = performance.now();
		const { status, output } = await project.build({
			service: service.url,
			options: { products: PIDS, cacheDir: store.folder, ...options },
			pages: PAGES,
		});
		return { status, output, seconds: (performance.now() - startedAt) / 1_000 };
	};
	const free = await build();
	expect(free.status, free.output).toBe(0);
	const other = new DatabaseSync(storeFileIn(store.folder));
	cleanups.unshift(() => other.close());
	other.exec('BEGIN IMMEDIATE');
	service.faults.add({ operation: 'crawlerReviews', pid: 'p-3', kind: 'status', status: 403 });

	const locked = await build({ revalidate: 'always' });

	expect(locked.status, locked.output).toBe(0);
	expect(storeWarnings(locked.output)).toEqual([
		'The store could not be written: database is locked. The build goes on. [PR_STORE_UNUSABLE]',
	]);
	expect(locked.output).toContain('stored reviews are shown: "p-3"');
	for (const [index] of PAGES.entries())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	// It waits 5 s for the lock when it writes for the first time, and again at the end. If it did so for each row, it would
	// take over ten minutes. What both builds take of their own differs on a busy machine.
	expect(locked.seconds - free.seconds).toBeLessThan(60);
});
