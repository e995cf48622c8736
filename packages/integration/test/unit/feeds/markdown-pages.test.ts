import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { digestOf } from '../../../src/base/digest.js';
import { addressOfFile, markdownFile } from '../../../src/base/paths.js';
import type { Dependency, StoredPage } from '../../../src/cache/page-store.js';
import { writeMarkdownPages } from '../../../src/feeds/write-feeds.js';
import { createRuntime } from '../../../src/pages/index.js';
import { digestOfFragment } from '../../../src/pages/page-row.js';
import type { ReviewSource } from '../../../src/pages/page-source.js';
import type { ProductReviews, ReviewData } from '../../../src/records/record.js';
import { writeFragment } from '../../../src/render/write-fragment.js';
import { applyEdits, editFragment, textOf } from '../../../src/update/page-edit.js';
import { STRINGS, usually } from '../../support/corpora.js';
import { CHARACTERS, FRAGMENTS } from '../../support/unit/fuzz.js';
import { displayed, record } from '../../support/unit/record.js';
import { reviewData } from '../../support/unit/review-data.js';

type Data = ProductReviews | ReviewData;

test.each([
	['{page}/reviews.md', '', 'reviews.md', '/shop/reviews.md'],
	['{page}/reviews.md', 'products/kettle', 'products/kettle/reviews.md', '/shop/products/kettle/reviews.md'],
	['{page}/reviews.md', 'größe %3F', 'größe ?/reviews.md', '/shop/gr%C3%B6%C3%9Fe%20%3F/reviews.md'],
	['{page}/reviews.md', 'a%2F..%2Fb', 'a%2F..%2Fb/reviews.md', '/shop/a%252F..%252Fb/reviews.md'],
	['{page}.md', '', 'index.md', '/shop/index.md'],
	['{page}.md', 'products/kettle', 'products/kettle.md', '/shop/products/kettle.md'],
	['md/{page}/{page}.md', '', 'md/index.md', '/shop/md/index.md'],
	['md/{page}.md', '/$&', 'md/$&.md', '/shop/md/%24%26.md'],
	// Neither of them alone leaves the folder.
	['.{page}.md', '.%2Fx', '..%2Fx.md', '/shop/..%252Fx.md'],
])('with %j, the reviews of the page %j are in %j, at %j', (pattern, page, file, address) => {
	expect(markdownFile(pattern, page)).toBe(file);
	expect(addressOfFile(file, '/shop/')).toBe(address);
});

test('<ReviewSchema> alone says where the page has them, if the site writes such files and the page is known', async () => {
	const source: ReviewSource = {
		getProductReviews: async () => undefined,
		getReviewData: async () => undefined,
		getStarRating: async () => undefined,
		digestOf: async () => '',
		place: () => {},
	};
	const settings = { version: '0', account: 'markdown', display: 'visible', labels: {}, base: '/a' } as const;
	const write = (component: string, markdown: string | undefined, path: string | undefined) =>
		createRuntime({ ...settings, markdown }, { createLiveSource: () => source }).fragmentHtml(
			component,
			{ pid: 'p-1' },
			path === undefined ? {} : { url: new URL(path, 'https://shop.example') },
		);
	expect(await write('ReviewSchema', 'x&y/{page}.md', '/a/b"c/')).toMatch(
		/^<link rel="alternate" type="text\/markdown" href="\/a\/x%26y\/b%22c\.md"><!--data-pr=/,
	);
	for (const html of [
		write('StarRating', '{page}.md', '/a/b/'),
		write('ReviewSchema', undefined, '/a/b/'),
		write('ReviewSchema', '{page}.md', undefined),
	])
		expect(await html).toMatch(/^<!--/);
});

const SETTINGS = { display: 'visible', labels: {}, authorNames: 'initials' } as const;

const fragmentOf =
	(data: Readonly<Record<string, Data | undefined>>) =>
	async ({ pid, from, request }: Dependency) => {
		if (!request) throw new TypeError('It has a fragment.');
		const read = data[`${pid} ${from}`];
		const fragment = writeFragment(pid, read, request, SETTINGS);
		return {
			...fragment,
			version: digestOf(JSON.stringify(read ?? null)),
			digest: digestOfFragment(fragment),
		};
	};

/** Writes the files of pages into a folder of their own. @returns what is read of them, and their rows */
async function write(
	pattern: string,
	pages: Readonly<Record<string, StoredPage>>,
	data: Readonly<Record<string, Data | undefined>>,
) {
	const folder = createFolder();
	const rows = new Map(Object.entries(pages));
	const names: string[] = [];
	for await (const [name] of writeMarkdownPages(pattern, {
		pages: {
			get: (name) => {
				const row = rows.get(name);
				return row && { row, next: undefined };
			},
			put: (name, page) => void rows.set(name, page),
		},
		names: Object.keys(pages),
		...{ folder, base: '/', site: 'https://shop.example', data: { fragmentOf: fragmentOf(data) } },
	}))
		names.push(name);
	return { names, rows, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

const request = (component: string, props = {}) => ({ component, props, language: 'de' });
const PAGE: StoredPage = {
	address: '/produkte/größe/',
	dependencies: [
		{ pid: 'p-1', from: 'reviews', request: request('ReviewSchema', { product: { name: 'Kessel*' } }) },
		{ pid: 'p-1', from: 'review-data', request: request('ReviewSection') },
		{ pid: 'p-2', from: 'reviews', request: request('ProductReviews') },
		{ pid: 'p-3', from: 'rating', request: request('StarRating') },
		{ pid: 'p-4', from: 'review-data' },
	],
	facts: [
		{
			...{ pid: 'p-4', component: 'ReviewList', display: 'visible' },
			...{ count: 1, shown: 1, isAll: true, sort: 'as-sent' },
		},
	],
};
const DATA = {
	'p-1 review-data': reviewData({ reviews: [] }),
	'p-2 reviews': record({
		reviews: [displayed({ author: 'Ada Lovelace' }), displayed({ author: undefined })],
	}),
};

test('a file has what the page shows: its products once, their names as the page gives them, authors in their form', async () => {
	const stars: StoredPage = { address: '/stars/', dependencies: PAGE.dependencies.slice(3, 4), facts: [] };
	const { names, rows, read } = await write('{page}.md', { 'produkte/größe': PAGE, stars }, DATA);
	expect(names).toEqual(['/produkte/größe.md']);
	const text = read('produkte/größe.md');
	expect(text.match(/^# .*/gm)).toEqual([
		'# Customer reviews of Kessel\\*',
		'# Customer reviews of Kettle',
		'# Customer reviews',
	]);
	expect(text).toContain('<https://shop.example/produkte/gr%C3%B6%C3%9Fe/>\n\nRating: 4.26 of 5');
	expect(text.match(/^> .*2026-11-20/gm)).toEqual(['> A. L., 2026-11-20', '> Anonym, 2026-11-20']);
	expect(text.match(/text written by a customer/g)).toHaveLength(1);
	// Each product stands between two lines, by which an update finds it.
	expect(text.match(/^<!--.*$/gm)).toEqual(
		['p-1', 'p-2', 'p-4'].flatMap((pid) => [
			expect.stringMatching(new RegExp(`^<!--data-pr="${pid} [0-9a-z]{8}"-->$`)),
			'<!--/data-pr-->',
		]),
	);
	expect(rows.get('/produkte/größe.md')).toMatchObject({
		...{ address: '/produkte/größe.md', file: 'produkte/größe.md', facts: [] },
		dependencies: [
			{ pid: 'p-1', from: 'review-data', request: { component: 'Markdown', props: { name: 'Kessel*' } } },
			{ pid: 'p-2', from: 'reviews', held: [expect.any(String)], version: expect.any(String) },
			{ pid: 'p-4', from: 'review-data' },
		],
	});
});

test('two pages of one name have one file, with the products of both', async () => {
	const other = { ...PAGE, address: '/produkte/größe.html', dependencies: PAGE.dependencies.slice(2, 3) };
	const one = { ...PAGE, dependencies: PAGE.dependencies.slice(0, 2), facts: [] };
	const { names, rows, read } = await write('{page}/reviews.md', { '/one': one, '/other': other }, DATA);
	const file = 'produkte/größe/reviews.md';
	expect(new Set(names)).toEqual(new Set([`/${file}`]));
	expect(read(file).match(/^<!--data-pr="\S+/gm)).toEqual(
		['p-1', 'p-2', 'p-4'].map((pid) => `<!--data-pr="${pid}`),
	);
	expect(rows.get(`/${file}`)?.dependencies.map(({ pid }) => pid)).toEqual(['p-1', 'p-2', 'p-4']);
});

const MARKERS = ['<!--/data-pr-->', '\n<!--/data-pr-->\n', '-->', ''];
const TEXTS = [...usually(STRINGS, 100), ...usually([...FRAGMENTS, ...CHARACTERS], 50), ...MARKERS];

test('no text of a stranger keeps a product from being found, or ends it early: replaced, the file is as if written anew', async () => {
	const pages = { 'produkte/größe': PAGE };
	const file = 'produkte/größe.md';
	const forged = (await write('{page}.md', pages, DATA)).read(file).match(/^<!--.*$/gm) ?? [];
	expect(forged).toHaveLength(6);
	for (const text of [...TEXTS, ...forged, ...forged.map((one) => one.slice(4, -3)), forged.join('\n')]) {
		const review = displayed({ author: text, title: text, body: `${text}\n${text}` });
		const hostile = {
			'p-1 review-data': reviewData({ reviews: [review] as never }),
			'p-2 reviews': record({ reviews: [{ ...review, productName: text }] }),
			'p-4 review-data': reviewData({ reviews: [review] as never }),
		};
		const states = [hostile, { ...hostile, 'p-1 review-data': undefined }];
		const written = await Promise.all(
			states.map(async (data) => {
				const { rows, read } = await write('{page}.md', pages, data);
				const [shown] = rows.get(`/${file}`)?.dependencies ?? [];
				if (!shown?.request) return expect.unreachable('The page shows it.');
				const { pid, request, held = [] } = shown;
				return { pid, request, held, fragment: await fragmentOf(data)(shown), text: read(file) };
			}),
		);
		// The product loses its last review, or gets its first one.
		for (const [before, after] of [written, written.toReversed()]) {
			if (!before || !after) return expect.unreachable('There are two states.');
			const contents = textOf(Buffer.from(before.text));
			const current = { ...before, times: 1, fragment: after.fragment };
			const edits = editFragment(contents, current);
			if (typeof edits === 'string') return expect.unreachable(`${edits}: ${text}`);
			expect(edits, text).toHaveLength(1);
			expect(applyEdits(contents, edits).toString(), text).toBe(after.text);
			// What somebody else changed is left.
			const changed = contents.replace('Rating:', 'rating:').replace('No reviews', 'no reviews');
			expect(editFragment(changed, current)).toBe('changed');
			const [first = ''] = contents.match(/<!--data-pr="p-1.*?-->/) ?? [];
			for (const gone of [first, '<!--/data-pr-->'])
				expect(editFragment(contents.replace(gone, ''), current)).toBe('changed');
		}
	}
});
