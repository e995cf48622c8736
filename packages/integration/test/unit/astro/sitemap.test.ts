import type sitemap from '@astrojs/sitemap';
import type { SitemapItem } from '@astrojs/sitemap';
import { expect, onTestFinished, test } from 'vitest';
import { reviewsLastModified } from '../../../src/astro/sitemap.js';
import { startPageChanges } from '../../../src/pages/build-pages.js';

const TIME = Date.UTC(2026, 10, 22);
const ISO = '2026-11-22T00:00:00.000Z';
// The import makes builds note the times, if the site has an address.
const started = startPageChanges('https://shop.example', () => TIME) ?? expect.fail();

const note = (address: string) => {
	started.note({ address, changedAt: TIME });
	onTestFinished(() => started.note({ address, changedAt: undefined }));
};

test('is a function for the option of the sitemap, or for a call in one; a site without an address notes no times', () => {
	expect(startPageChanges(undefined, Date.now)).toBeUndefined();
	const options: Parameters<typeof sitemap>[0][] = [
		{ serialize: reviewsLastModified },
		{ serialize: (item) => reviewsLastModified({ ...item, priority: 1 }) },
	];
	note('/');
	const item: SitemapItem = { url: 'https://shop.example/' };
	expect(options.map((option) => option?.serialize?.(item))).toEqual([
		{ url: item.url, lastmod: ISO },
		{ url: item.url, lastmod: ISO, priority: 1 },
	]);
	expect(item).toEqual({ url: 'https://shop.example/' });
});

test.each<[string, string, string | undefined, string?]>([
	['/', 'https://shop.example/', ISO, '2026-11-21'],
	['/', 'https://shop.example/', '2026-11-23', '2026-11-23'],
	['/', 'https://shop.example/', ISO, 'no date'],
	['/a/', 'https://shop.example/a', ISO],
	['/a.html', 'https://shop.example/a', ISO],
	['/a/index.html', 'https://shop.example/a/', ISO],
	['/ü b%3F/', 'https://shop.example/%C3%BC%20b%3F/', ISO],
	['/50%/', 'https://shop.example/50%/', ISO],
	['/50%/', 'https://shop.example/50%25/', ISO],
	['/a/', 'https://shop.example/b/', undefined],
	['/a/', 'https://shop.example/a/?x=1', undefined],
	['/a/', 'https://other.example/a/', undefined],
])('with a change of %s, the lastmod of %s is %s, or a later one: %s', (address, url, expected, lastmod) => {
	note(address);
	const item = { url, ...(lastmod !== undefined && { lastmod }) };
	expect(reviewsLastModified(item)).toEqual({ url, ...(expected !== undefined && { lastmod: expected }) });
});
