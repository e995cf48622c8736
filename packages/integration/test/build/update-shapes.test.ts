import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { expect, onTestFinished, test } from 'vitest';
import { expectSame } from '../support/build/project.js';
import { productIds, publish, removeReviews, startShop, TOKEN } from '../support/build/service.js';

const PIDS = [...productIds(5), 'größe 6'];
const [KEEPS, GAINS, LOSES, RATED, ASKED, ODD] = PIDS as [string, string, string, string, string, string];

const CRLF = (text: string) => text.replaceAll('\n', '\r\n');
const SOURCES = ['index.astro', 'sections/[slug].astro'].map((path) => join('src/pages', path));

/** Letters of one to four bytes, and what marks, comments, scripts and replacements are made of. */
const HOSTILE = 'Ünïçødé 😀 漢字 <!-- --> </script> $& $1 &amp; "quoted" \u2028';

/** What a service edits between builds, in two steps. */
const EDITS = [
	(service: Sandbox) => {
		const { store } = service;
		const more = {
			tags: ['größe'],
			topics: [{ key: 'Fit', sentiment: 'positive' as const }],
			verified: true,
		};
		store.createReview(KEEPS, { rating: 1, author: 'Zoë', title: HOSTILE, body: HOSTILE, ...more });
		store.createReview(GAINS, { rating: 4.5, author: 'First', body: 'The first one' });
		removeReviews(service, LOSES);
		const [rated] = store.listReviews({ pid: RATED });
		store.editReview(rated?.id ?? '', { rating: 1, images: ['/a.jpg'] });
		store.addQuestion(ASKED, { question: 'Wie groß?', answer: 'So 😀', author: 'Uwe' });
	},
	(service: Sandbox) => {
		const { store } = service;
		removeReviews(service, GAINS);
		store.createReview(LOSES, { rating: 5, author: 'Again', body: 'x'.repeat(20_000) });
		const [kept] = store.listReviews({ pid: KEEPS });
		store.editReview(kept?.id ?? '', { body: 'Kürzer', title: '' });
		store.createReview(ODD, { rating: 2, author: HOSTILE, body: '\u0000\uFFFD' });
	},
];

/** Of a product with a map, dates, numbers of a database and an instance. */
const GOODS =
	'"offers":[{"price":"12.50","priceCurrency":"EUR","availability":"https://schema.org/InStock","priceValidUntil":"2026-12-31"}]';

const SHAPES = {
	'as files': {
		config: {
			...{ build: { format: 'file' }, trailingSlash: 'never', compressHTML: false },
			// Pages of a locale without a translation are those of another, rewritten.
			i18n: {
				...{ locales: ['en', 'de', 'fr'], defaultLocale: 'en', fallback: { fr: 'en' } },
				routing: { fallbackType: 'rewrite' },
			},
			security: { csp: true },
		},
		options: { display: 'details' },
	},
	'in folders with a base, beside a server': {
		config: {
			output: 'server',
			adapter: true,
			base: '/läden/eins/',
			trailingSlash: 'always',
			compressHTML: true,
		},
		options: {},
	},
	'as its sources are, and built again by increments': {
		config: { build: { format: 'preserve' }, experimental: { incrementalBuild: true } },
		options: { authorNames: 'initials' },
	},
};

test.each(Object.entries(SHAPES))('a site %s is after updates as if it were built anew', async (_, shape) => {
	const options = { feeds: { markdown: true, ratings: true }, ...shape.options };
	const setup = { ...shape, options, environment: TOKEN, atEnd: onTestFinished };
	const { project: site, service } = await startShop('updated-store', PIDS, setup);
	// Three of the products have the same stars; one has none.
	removeReviews(service, GAINS);
	for (const source of SOURCES) site.change(source, CRLF);
	const isIncremental = 'experimental' in shape.config;
	await site.build();
	const goods = [...site.contents()].find(([name]) => name.includes(`goods/${KEEPS}`))?.[1].toString() ?? '';
	expect(goods).toContain(GOODS);
	expect(goods).toMatch(/"@id":"https:[^"]*\/goods\/p-1\/?"/);
	expect(goods).toMatch(/"image":"https:\/\/[^"]*\/_astro\/kettle\.[^"]*\.png"/);

	for (const [index, edit] of EDITS.entries()) {
		const before = site.contents();
		edit(service);
		const { status, errors, rebuild, failed, files } = await site.updateHere(PIDS);
		expect({ status, rebuild, failed }, errors).toEqual({ status: 0, rebuild: [], failed: [] });
		const after = site.contents();
		const changed = [...after.keys()].filter((name) => !before.get(name)?.equals(after.get(name) as Buffer));
		expect(files).toEqual(changed.sort());
		expect(changed.length).toBeGreaterThan(8);
		if (!isIncremental || index > 0) continue;
		await site.build();
		expectSame(site.contents(), after);
	}
	const updated = site.contents();
	expect((await site.updateHere(PIDS)).unchanged).toEqual(PIDS);
	expectSame(site.contents(), updated);
	expectSame(updated, await site.buildAnew());
});

test('a site without a token, too: stars come from the reviews', async () => {
	const { project: site, service } = await startShop('incremental-store', PIDS, { atEnd: onTestFinished });
	await site.build();
	for (const pid of ['p-1', 'p-3']) publish(service, pid, 'News');
	removeReviews(service, 'p-4');
	const { status, errors } = await site.updateHere(PIDS);
	expect(status, errors).toBe(0);
	expectSame(site.contents(), await site.buildAnew());
});
