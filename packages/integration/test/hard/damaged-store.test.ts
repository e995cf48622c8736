import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { CACHE_FILE } from '../../src/constants.js';
import { cacheWarnings } from '../support/build/project.js';
import { expectMarks, productIds, startShop } from '../support/build/service.js';
import { mountSmallDisk } from '../support/small-disk.js';

/** A shop with a store in a folder of its own or in a given one, built once. @param more is added to each text */
async function createShop(count: number, folder = '.store', more?: () => string) {
	const pids = productIds(count);
	const setup = { more, options: { cacheDir: folder }, atEnd: onTestFinished };
	const { project, service } = await startShop('store', pids, setup);
	/** Builds, and looks whether each page shows the reviews of its own product. */
	const build = async (options: Record<string, unknown> = {}) => {
		service.requests.reset();
		const output = await project.build({ options });
		expectMarks(project, pids);
		for (const index of pids.keys())
			expect(project.read(`products/n${index + 1}/index.html`)).toContain('4.5 out of 5');
		return { output, warnings: cacheWarnings(output), asked: service.requests.count() };
	};
	expect(await build()).toMatchObject({ asked: count });
	return { service, build, file: resolve(project.root, folder, CACHE_FILE) };
}

// It waits 5 s for the lock when it writes for the first time, and again at the end. If it did so for each product, it would
// take over ten minutes.
test('a store that another process holds for a whole build is read, and costs a line', async () => {
	const { service, build, file } = await createShop(130);
	const other = new DatabaseSync(file);
	onTestFinished(() => other.close());
	other.exec('BEGIN IMMEDIATE');
	service.faults.add({ operation: 'crawlerReviews', pid: 'p-3', kind: 'status', status: 403 });

	const { warnings, output } = await build({ revalidate: 'always' });

	expect(warnings).toEqual([
		'The cache could not be written: database is locked. The build goes on. [PR_CACHE_UNUSABLE]',
	]);
	expect(output).toContain('cached reviews are shown: "p-3"');
});

test('a disk that is full or cannot be written costs a line and no page; with space the rest is stored', async ({
	skip,
}) => {
	const disk = mountSmallDisk('1m');
	if (typeof disk === 'string') return skip(disk);
	onTestFinished(disk.remove);
	// Text that cannot be compressed to less than half.
	const { build } = await createShop(90, disk.folder, () => randomBytes(8_500).toString('hex'));

	const full = await build();
	expect(full.warnings).toEqual([
		'The cache could not be written: database or disk is full. The build goes on. [PR_CACHE_UNUSABLE]',
		'The report could not be written: write failed with ENOSPC. The build goes on. [PR_FILE_NOT_WRITTEN]',
	]);
	expect(full.asked).toBeGreaterThan(0);
	disk.remount('size=32m');
	const next = await build();
	expect(next.warnings).toEqual([]);
	expect(next.asked).toBeLessThanOrEqual(full.asked);
	expect(await build()).toMatchObject({ warnings: [], asked: 0 });

	disk.remount('ro');
	expect((await build()).warnings).toEqual([
		expect.stringMatching(/^The cache cannot be opened: unable to open database file\./),
		'The report could not be written: open failed with EROFS. The build goes on. [PR_FILE_NOT_WRITTEN]',
	]);
});
