import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { listen } from 'product-reviews-test-support/listen';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AstroRun } from '../support/build/project.js';
import { productIds, publish, startShop } from '../support/build/service.js';

const PIDS = productIds(3);

/** `lastmod` of each entry that has one, by the path of its address, as a real parser reads them. */
function readSitemap(text: string): Record<string, string> {
	expect(XMLValidator.validate(text)).toBe(true);
	const { urlset, sitemapindex } = new XMLParser({
		isArray: (name) => name === 'url' || name === 'sitemap',
	}).parse(text);
	const entries: { loc: string; lastmod?: string }[] = urlset?.url ?? sitemapindex?.sitemap;
	return Object.fromEntries(
		entries
			.filter(({ lastmod }) => lastmod !== undefined)
			.map(({ loc, lastmod = '' }) => [decodeURI(new URL(loc).pathname), lastmod]),
	);
}

/** @param config has options of the sitemap as well, and whether its entries are dated. */
async function createSite(config: AstroRun['config'] = {}, pids = PIDS) {
	const setup = { config, options: { revalidate: 'always' }, atEnd: onTestFinished };
	const { project, service } = await startShop('sitemap-store', pids, setup);
	const build = async (environment: Record<string, string> = {}) => {
		await project.build({ environment });
		const [name = ''] = project.files().filter((path) => path.endsWith('-0.xml'));
		return readSitemap(project.read(name));
	};
	const review = (pid: string) => publish(service, pid, 'New text', { author: 'Ün' });
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

test('a build dates the pages whose reviews changed, and no other', async () => {
	const { project, build, review } = await createSite({
		experimental: { incrementalBuild: true },
		sitemap: { isFirst: true },
	});
	expect(await build()).toEqual({});
	review('p-2');
	const { result: times, isWithin } = await during(build);
	expect(Object.keys(times)).toEqual(['/', '/products/p-2/']);
	expect(Object.values(times).every(isWithin)).toBe(true);
	// Other html of the same reviews, and pages from the cache.
	expect(await build({ FIXTURE_PRICE: '6' })).toEqual(times);
	const latest = Object.values(times).toSorted().at(-1);
	expect(readSitemap(project.read('sitemap-index.xml'))).toEqual({ '/sitemap-0.xml': latest });
});

describe('an update', () => {
	test('dates exactly the pages that it changed, as a build after it does', async () => {
		const { project, build, review, file } = await createSite();
		await build();
		for (const end of ['.gz', '.br']) writeFileSync(file(`sitemap-0.xml${end}`), 'old');
		chmodSync(file('sitemap-0.xml'), 0o640);
		review('p-2');
		const sitemaps = ['sitemap-0.xml', 'sitemap-0.xml.gz', 'sitemap-0.xml.br', 'sitemap-index.xml'];
		const files = ['index.html', 'products/p-2/index.html', ...sitemaps];
		const dry = await project.updateHere(['p-2', '--dry-run']);
		expect(dry.files).toEqual(files);
		expect(readSitemap(project.read('sitemap-0.xml'))).toEqual({});
		const { result, isWithin } = await during(() => project.updateHere(['p-2', 'p-3']));
		expect(result).toMatchObject({
			files,
			rebuild: [],
			unchanged: ['p-3'],
			notShown: [],
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

	test('that was interrupted after its pages is completed by the next one', async () => {
		const { project, build, review, file } = await createSite();
		await build();
		review('p-2');
		const obstacle = file('sitemap-0.xml.product-reviews-tmp');
		mkdirSync(obstacle);
		expect((await project.update(['p-2'])).status).toBe(1);
		expect(readSitemap(project.read('sitemap-0.xml'))).toEqual({});
		rmSync(obstacle, { recursive: true });
		const pages = ['index.html', 'products/p-2/index.html'];
		const completed = { status: 0, files: [...pages, 'sitemap-0.xml', 'sitemap-index.xml'] };
		expect(await project.updateHere([])).toMatchObject(completed);
		expect(Object.keys(readSitemap(project.read('sitemap-0.xml')))).toEqual(['/', '/products/p-2/']);
		expect((await project.updateHere(['p-2'])).files).toEqual([]);
	});
});

const ROOT = join(import.meta.dirname, '../../../..');
/** The command of the documentation that uploads what changed, and then tells IndexNow. */
const [, INDEX_NOW = ''] =
	/update --then '([^']+)'/.exec(readFileSync(join(ROOT, 'docs/src/content/docs/seo/feeds.md'), 'utf8')) ??
	[];

test('the script of the documentation tells IndexNow the pages that an update changed, once they are uploaded; its failures are no others', async () => {
	const requests: unknown[] = [];
	let status = 200;
	const indexNow = await listen(
		createServer(async (request, response) => {
			requests.push(await json(request));
			response.writeHead(status).end();
		}),
	);
	onTestFinished(indexNow.close);
	const { project, build, review, file } = await createSite({}, ['p-1', 'ü b']);
	await build();
	for (const end of ['.gz', '.br']) writeFileSync(file(`index.html${end}`), 'old');
	const inProject = (name: string) => join(project.root, name);
	copyFileSync(join(ROOT, 'examples/sitemap/index-now.mjs'), inProject('index-now.mjs'));
	// Sends what goes to IndexNow to this test.
	const here = `const { fetch } = globalThis;
		globalThis.fetch = (url, init) => fetch(url === 'https://api.indexnow.org/indexnow' ? '${indexNow.url}' : url, init);`;
	writeFileSync(inProject('here.mjs'), here);
	const upload = (script: string) =>
		writeFileSync(inProject('upload.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	/** Publishes a new review, and runs the command. @returns what it did, and what IndexNow was told */
	const update = async (pid: string) => {
		requests.length = 0;
		review(pid);
		const environment = { NODE_OPTIONS: `--import=${pathToFileURL(inProject('here.mjs')).href}` };
		const updated = await project.updateJson([pid, '--then', INDEX_NOW], environment);
		return { ...updated, told: [...requests] };
	};

	upload('cat >uploaded.txt; exit 3');
	expect(await update('ü b')).toMatchObject({ status: 1, told: [] });
	upload('cat >uploaded.txt');
	// With the page that the failed upload did not bring.
	const { status: code, files, told, errors } = await update('p-1');
	expect(code, errors).toBe(0);
	const uploaded = [...files, 'products/ü b/index.html'].toSorted();
	expect(readFileSync(inProject('uploaded.txt'), 'utf8').trim().split('\n')).toEqual(uploaded);
	const key = '6f1d0c3a9b7e4d52';
	const keyLocation = `https://shop.example/${key}.txt`;
	const urlList = ['', 'products/p-1/', 'products/%C3%BC%20b/'].map((path) => `https://shop.example/${path}`);
	expect(told).toEqual([{ host: 'shop.example', key, keyLocation, urlList }]);
	status = 403;
	const refused = await update('p-1');
	expect([refused.status, refused.errors]).toEqual([
		0,
		expect.stringContaining('IndexNow answered 403 for 2 URLs.'),
	]);
});
