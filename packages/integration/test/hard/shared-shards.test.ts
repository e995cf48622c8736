import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { type S3Server, startS3 } from 'product-reviews-test-support/s3-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { expectSame, type Files, readFiles } from '../support/build/published-site.js';
import { productIds, startService } from '../support/build/service.js';
import { createShardedSite, type ShardedSite } from '../support/build/shards.js';

/** Each of four shards has at least one. */
const PIDS = productIds(12);
/** The shard that is killed, and one of its products. */
const KILLED = { index: 4, page: 'products/p-2/index.html' };

let service: Sandbox;
let s3: S3Server;
let machines: BuildProject[];
let site: ShardedSite;
/** One build of the whole site, without a storage. */
let whole: Files;

const run = (linger = 0) => ({
	service: service.url,
	pages: PIDS,
	options: { products: PIDS, publish: true, storage: { driver: 's3' } },
	environment: {
		REVIEWS_TOKEN: service.token,
		REVIEWS_STORAGE_CONFIG: JSON.stringify(s3.config),
		FIXTURE_LINGER: `${linger}`,
	},
});
/** Products whose reviews were requested since the last reset. */
const asked = () =>
	service.requests.all.flatMap(({ operation, pids }) => (operation === 'crawlerReviews' ? pids : []));

beforeAll(async () => {
	service = await startService(PIDS);
	s3 = await startS3();
	machines = Array.from({ length: 4 }, () => createProject('sharded-store'));
	site = createShardedSite(createProject('sharded-store'), 4, machines);
	const { options, ...rest } = run();
	const { status, output } = await site.project.build({
		...rest,
		options: { ...options, storage: undefined },
		config: { cacheDir: '.cache-whole', outDir: 'whole' },
	});
	expect(status, output).toBe(0);
	whole = readFiles(join(site.project.root, 'whole'));
});

afterAll(async () => {
	site?.remove();
	await service?.close();
	await s3?.close();
});

test('four shards in empty folders share S3, and one that is killed begins where it ended', async () => {
	service.requests.reset();
	for (const index of [1, 2, 3]) await site.build(index, run());
	// What it fetched is shared after its page is written, and the next page takes longer than that.
	const isShared = () => s3.keys().some((key) => key.endsWith('/reviews/p-2'));
	await site.buildAndKill(
		KILLED.index,
		run(2_000),
		(dist) => existsSync(join(dist, KILLED.page)) && isShared(),
	);
	const known = PIDS.filter((pid) => s3.keys().some((key) => key.endsWith(`/reviews/${pid}`)));
	// Each product belongs to one shard, and the stars of others take one list.
	expect(asked().toSorted()).toEqual(PIDS.toSorted());

	service.requests.reset();
	// The next runner has nothing of the one that was killed.
	for (const part of ['dist', '.cache']) {
		rmSync(join(machines[KILLED.index - 1]?.root ?? '', part), { recursive: true, force: true });
	}
	await site.build(KILLED.index, run());
	expect(known).toContain('p-2');
	expect(asked().filter((pid) => known.includes(pid))).toEqual([]);
});

test('joined, they have the bytes of one build without a storage', async () => {
	const { status, printed, errors } = await site.merge();
	expect([status, errors], printed).toEqual([0, '']);
	expectSame(readFiles(join(site.project.root, 'dist')), whole);
});
