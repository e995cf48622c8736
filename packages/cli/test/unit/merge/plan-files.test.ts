import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { planFiles } from '../../../src/merge/plan-files.js';

type Files = Readonly<Record<string, string>>;

/** Plans the site of shards with these files. */
async function plan(...shards: readonly Files[]) {
	const root = createFolder('shards');
	const folders = shards.map((files, index) => {
		const outDir = join(root, `${index + 1}`);
		for (const [name, text] of Object.entries(files)) {
			mkdirSync(dirname(join(outDir, name)), { recursive: true });
			writeFileSync(join(outDir, name), text);
		}
		return { name: `shard ${index + 1}`, outDir };
	});
	const { copied, joined } = await planFiles(folders, () => {});
	const copies = [...copied].map(([name, path]) => [name, path.slice(root.length + 1)]);
	return { copied: Object.fromEntries(copies), joined };
}

const listOf = (tag: string, names: readonly string[]) =>
	names.map((name) => `<${tag}><loc>https://shop.example/${name}</loc></${tag}>`).join('');
const urls = (...pages: string[]) => `<urlset>${listOf('url', pages)}</urlset>`;
const index = (...names: string[]) => `<sitemapindex>${listOf('sitemap', names)}</sitemapindex>`;

describe('the files of a site', () => {
	test('are those of all shards, each from the first that has it', async () => {
		const big = 'x'.repeat(600_000);
		const shards = [{ 'a.html': 'a', 'b/c.bin': big }, { 'b/c.bin': big, 'd.html': '' }, { 'd.html': '' }];
		expect(await plan(...shards)).toEqual({
			copied: { 'a.html': '1/a.html', 'b/c.bin': '1/b/c.bin', 'd.html': '2/d.html' },
			joined: [],
		});
	});

	test.each<[string, Files, Files]>([
		['of another length', { 'a.css': 'one' }, { 'a.css': 'three' }],
		[
			'that differs at its end',
			{ 'a.css': `${'x'.repeat(600_000)}1` },
			{ 'a.css': `${'x'.repeat(600_000)}2` },
		],
		['that is no sitemap', { 'feed-0.xml': '<rss>1</rss>' }, { 'feed-0.xml': '<rss>2</rss>' }],
	])('may not have one %s', async (_, one, other) => {
		const [name] = Object.keys(one);
		await expect(plan(one, other)).rejects.toMatchObject({
			code: 'PR_SHARDS_DIFFER',
			message: `1 file of several shards is not the same in all of them:\n${name}: shard 1, shard 2`,
		});
	});

	test('are named if they differ, up to twenty', async () => {
		const files = (text: string) =>
			Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`${at}.html`, text]));
		const { message } = await plan(files('one'), files('two')).catch((error) => error);
		expect(message.split('\n')).toHaveLength(22);
		expect(message).toContain('25 files of several shards are not the same');
		expect(message.split('\n').at(-1)).toBe('and 5 more');
	});
});

describe('sitemaps', () => {
	test('are joined, and so is their index', async () => {
		const shards: Files[] = [
			{ 'base/map-0.xml': urls('a/'), 'base/map-index.xml': index('base/map-0.xml') },
			{ 'base/map-0.xml': urls('b/'), 'base/map-index.xml': index('base/map-0.xml') },
			{ 'base/map-index.xml': index() },
		];
		expect(await plan(...shards)).toEqual({
			copied: {},
			joined: [
				{ name: 'base/map-0.xml', text: urls('a/', 'b/') },
				{ name: 'base/map-index.xml', text: index('base/map-0.xml') },
			],
		});
	});

	test('that are the same in all shards are copied as they are', async () => {
		const files = { 'map-0.xml': urls('b/', 'a/'), 'map-index.xml': index('map-0.xml') };
		expect(await plan(files, files)).toEqual({
			copied: { 'map-0.xml': '1/map-0.xml', 'map-index.xml': '1/map-index.xml' },
			joined: [],
		});
	});
});
