import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { expectSame, type Files } from '../support/build/project.js';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';
import { startS3 } from '../support/service/s3-server.js';

/** Each of four shards has at least one. */
const PIDS = productIds(12);
const COUNT = 4;
const FOLDERS = Array.from({ length: COUNT }, (_, index) => `shards/${index + 1}`);
/** The shard that is killed, and one of its products. */
const KILLED = { index: 4, pid: 'p-2', page: 'products/p-2/index.html' };

const s3 = await startS3();
const { project, service } = await startShop('sitemap-store', PIDS, {
	config: { experimental: { incrementalBuild: true }, sitemap: { isDated: false, entryLimit: 5 } },
	environment: {
		...{ ...TOKEN, REVIEWS_STORAGE_CONFIG: JSON.stringify(s3.config) },
		FIXTURE_LISTS: JSON.stringify(PIDS),
	},
});
/** One build of the whole site, without a storage. */
let whole: Files;
/** Products that the shards have shared when one of them is killed. */
let known: Set<string>;

afterAll(s3.close);

const inProject = (path: string) => join(project.root, path);
const inShards = { options: { storage: { driver: 's3' } } };
/** What builds a shard, which may take its time with each page. @param index from 1. */
const runOf = (index: number, linger = 0) => ({
	...inShards,
	environment: { REVIEWS_SHARD: `${index}/${COUNT}`, FIXTURE_LINGER: `${linger}` },
});
/** Products whose reviews were requested since the last reset. */
const asked = () =>
	service.requests.all.flatMap(({ operation, pids }) => (operation === 'crawlerReviews' ? pids : []));
const merge = () => project.command(['merge', ...FOLDERS], inShards);

/** Brings what the build of a shard wrote to its folder: shards are built one after the other, each in an empty folder. */
function collect(index: number): void {
	for (const part of ['dist', '.cache']) {
		const path = join(project.root, FOLDERS[index - 1] ?? '', part);
		rmSync(path, { recursive: true, force: true });
		mkdirSync(dirname(path), { recursive: true });
		renameSync(inProject(part), path);
	}
}

beforeAll(async () => {
	whole = await project.buildAnew();
	service.requests.reset();
	for (const index of [1, 2, 3]) {
		await project.build(runOf(index));
		collect(index);
	}
	// What it fetched is shared after its page is written, and the next page takes longer than that.
	const shared = () => s3.keys().filter((key) => key.includes('/reviews/')).length;
	const isShared = () => {
		known = new Set(asked());
		return known.has(KILLED.pid) && shared() === known.size;
	};
	const build = project.start(['build'], runOf(KILLED.index, 2_000));
	const isTime = () => existsSync(inProject(`dist/${KILLED.page}`)) && isShared();
	await vi.waitUntil(isTime, { timeout: 60_000, interval: 5 });
	expect(await build.end('SIGKILL')).toBe('SIGKILL');
	collect(KILLED.index);
});

test('each product belongs to one shard; a site is not joined while a shard has not finished', async () => {
	expect(asked().toSorted()).toEqual(PIDS.toSorted());
	const unfinished = await merge();
	expect(unfinished).toMatchObject({ status: 1, printed: '' });
	expect(unfinished.errors).toContain('The build of shard 4 of 4 in "shards/4" did not finish.');
	expect(existsSync(inProject('dist'))).toBe(false);
});

test('a shard that was killed begins where it ended, and joined they have the bytes of one build', async () => {
	service.requests.reset();
	await project.build(runOf(KILLED.index));
	collect(KILLED.index);
	expect(asked().filter((pid) => known.has(pid))).toEqual([]);

	const { status, printed, errors } = await merge();
	expect([status, errors], printed).toEqual([0, '']);
	expect(printed).toMatch(/^4 shards joined in [\d.]+ s: \d+ files, 12 products\n/);
	expectSame(project.contents(), whole);
	expect(project.report().totals).toMatchObject({ products: 12, failed: 0 });
	expect(project.report().pages.withReviews).toBe(PIDS.length + 3);
});

test('an edited review is published into the joined pages, and the next build takes the others from the shards', async () => {
	publish(service, 'p-1', 'Just published.');
	const { status, files, errors } = await project.updateJson(['p-1']);
	expect(status, errors).toBe(0);
	// Its own page and those with its stars, which shards 1, 3 and all of them have built.
	expect(files.toSorted()).toEqual(['index.html', 'lists/1/index.html', 'products/p-1/index.html']);
	const published = project.contents();
	expectSame(published, await project.buildAnew());

	service.requests.reset();
	await project.build();
	expect(asked().filter((pid) => pid !== 'p-1')).toEqual([]);
	expectSame(project.contents(), published);
});
