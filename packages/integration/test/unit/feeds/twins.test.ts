import { expect, test } from 'vitest';
import { createRuntime } from '../../../src/runtime/index.js';
import type { ReviewSource } from '../../../src/runtime/page-source.js';
import { addressOfFile, createTwins, twinText } from '../../../src/session/feeds.js';
import { messageOf } from '../../support/unit/error.js';
import { displayed, record } from '../../support/unit/record.js';
import { reviewData } from '../../support/unit/review-data.js';

const twinsOf = (markdown: boolean | { path: (page: string) => string }) =>
	createTwins({ markdown, ratings: false }) as (name: string) => string;

test.each([
	['', 'reviews.md', '/shop/reviews.md'],
	['products/kettle', 'products/kettle/reviews.md', '/shop/products/kettle/reviews.md'],
	['größe %3F', 'größe ?/reviews.md', '/shop/gr%C3%B6%C3%9Fe%20%3F/reviews.md'],
	['a%2F..%2F..%2Fb', 'a%2F..%2F..%2Fb/reviews.md', '/shop/a%252F..%252F..%252Fb/reviews.md'],
])('the reviews of the page %j are in %j, at %j', (page, file, address) => {
	expect(twinsOf(true)(page)).toBe(file);
	expect(addressOfFile(file, '/shop/')).toBe(address);
});

test('the site names the files, each for one page', async () => {
	const twinOf = twinsOf({ path: (page) => `/${page.replace(/\d/, '')}.md` });
	expect([twinOf(''), twinOf('a/1'), twinOf('a/1')]).toEqual(['index.md', 'a/.md', 'a/.md']);
	expect(await messageOf(() => twinOf('a/2'))).toContain(
		'returned "/a/.md" for the page "a/2", which is that of another page, too.',
	);
	for (const path of ['../a.md', 'a.html', 'a/../../b.md', undefined])
		expect(await messageOf(() => twinsOf({ path: () => path as string })('a'))).toContain(
			`returned "${path}" for the page "a", which is not the path of a file in the output folder that ends in .md.`,
		);
});

test('<ReviewSchema> says where the page has them, also to a page in another process, and no page on demand', async () => {
	const source: ReviewSource = {
		getProductReviews: async () => undefined,
		getReviewData: async () => undefined,
		getStarRating: async () => undefined,
		digestOf: async () => '',
		place: () => {},
	};
	const settings = { version: '0', account: 'twins', display: 'visible', labels: {} } as const;
	const page = { url: new URL('https://shop.example/a"b/') };
	const write = (component: string, more: Partial<ReviewSource>, markdown: true | undefined) =>
		createRuntime(
			{ ...settings, markdown },
			{ createLiveSource: () => ({ ...source, ...more }) },
		).fragmentHtml(component, { pid: 'p-1' }, page);
	const link = /^<link rel="alternate" type="text\/markdown" href="\/a%22b\/x&amp;y\.md"><!--data-pr=/;
	const twinOf = async (of?: string) => `${of && encodeURI(of)}x&y.md`;
	expect(await write('ReviewSchema', { twinOf }, true)).toMatch(link);
	for (const html of [
		write('StarRating', { twinOf }, true),
		write('ReviewSchema', {}, true),
		write('ReviewSchema', { twinOf }, undefined),
	])
		expect(await html).toMatch(/^<!--/);
});

test('the text has what the page shows: its products once, their names as the page gives them, authors in their form', async () => {
	const request = (component: string, props = {}) => ({ component, props, language: 'de' });
	const page = {
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
				pid: 'p-4',
				component: 'ReviewList',
				display: 'visible',
				count: 1,
				shown: 1,
				isAll: true,
				sort: 'as-sent',
			},
		],
	} as const;
	const data = {
		'p-1 review-data': reviewData({ reviews: [] }),
		'p-2 reviews': record({
			reviews: [displayed({ author: 'Ada Lovelace' }), displayed({ author: undefined })],
		}),
	};
	const text = await twinText(page, {
		site: 'https://shop.example',
		settings: { labels: {}, authorNames: 'initials' },
		read: async (from, pid) => data[`${pid} ${from}` as keyof typeof data],
	});
	expect(text.match(/^# .*/gm)).toEqual([
		'# Customer reviews of Kessel\\*',
		'# Customer reviews of Kettle',
		'# Customer reviews',
	]);
	expect(text).toContain('<https://shop.example/produkte/gr%C3%B6%C3%9Fe/>\n\nRating: 4.26 of 5');
	expect(text.match(/^> .*2026-11-20/gm)).toEqual(['> A. L., 2026-11-20', '> Anonym, 2026-11-20']);
	expect(text.match(/text written by a customer/g)).toHaveLength(1);
});
