import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { editSitemap, locsOfFile, locsOfPage } from '../../../src/publish/edit-sitemap.js';

const TIME = Date.UTC(2026, 10, 22, 12);
const ISO = '2026-11-22T12:00:00.000Z';
const HEAD =
	'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';

const sitemap = (...entries: string[]) =>
	`${HEAD}${entries.map((entry) => `<url>${entry}</url>`).join('')}</urlset>`;
const loc = (address: string) => `<loc>${address}</loc>`;
const lastmod = (time: string) => `<lastmod>${time}</lastmod>`;
const edit = (text: string, mayInsert: boolean, ...locs: string[]) =>
	editSitemap(text, { times: new Map(locs.map((found) => [found, TIME])), mayInsert });

/** `lastmod` of each entry by its address, as a real parser reads them. */
function read(text: string): Record<string, string | undefined> {
	expect(XMLValidator.validate(text)).toBe(true);
	const parser = new XMLParser({ isArray: (name) => name === 'url' || name === 'sitemap' });
	const { urlset, sitemapindex } = parser.parse(text);
	const entries: { loc: string; lastmod?: string }[] = urlset?.url ?? sitemapindex?.sitemap;
	return Object.fromEntries(entries.map((entry) => [entry.loc, entry.lastmod]));
}

describe('an entry', () => {
	test('has its lastmod renewed, and nothing else changes', () => {
		const others = [`${loc('https://a/b/c/')}${lastmod('2020-01-01')}`, loc('https://a/bb/')];
		const rest =
			'<changefreq>daily</changefreq><image:image><image:loc>https://a/b/</image:loc></image:image>';
		const before = sitemap(`${loc('https://a/b/')}${lastmod('2020-01-01T00:00:00.000Z')}${rest}`, ...others);
		const { text, newest } = edit(before, false, 'https://a/b/');
		expect(text).toBe(sitemap(`${loc('https://a/b/')}${lastmod(ISO)}${rest}`, ...others));
		expect(newest).toBe(TIME);
	});

	test('without a lastmod gets one only if it may', () => {
		const before = sitemap(`${loc('https://a/')}<priority>0.5</priority>`);
		expect(edit(before, false, 'https://a/').text).toBe(before);
		expect(edit(before, true, 'https://a/').text).toBe(
			sitemap(`${loc('https://a/')}${lastmod(ISO)}<priority>0.5</priority>`),
		);
	});

	test('keeps its lastmod if that is later or no date, and then counts all the same', () => {
		for (const given of [ISO, '2026-11-23', 'soon']) {
			const before = sitemap(`${loc('https://a/')}${lastmod(given)}`);
			expect(edit(before, true, 'https://a/')).toEqual({ text: before, newest: TIME });
		}
	});

	test('may be on several lines, in any order, with letters outside ASCII beside it', () => {
		const entry = (time: string) => `\r\n\t<lastmod>\n${time}\n</lastmod>\n\t<loc> https://a/ </loc>\r\n<x>`;
		const more = '\u00c3\u00bc</x>';
		const { text } = edit(sitemap(entry('2020-01-01') + more), false, 'https://a/');
		expect(text).toBe(sitemap(entry(ISO) + more));
		expect(Buffer.from(text, 'latin1').toString()).toContain('ü');
	});
});

test.each([
	['comments', `${sitemap(loc('https://a/'))}<!-- -->`],
	['sections', sitemap('<loc><![CDATA[https://a/]]></loc>', loc('https://a/'))],
	['another kind of file', `<rss><url>${loc('https://a/')}</url></rss>`],
	['nothing', ''],
	['no end', `${HEAD}<url>${loc('https://a/')}`],
])('a file with %s is left alone', (_what, text) => {
	expect(edit(text, true, 'https://a/')).toEqual({ text, newest: undefined });
});

test('an index has entries as well', () => {
	const index = (time: string) =>
		`<sitemapindex><sitemap>${loc('https://a/s/sitemap-0.xml')}${time}</sitemap></sitemapindex>`;
	const locs = locsOfFile('sitemap-0.xml', 'https://a', '/s');
	const { text } = edit(index(lastmod('2020-01-01')), false, ...locs);
	expect(text).toBe(index(lastmod(ISO)));
	expect(read(text)).toEqual({ 'https://a/s/sitemap-0.xml': ISO });
});

test.each([
	['/', 'https://a/'],
	['/b/', 'https://a/b'],
	['/b', 'https://a/b/'],
	['/b.html', 'https://a/b'],
	['/b/index.html', 'https://a/b/'],
	['/ü & "b"/', 'https://a/%C3%BC%20&amp;%20%22b%22/'],
	['/50%/', 'https://a/50%25/'],
	['/50%/', 'https://a/50%/'],
	['/x%3Fy%23z/', 'https://a/x%3Fy%23z/'],
	['/\\/', 'https://a/%5C/'],
	['//b/', 'https://a//b/'],
])('the page %s is found at %s', (address, found) => {
	const { text } = edit(sitemap(loc(found)), true, ...locsOfPage(address, 'https://a'));
	expect(Object.values(read(text))).toEqual([ISO]);
});

test('50,000 entries take no time to speak of', () => {
	const text = sitemap(
		...Array.from({ length: 50_000 }, (_, index) => loc(`https://shop.example/products/p-${index}/`)),
	);
	const startedAt = performance.now();
	const { text: edited } = edit(text, true, ...locsOfPage('/products/p-777/', 'https://shop.example'));
	expect(performance.now() - startedAt).toBeLessThan(1_000);
	expect(edited.length - text.length).toBe(lastmod(ISO).length);
});
