import { chmodSync, chownSync, globSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(2);
const DEPLOY = 12_345;
const WWW = 23_456;

test('updates, and builds into a folder that is not emptied, keep the owner, group and mode of every kind of file', async ({
	skip,
}) => {
	if (process.getuid?.() !== 0) return skip('Files can only be given to others by root on Linux.');
	const feeds = { markdown: true, ratings: true, productRatings: { publisher: 'Fjell & Form' } };
	const { project, service } = await startShop('feeds-store', PIDS, {
		environment: TOKEN,
		options: { feeds, revalidate: 'always' },
		config: { outDir: 'dist', vite: { build: { emptyOutDir: false } } },
		atEnd: onTestFinished,
	});
	await project.build();
	const dist = join(project.root, 'dist');
	const [site, page] = ['https://shop.example', 'products/p-1/index.html'];
	writeFileSync(
		join(dist, 'sitemap-0.xml'),
		`<urlset><url><loc>${site}/products/p-1/</loc><lastmod>2026-01-01T00:00:00Z</lastmod></url></urlset>`,
	);
	writeFileSync(
		join(dist, 'sitemap-index.xml'),
		`<sitemapindex><sitemap><loc>${site}/sitemap-0.xml</loc><lastmod>2026-01-01T00:00:00Z</lastmod></sitemap></sitemapindex>`,
	);
	const kinds = [
		page,
		'products/p-1/reviews.md',
		'product-ratings.json',
		'product-ratings.xml',
		'sitemap-0.xml',
		'sitemap-index.xml',
	];
	for (const name of kinds) writeFileSync(join(dist, `${name}.gz`), gzipSync(project.read(name)));
	const all = globSync('**/*', { cwd: dist }).filter((name) => statSync(join(dist, name)).isFile());
	for (const name of all) {
		chownSync(join(dist, name), DEPLOY, WWW);
		chmodSync(join(dist, name), 0o640);
	}
	const others = () =>
		all.filter((name) => {
			const { uid, gid, mode } = statSync(join(dist, name));
			return uid !== DEPLOY || gid !== WWW || (mode & 0o777) !== 0o640;
		});
	const inodes = () => new Map(all.map((name) => [name, statSync(join(dist, name)).ino]));
	const before = inodes();
	publish(service, 'p-1', 'New.');
	const args = ['update', '--feeds', '--json', 'p-1'];
	const { status, printed, errors } = await project.command(args);
	expect(status, errors).toBe(0);
	const replaced = kinds.flatMap((name) => [name, `${name}.gz`]);
	expect(JSON.parse(printed).files.toSorted()).toEqual(replaced.toSorted());
	const after = inodes();
	expect(all.filter((name) => before.get(name) !== after.get(name)).toSorted()).toEqual(replaced.toSorted());
	expect(others()).toEqual([]);
	// Astro itself keeps them for its pages, but not for all of its files.
	await project.build();
	expect(others().filter((name) => kinds.includes(name))).toEqual([]);
});
