import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { runPublish } from '../support/build/publish.js';
import { expectSame, type Files, readFiles } from '../support/build/published-site.js';
import { productIds, startService } from '../support/build/service.js';
import { createShardedSite, type ShardedSite } from '../support/build/shards.js';

/** Each of four shards has at least one. */
const PIDS = productIds(12);
const SHARDS = 4;
/** The shard that is killed, and one of its products. */
const KILLED = { index: 4, page: 'products/p-2/index.html' };

let service: Sandbox;
let site: ShardedSite;
/** One build of the whole site. */
let whole: Files;

const run = (linger = 0) => ({
	service: service.url,
	pages: PIDS,
	options: { products: PIDS, publish: true },
	config: { experimental: { incrementalBuild: true } },
	environment: { REVIEWS_TOKEN: service.token, FIXTURE_LINGER: `${linger}` },
});
const inProject = (path: string) => join(site.project.root, path);
const files = () => readFiles(inProject('dist'));

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
	site = createShardedSite(createProject('sharded-store'), SHARDS);
	whole = await buildWhole('whole');
	for (let index = 1; index <= SHARDS; index++) {
		if (index !== KILLED.index) await site.build(index, run());
	}
	await site.buildAndKill(KILLED.index, run(400), (dist) => existsSync(join(dist, KILLED.page)));
});

afterAll(async () => {
	site.remove();
	await service.close();
});

test('a site is not joined while a shard is missing or has not finished', async () => {
	const missing = await site.merge([], site.folders.slice(0, -1));
	expect(missing).toMatchObject({ status: 1, printed: '' });
	expect(missing.errors).toContain('Of 4 shards, these are missing: 4.');
	const unfinished = await site.merge();
	expect(unfinished).toMatchObject({ status: 1, printed: '' });
	expect(unfinished.errors).toContain('The build of shard 4 of 4 in "shards/4" did not finish.');
	expect(existsSync(inProject('dist'))).toBe(false);
});

test('joined shards have the bytes of one build', async () => {
	await site.build(KILLED.index, run());
	const tried = await site.merge(['--dry-run']);
	expect(tried).toMatchObject({ status: 0, errors: '' });
	expect(existsSync(inProject('dist'))).toBe(false);

	const { status, printed, errors } = await site.merge();
	expect([status, errors], printed).toEqual([0, '']);
	expect(printed).toMatch(/^4 shards joined in [\d.]+ s: \d+ files, 12 products\n/);
	expectSame(files(), whole);
	const report = JSON.parse(
		readFileSync(inProject('.cache/product-reviews/product-reviews-report.json'), 'utf8'),
	);
	expect(report.totals).toMatchObject({ products: 12, failed: 0 });
	expect(report.pages.withReviews).toBe(PIDS.length + 3);
});

test('an edited review is published into the joined pages', async () => {
	service.store.createReview('p-1', {
		rating: 1,
		author: 'New',
		title: 'New',
		body: 'Just published.',
		status: 'published',
	});
	const { status, printed, errors } = await runPublish(site.project, ['p-1', '--json'], {
		REVIEWS_TOKEN: service.token,
	});
	expect(status, printed + errors).toBe(0);
	// Its own page and those with its stars, which shards 1, 3 and all of them have built.
	expect(JSON.parse(printed).files.toSorted()).toEqual([
		'index.html',
		'lists/1/index.html',
		'products/p-1/index.html',
	]);
	expectSame(files(), await buildWhole('edited'));
});

test('an incremental build of the whole site takes all pages with a key from the shards', async () => {
	const before = files();
	service.requests.reset();
	const { status, output } = await site.project.build(run());
	expect(status, output).toBe(0);
	expect(output).toContain('11 of 12 with a cacheKey reused, 0 changed');
	// The publish has asked for p-1 itself and for its rating, in any order.
	const asked = service.requests.all.flatMap(({ operation, pids }) =>
		operation === 'starRating' ? [] : pids,
	);
	expect(asked.filter((pid) => pid !== 'p-1')).toEqual([]);
	expectSame(files(), before);
});

test('a file that differs between shards is named, and nothing changes', async () => {
	const before = files();
	const file = inProject('shards/3/dist/index.html');
	const text = readFileSync(file, 'utf8');
	try {
		writeFileSync(file, text.replace('Shop', 'Shop of another day'));
		const { status, printed, errors } = await site.merge();
		expect([status, printed]).toEqual([1, '']);
		expect(errors).toContain(
			'1 file of several shards is not the same in all of them:\nindex.html: "shards/1", "shards/3"',
		);
		expectSame(files(), before);
		expect(existsSync(inProject('dist.merging'))).toBe(false);
	} finally {
		writeFileSync(file, text);
	}
});

test('without its output folder, a shard is refused', async () => {
	rmSync(inProject('shards/2/dist'), { recursive: true });
	const { status, errors } = await site.merge(['--json']);
	expect(status).toBe(1);
	expect(errors).toContain('The output folder "dist" of "shards/2" is gone.');
});
