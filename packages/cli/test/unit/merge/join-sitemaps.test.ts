import { describe, expect, test } from 'vitest';
import { joinIndexes, joinSitemaps } from '../../../src/merge/join-sitemaps.js';

const HEAD =
	'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const url = (path: string, more = '') => `<url><loc>https://shop.example/${path}</loc>${more}</url>`;
const dated = (path: string, day: number) => url(path, `<lastmod>2026-11-${day}T00:00:00.000Z</lastmod>`);
const sitemap = (...entries: string[]) => `${HEAD}${entries.join('')}</urlset>`;
const file = (index: number, ...entries: string[]) => ({
	name: `sitemap-${index}.xml`,
	text: sitemap(...entries),
});

describe('sitemaps', () => {
	test('have the entries of all shards, in the order of @astrojs/sitemap', () => {
		const shards = [
			[file(0, url(''), url('p-10/'), url('Zebra/'))],
			[file(0, url(''), url('p-9/'), url('ähre/'))],
		];
		expect(joinSitemaps('sitemap', shards)).toEqual([
			file(0, url(''), url('ähre/'), url('p-9/'), url('p-10/'), url('Zebra/')),
		]);
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
		const shards = [[file(0, dated('', 20))], [file(0, dated('', 22))], [file(0)], [file(0, url(''))]];
		expect(joinSitemaps('sitemap', shards)).toEqual([file(0, dated('', 22))]);
	});

	test.each([
		['two entries of one address', [file(0, url('', '<priority>1</priority>'))], [file(0, url(''))]],
		[
			'another root',
			[file(0, url(''))],
			[{ name: 'sitemap-0.xml', text: '<urlset><url><loc>x</loc></url></urlset>' }],
		],
		['another kind of file', [{ name: 'feed-0.xml', text: '<rss></rss>' }], [file(0, url(''))]],
		['something between entries', [file(0, url('a/'), '<!-- x -->', url('b/'))], [file(0, url('c/'))]],
		['an entry without an address', [file(0, '<url></url>')], [file(0, url(''))]],
	])('are left alone with %s', (_, one, other) => {
		expect(joinSitemaps('sitemap', [one, other])).toBeUndefined();
	});
});

describe('an index of sitemaps', () => {
	const index = (...entries: string[]) => `<sitemapindex>${entries.join('')}</sitemapindex>`;
	const entry = (name: string, more = '') =>
		`<sitemap><loc>https://shop.example/base/${name}</loc>${more}</sitemap>`;

	test('names every sitemap once, in its series', () => {
		const texts = [
			index(entry('own.xml'), entry('sitemap-0.xml'), entry('sitemap-blog-0.xml')),
			index(entry('own.xml'), entry('sitemap-0.xml'), entry('sitemap-1.xml')),
		];
		const sitemaps = [file(0, url('')), file(1, url('a/')), file(2, url('b/'))];
		expect(joinIndexes(texts, sitemaps)).toBe(
			index(
				entry('own.xml'),
				...[0, 1, 2].map((number) => entry(`sitemap-${number}.xml`)),
				entry('sitemap-blog-0.xml'),
			),
		);
	});

	test('has the latest date of each sitemap', () => {
		const date = (day: number) => `<lastmod>2026-11-${day}T00:00:00.000Z</lastmod>`;
		const texts = [index(entry('sitemap-0.xml', date(20))), index(entry('sitemap-0.xml', date(21)))];
		const sitemaps = [file(0, dated('a/', 20), dated('b/', 23)), file(1, dated('c/', 21), url('d/'))];
		expect(joinIndexes(texts, sitemaps)).toBe(
			index(entry('sitemap-0.xml', date(23)), entry('sitemap-1.xml', date(21))),
		);
	});

	test('is left alone if it is none', () => {
		expect(joinIndexes(['<urlset></urlset>'], [])).toBeUndefined();
	});
});
