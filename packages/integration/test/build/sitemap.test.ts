import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { runPublish } from '../support/build/publish.js';
import { productIds, startService } from '../support/build/service.js';
import { readSitemap } from '../support/build/sitemap.js';

const PIDS = productIds(3);
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

interface SiteSetup {
	readonly pids?: readonly string[];
	readonly options?: Record<string, unknown>;
	readonly config?: Record<string, unknown>;
	/** Options of the sitemap, and in which way its entries are dated. */
	readonly sitemap?: Record<string, unknown>;
}

async function createSite({ pids = PIDS, options, config, sitemap = {} }: SiteSetup) {
	const service = await startService(pids);
	const project = createProject('sitemap-store');
	cleanups.push(service.close, project.remove);
	const build = async (environment: Record<string, string> = {}) => {
		const { status, output } = await project.build({
			service: service.url,
			options: { products: pids, publish: true, revalidate: 'always', ...options },
			config: { ...config, sitemap },
			pages: pids,
			environment,
		});
		expect(status, output).toBe(0);
		return readSitemap(project.read(`${sitemap['filenameBase'] ?? 'sitemap'}-0.xml`));
	};
	const review = (pid: string) =>
		service.store.createReview(pid, {
			rating: 1,
			author: 'Ün',
			title: 'New',
			body: 'New text',
			status: 'published',
		});
	const file = (name: string) => join(project.root, 'dist', name);
	return { project, build, review, file };
}

/** Runs something. @returns a matcher for times in the meantime */
async function during<Result>(run: () => Promise<Result>) {
	const start = new Date().toISOString();
	const result = await run();
	const end = new Date().toISOString();
	return {
		result,
		isWithin: (time: string | undefined) => time !== undefined && time >= start && time <= end,
	};
}

describe('a build', () => {
	test.each([
		{ isFirst: true, publish: false, incrementalBuild: true },
		{ isFirst: false, publish: true, incrementalBuild: false },
	])(
		'dates the pages whose reviews changed, and no other: %j',
		async ({ isFirst, publish, incrementalBuild }) => {
			const config = { experimental: { incrementalBuild } };
			const { project, build, review } = await createSite({
				options: { publish },
				config,
				sitemap: { isFirst },
			});
			expect(await build()).toEqual({});
			expect(await build()).toEqual({});
			review('p-2');
			const { result: times, isWithin } = await during(build);
			expect(Object.keys(times)).toEqual(['/', '/products/p-2/']);
			expect(Object.values(times).every(isWithin)).toBe(true);
			expect(await build()).toEqual(times);
			// Other html of the same reviews.
			expect(await build({ FIXTURE_PRICE: '6' })).toEqual(times);
			expect(project.read('products/p-2/index.html')).toContain(incrementalBuild ? '"price":5' : '"price":6');
			const latest = Object.values(times).toSorted().at(-1);
			expect(readSitemap(project.read('sitemap-index.xml'))).toEqual({ '/sitemap-0.xml': latest });
		},
	);

	test("keeps what the site's own function says", async () => {
		const { project, build, review } = await createSite({ sitemap: { serialize: 'own' } });
		const old = '2020-01-01T00:00:00.000Z';
		await build();
		review('p-1');
		const times = await build();
		expect(times).toMatchObject({ '/about/': old, '/products/p-2/': old });
		expect(times['/products/p-1/']).not.toBe(old);
		expect(project.read('sitemap-0.xml').match(/<changefreq>daily/g)).toHaveLength(5);
	});
});

describe('a publish', () => {
	test('dates exactly the pages that it changed, as a build after it does', async () => {
		const { project, build, review, file } = await createSite({});
		await build();
		for (const end of ['.gz', '.br']) writeFileSync(file(`sitemap-0.xml${end}`), 'old');
		chmodSync(file('sitemap-0.xml'), 0o640);
		review('p-2');
		const files = ['index.html', 'products/p-2/index.html', 'sitemap-0.xml', 'sitemap-index.xml'];
		const dry = await runPublish(project, ['p-2', '--dry-run', '--json']);
		expect(JSON.parse(dry.printed).files).toEqual(files);
		expect(readSitemap(project.read('sitemap-0.xml'))).toEqual({});
		const { result, isWithin } = await during(() => runPublish(project, ['p-2', 'p-3', '--json']));
		expect(JSON.parse(result.printed)).toEqual({
			files,
			rebuild: [],
			unchanged: ['p-3'],
			failed: [],
		});
		const written = [project.read('sitemap-0.xml'), project.read('sitemap-index.xml')];
		const times = readSitemap(written[0] ?? '');
		expect(Object.keys(times)).toEqual(['/', '/products/p-2/']);
		expect(Object.values(times).every(isWithin)).toBe(true);
		expect(brotliDecompressSync(readFileSync(file('sitemap-0.xml.br'))).toString()).toBe(written[0]);
		expect(gunzipSync(readFileSync(file('sitemap-0.xml.gz'))).toString()).toBe(written[0]);
		expect(statSync(file('sitemap-0.xml')).mode & 0o777).toBe(0o640);
		await build();
		expect([project.read('sitemap-0.xml'), project.read('sitemap-index.xml')]).toEqual(written);
	});

	test('renews dates of another kind, and adds none', async () => {
		const old = '2020-01-01T00:00:00.000Z';
		const { project, build, review } = await createSite({ sitemap: { serialize: 'none', lastmod: old } });
		const before = await build();
		review('p-1');
		await runPublish(project, ['p-1']);
		const after = readSitemap(project.read('sitemap-0.xml'));
		const isNewer = (path: string) => (after[path] ?? '') > (before[path] ?? '');
		expect(Object.keys(after).filter(isNewer)).toEqual(['/', '/products/p-1/']);
		expect(readSitemap(project.read('sitemap-index.xml'))['/sitemap-0.xml']).not.toBe(old);
	});

	test('leaves a sitemap without dates alone', async () => {
		const { project, build, review } = await createSite({ sitemap: { serialize: 'none' } });
		expect(await build()).toEqual({});
		review('p-1');
		const { printed } = await runPublish(project, ['p-1', '--json']);
		expect(JSON.parse(printed).files).toEqual(['index.html', 'products/p-1/index.html']);
	});

	test('that was interrupted after its pages is completed by the next one', async () => {
		const { project, build, review, file } = await createSite({});
		await build();
		review('p-2');
		const obstacle = file('sitemap-0.xml.product-reviews-tmp');
		mkdirSync(obstacle);
		expect((await runPublish(project, ['p-2'])).status).toBe(1);
		expect(readSitemap(project.read('sitemap-0.xml'))).toEqual({});
		rmSync(obstacle, { recursive: true });
		const { status, printed } = await runPublish(project, ['--json']);
		const pages = ['index.html', 'products/p-2/index.html'];
		expect([status, JSON.parse(printed).files]).toEqual([
			0,
			[...pages, 'sitemap-0.xml', 'sitemap-index.xml'],
		]);
		expect(Object.keys(readSitemap(project.read('sitemap-0.xml')))).toEqual(['/', '/products/p-2/']);
		expect(JSON.parse((await runPublish(project, ['p-2', '--json'])).printed).files).toEqual([]);
	});

	test.each([
		{ base: '/shop', trailingSlash: 'never', build: { format: 'file' } },
		{ trailingSlash: 'always' },
	])('finds every address: %j', async (config) => {
		const pids = ['ü & <b>', "it's", '50%', 'x?y', 'a#b', '日本', 'a;b=c', 'q"q'];
		const sitemap = { filenameBase: 'my-map', entryLimit: 3 };
		const { project, build, review } = await createSite({ pids, config, sitemap });
		await build();
		for (const pid of pids) review(pid);
		const { status } = await runPublish(project, ['--all']);
		expect(status).toBe(0);
		const maps = project.files().filter((name) => /^my-map-\d\.xml$/.test(name));
		const undated = maps.flatMap((name) => project.read(name).match(/<loc>[^<]*<\/loc>(?!<lastmod>)/g) ?? []);
		expect(undated).toEqual([expect.stringContaining('/about')]);
		expect(Object.keys(readSitemap(project.read('my-map-index.xml')))).toHaveLength(maps.length);
	});
});
