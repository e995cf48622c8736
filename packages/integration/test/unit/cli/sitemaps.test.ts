import { describe, expect, test } from 'vitest';
import { joinIndexes, joinSitemaps } from '../../../src/cli/sitemaps.js';

const HEAD =
	'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const SHOP = 'https://shop.example';
const url = (path: string, more = '') => `<url><loc>${SHOP}/${path}</loc>${more}</url>`;
const date = (day: number) => `<lastmod>2026-11-${day}T00:00:00.000Z</lastmod>`;
const file = (index: number, ...entries: string[]) => ({
	name: `sitemap-${index}.xml`,
	text: `${HEAD}${entries.join('')}</urlset>`,
});

describe('sitemaps', () => {
	test('have the entries of all shards, in the order of @astrojs/sitemap', () => {
		const shards = [
			[file(0, url(''), url('p-10/'), url('Zebra/'))],
			[file(0, url(''), url('p-9/'), url('ähre/'))],
		];
		const all = ['', 'ähre/', 'p-9/', 'p-10/', 'Zebra/'].map((path) => url(path));
		expect(joinSitemaps('sitemap', shards)).toEqual([file(0, ...all)]);
	});

	test('have as many entries in a file as those of the shards', () => {
		const shards = [[file(1, url('c/')), file(0, url('a/'), url('b/'))], [file(0, url('d/'), url('e/'))]];
		expect(joinSitemaps('sitemap', shards)).toEqual([
			file(0, url('a/'), url('b/')),
			file(1, url('c/'), url('d/')),
			file(2, url('e/')),
		]);
	});

	test('have the later of two dates, and nothing of a shard without entries', () => {
		const all = [[url('', date(20))], [url('', date(22))], [], [url('')]];
		const shards = all.map((urls) => [file(0, ...urls)]);
		expect(joinSitemaps('sitemap', shards)).toEqual([file(0, url('', date(22)))]);
	});

	test.each([
		['two entries of one address', file(0, url('', '<priority>1</priority>'))],
		['another root', { name: 'sitemap-0.xml', text: '<urlset><url><loc>x</loc></url></urlset>' }],
		['another kind of file', { name: 'feed-0.xml', text: '<rss></rss>' }],
		['something between entries', file(0, url('a/'), '<!-- x -->', url('b/'))],
		['an entry without an address', file(0, '<url></url>')],
	])('are left alone with %s', (_, one) => {
		const shards = [[one], [file(0, url(''))]];
		for (const order of [shards, shards.toReversed()]) expect(joinSitemaps('sitemap', order)).toBeUndefined();
	});
});

describe('an index of sitemaps', () => {
	const index = (...entries: string[]) => `<sitemapindex>${entries.join('')}</sitemapindex>`;
	const entry = (name: string, more = '') => `<sitemap><loc>${SHOP}/base/${name}</loc>${more}</sitemap>`;

	test('names every sitemap once, in its series', () => {
		const texts = [
			index(entry('own.xml'), entry('sitemap-0.xml'), entry('sitemap-blog-0.xml')),
			index(entry('own.xml'), entry('sitemap-0.xml'), entry('sitemap-1.xml')),
		];
		const sitemaps = [file(0, url('')), file(1, url('a/')), file(2, url('b/'))];
		const names = ['own', 'sitemap-0', 'sitemap-1', 'sitemap-2', 'sitemap-blog-0'];
		expect(joinIndexes(texts, sitemaps)).toBe(index(...names.map((name) => entry(`${name}.xml`))));
	});

	test('has the latest date of each sitemap', () => {
		const texts = [20, 21].map((day) => index(entry('sitemap-0.xml', date(day))));
		const sitemaps = [
			file(0, url('a/', date(20)), url('b/', date(23))),
			file(1, url('c/', date(21)), url('d/')),
		];
		const joined = index(entry('sitemap-0.xml', date(23)), entry('sitemap-1.xml', date(21)));
		expect(joinIndexes(texts, sitemaps)).toBe(joined);
	});

	test('is left alone if it is none', () => {
		expect(joinIndexes(['<urlset></urlset>'], [])).toBeUndefined();
	});
});
