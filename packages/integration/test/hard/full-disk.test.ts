import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storedProducts, storeWarnings } from '../support/build/store.js';
import { mountSmallDisk } from '../support/small-disk.js';

const PIDS = productIds(300);
const PAGES = PIDS.slice(-20);
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function createSetup(folder: string) {
	// Text that cannot be compressed to less than half.
	const service = await startService(PIDS, { more: () => randomBytes(2_500).toString('hex') });
	const project = createProject('store');
	cleanups.unshift(service.close, project.remove);
	const build = (options: Record<string, unknown> = {}) => {
		service.requests.reset();
		return project.build({
			service: service.url,
			options: { products: PIDS, cacheDir: folder, ...options },
			pages: PAGES,
		});
	};
	return { service, project, build };
}

function expectWholePages(project: BuildProject) {
	for (const [index, pid] of PAGES.entries())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(PIDS.indexOf(pid)));
}

test('a disk that is too small costs a warning and no page; with space the next build stores the rest', async ({
	skip,
}) => {
	const disk = mountSmallDisk('1m');
	if (typeof disk === 'string') return skip(disk);
	cleanups.push(disk.remove);
	const { service, project, build } = await createSetup(disk.folder);

	const full = await build();
	expect(full.status, full.output).toBe(0);
	expect(full.output).toContain('300 fetched');
	expect(storeWarnings(full.output)).toEqual([
		'The store could not be written: database or disk is full. The build goes on. [PR_STORE_UNUSABLE]',
		'The report could not be written: write failed with ENOSPC. The build goes on.',
	]);
	expectWholePages(project);
	const stored = storedProducts(disk.folder);
	expect(stored.length).toBeLessThan(PIDS.length);

	disk.remount('size=32m');
	const next = await build();
	expect(next.status, next.output).toBe(0);
	expect(storeWarnings(next.output)).toEqual([]);
	expectWholePages(project);
	expect(service.requests.count()).toBe(PIDS.length - stored.length);
	expect(storedProducts(disk.folder)).toHaveLength(PIDS.length);
});

test('a folder that cannot be written costs two warnings and no page', async ({ skip }) => {
	const disk = mountSmallDisk('32m');
	if (typeof disk === 'string') return skip(disk);
	cleanups.push(disk.remove);
	const { project, build } = await createSetup(disk.folder);
	// Room for the log of what it writes, too. Otherwise, it stays there, and a disk that cannot be written can be opened.
	expect(storeWarnings((await build()).output)).toEqual([]);
	disk.remount('ro');

	const { status, output } = await build();

	expect(status, output).toBe(0);
	expect(storeWarnings(output)).toEqual([
		expect.stringMatching(
			/^The store cannot be opened: unable to open database file\. Reviews are kept in memory for this build only;/,
		),
		'The report could not be written: open failed with EROFS. The build goes on.',
	]);
	expectWholePages(project);
});
