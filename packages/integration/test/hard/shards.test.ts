import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';
import { createShardedSite, type ShardedSite } from '../support/build/shards.js';
import { runUpdate } from '../support/build/update.js';
import { expectSame, type Files, readFiles } from '../support/build/updated-site.js';
import { type S3Server, startS3 } from '../support/service/s3-server.js';

/** Each of four shards has at least one. */
const PIDS = productIds(12);
/** The shard that is killed, and one of its products. */
const KILLED = { index: 4, pid: 'p-2', page: 'products/p-2/index.html' };

let service: Sandbox;
let s3: S3Server;
let site: ShardedSite;
/** One build of the whole site. */
let whole: Files;
/** Products that the shards have shared when one of them is killed. */
let known: Set<string>;

const run = (linger = 0, storage?: { driver: string }) => ({
	service: service.url,
	pages: PIDS,
	options: { products: PIDS, ...(storage && { storage }) },
	config: { experimental: { incrementalBuild: true } },
	environment: {
		REVIEWS_TOKEN: service.token,
		REVIEWS_STORAGE_CONFIG: JSON.stringify(s3.config),
		FIXTURE_LINGER: `${linger}`,
	},
});
const inShards = (linger?: number) => run(linger, { driver: 's3' });
const inProject = (path: string) => join(site.project.root, path);
const files = () => readFiles(inProject('dist'));
/** Products whose reviews were requested since the last reset. */
const asked = () =>
	service.requests.all.flatMap(({ operation, pids }) => (operation === 'crawlerReviews' ? pids : []));

/** One build, without a storage. */
async function buildWhole(outDir: string): Promise<Files> {
	const { status, output } = await site.project.build({
		...run(),
		config: { ...run().config, cacheDir: `.cache-${outDir}`, outDir },
	});
	expect(status, output).toBe(0);
	return readFiles(inProject(outDir));
}

beforeAll(async () => {
	service = await startService(PIDS);
	s3 = await startS3();
	// One after the other, each in an empty folder.
	site = createShardedSite(createProject('sharded-store'), 4);
	whole = await buildWhole('whole');
	service.requests.reset();
	for (const index of [1, 2, 3]) await site.build(index, inShards());
	// What it fetched is shared after its page is written, and the next page takes longer than that.
	const shared = () => s3.keys().filter((key) => key.includes('/reviews/')).length;
	const isShared = () => {
		known = new Set(asked());
		return known.has(KILLED.pid) && shared() === known.size;
	};
	await site.buildAndKill(
		KILLED.index,
		inShards(2_000),
		(dist) => existsSync(join(dist, KILLED.page)) && isShared(),
	);
});

afterAll(async () => {
	site?.remove();
	await service?.close();
	await s3?.close();
});

test('each product belongs to one shard; a site is not joined while a shard has not finished', async () => {
	expect(asked().toSorted()).toEqual(PIDS.toSorted());
	const unfinished = await site.merge(inShards());
	expect(unfinished).toMatchObject({ status: 1, output: '' });
	expect(unfinished.errors).toContain('The build of shard 4 of 4 in "shards/4" did not finish.');
	expect(existsSync(inProject('dist'))).toBe(false);
});

test('a shard that was killed begins where it ended, and joined they have the bytes of one build', async () => {
	service.requests.reset();
	await site.build(KILLED.index, inShards());
	expect(asked().filter((pid) => known.has(pid))).toEqual([]);

	const { status, output, errors } = await site.merge(inShards());
	expect([status, errors], output).toEqual([0, '']);
	expect(output).toMatch(/^4 shards joined in [\d.]+ s: \d+ files, 12 products\n/);
	expectSame(files(), whole);
	const report = JSON.parse(
		readFileSync(inProject('.cache/product-reviews/product-reviews-report.json'), 'utf8'),
	);
	expect(report.totals).toMatchObject({ products: 12, failed: 0 });
	expect(report.pages.withReviews).toBe(PIDS.length + 3);
});

test('an edited review is published into the joined pages, and the next build takes the others from the shards', async () => {
	const review = { rating: 1, author: 'New', title: 'New', body: 'Just published.' };
	service.store.createReview('p-1', { ...review, status: 'published' });
	const { status, printed, errors } = await runUpdate(site.project, ['p-1', '--json'], {
		REVIEWS_TOKEN: service.token,
	});
	expect(status, printed + errors).toBe(0);
	// Its own page and those with its stars, which shards 1, 3 and all of them have built.
	expect(JSON.parse(printed).files.toSorted()).toEqual([
		'index.html',
		'lists/1/index.html',
		'products/p-1/index.html',
	]);
	const published = files();
	expectSame(published, await buildWhole('edited'));

	service.requests.reset();
	await site.project.build(run());
	expect(asked().filter((pid) => pid !== 'p-1')).toEqual([]);
	expectSame(files(), published);
});
