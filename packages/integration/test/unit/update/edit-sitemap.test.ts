import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { expect, test, vi } from 'vitest';
import { editSitemap, locsOfFile, locsOfPage } from '../../../src/update/sitemaps.js';

const TIME = Date.UTC(2026, 10, 22, 12);
const ISO = '2026-11-22T12:00:00.000Z';
const HEAD =
	'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';

const sitemap = (...entries: string[]) =>
	`${HEAD}${entries.map((entry) => `<url>${entry}</url>`).join('')}</urlset>`;
const loc = (address: string) => `<loc>${address}</loc>`;
const lastmod = (time: string) => `<lastmod>${time}</lastmod>`;
const edit = (text: string, mayInsert: boolean, ...locs: string[]) =>
	editSitemap(text, new Map(locs.map((found) => [found, TIME])), mayInsert);

/** `lastmod` of each entry by its address, as a real parser reads them. */
function read(text: string): Record<string, string | undefined> {
	expect(XMLValidator.validate(text)).toBe(true);
	const parser = new XMLParser({ isArray: (name) => name === 'url' || name === 'sitemap' });
	const { urlset, sitemapindex } = parser.parse(text);
	const entries: { loc: string; lastmod?: string }[] = urlset?.url ?? sitemapindex?.sitemap;
	return Object.fromEntries(entries.map((entry) => [entry.loc, entry.lastmod]));
}

const A = loc('https://a/');
const OLD = lastmod('2020-01-01T00:00:00.000Z');
const MORE = '<changefreq>daily</changefreq><image:image><image:loc>https://a/</image:loc></image:image>';
/** On several lines, in any order, with letters outside ASCII beside it. */
const lines = (time: string) =>
	`\r\n\t<lastmod>\n${time}\n</lastmod>\n\t<loc> https://a/ </loc>\r\n<x>\u00c3\u00bc</x>`;

test.each<[string, boolean, string, string]>([
	['has its lastmod renewed', false, A + OLD + MORE, A + lastmod(ISO) + MORE],
	['without a lastmod gets one if it may', true, A + MORE, A + lastmod(ISO) + MORE],
	['without a lastmod gets none otherwise', false, A + MORE, A + MORE],
	['keeps a lastmod that is the same', true, A + lastmod(ISO), A + lastmod(ISO)],
	['keeps a lastmod that is later', true, A + lastmod('2026-11-23'), A + lastmod('2026-11-23')],
	['keeps a lastmod that is no date', true, A + lastmod('soon'), A + lastmod('soon')],
	['may be on several lines', false, lines('2020-01-01'), lines(ISO)],
])('an entry %s, and nothing else changes', (_what, mayInsert, entry, expected) => {
	const others = [`${loc('https://a/b/')}${lastmod('2020-01-01')}`, loc('https://aa/')];
	expect(edit(sitemap(...others, entry, ...others), mayInsert, 'https://a/')).toEqual({
		text: sitemap(...others, expected, ...others),
		newest: TIME,
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

test('of 50,000 entries each is looked up once', () => {
	const text = sitemap(
		...Array.from({ length: 50_000 }, (_, index) => loc(`https://shop.example/products/p-${index}/`)),
	);
	const locs = locsOfPage('/products/p-777/', 'https://shop.example');
	const times = new Map(locs.map((found) => [found, TIME]));
	const get = vi.spyOn(times, 'get');
	const { text: edited } = editSitemap(text, times, true);
	expect(get).toHaveBeenCalledTimes(50_000);
	expect(edited.length - text.length).toBe(lastmod(ISO).length);
});
