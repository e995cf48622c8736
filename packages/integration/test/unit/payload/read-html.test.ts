import { describe, expect, test } from 'vitest';
import { readHtml } from '../../../src/payload/read-html.js';
import { errorOf } from '../../support/unit-error.js';
import { REVIEW, type ReviewParts, reviewBlock, reviewItem } from '../../support/unit-payload.js';

const NOTHING = {
	productName: undefined,
	productUrl: undefined,
	author: undefined,
	rating: undefined,
	title: undefined,
	body: undefined,
	date: undefined,
};

/** The one review of a block whose item has these parts. */
const readOne = (parts: ReviewParts) => readHtml(reviewBlock(reviewItem({ ...REVIEW, ...parts }))).reviews[0];

test('the documented structure', () => {
	expect(readHtml(reviewBlock(reviewItem(REVIEW), reviewItem({ rating: 'Rating: 4/5' })))).toEqual({
		heading: 'Customer Reviews',
		blockId: 'b-17',
		handle: 'reviews-block',
		reviews: [
			{
				productName: 'Kettle',
				productUrl: 'https://shop.example/products/p-1',
				author: 'Ada',
				rating: 5,
				title: 'Good',
				body: 'Boils fast.',
				date: '2026-11-20',
			},
			{ ...NOTHING, rating: 4 },
		],
	});
});

describe('structures that are not documented', () => {
	test.each<[string, string, unknown[]]>([
		['nothing', '', []],
		['text only', 'Service unavailable', []],
		['no item', reviewBlock(), []],
		['items without a wrapper', reviewItem({ title: 'a' }), [{ ...NOTHING, title: 'a' }]],
		['an item that says nothing', reviewBlock(reviewItem({ author: 'Ada', date: '2026-11-20' })), []],
		[
			'several classes on a part',
			'<div class="x review-item y"><p class="a review-title">T</p></div>',
			[{ ...NOTHING, title: 'T' }],
		],
		[
			'markup between item and part',
			'<div class="review-item"><section><b class="review-title">T</b></section></div>',
			[{ ...NOTHING, title: 'T' }],
		],
		[
			'a part twice: the first counts',
			reviewBlock(
				`<div class="review-item"><i class="review-title">1</i><i class="review-title">2</i></div>`,
			),
			[{ ...NOTHING, title: '1' }],
		],
		[
			'two wrappers',
			reviewBlock(reviewItem({ title: 'a' })) + reviewBlock(reviewItem({ title: 'b' })),
			[
				{ ...NOTHING, title: 'a' },
				{ ...NOTHING, title: 'b' },
			],
		],
		[
			'a whole document',
			`<!doctype html><html><body>${reviewBlock(reviewItem({ title: 'a' }))}</body></html>`,
			[{ ...NOTHING, title: 'a' }],
		],
		[
			'a product that is no link',
			'<div class="review-item"><div class="review-product">Kettle</div><div class="review-title">a</div></div>',
			[{ ...NOTHING, productName: 'Kettle', title: 'a' }],
		],
	])('%s', (_what, html, reviews) => {
		expect(readHtml(html).reviews).toEqual(reviews);
	});

	test('the first wrapper names the block', () => {
		const second = reviewBlock().replaceAll('b-17', 'b-18');
		expect(readHtml(reviewBlock() + second)).toMatchObject({ blockId: 'b-17', handle: 'reviews-block' });
	});

	test('an item inside a part of another is text of that part', () => {
		const review = readOne({ body: `outer ${reviewItem({ author: 'Mallory', rating: 'Rating: 1/5' })}` });
		expect(review).toMatchObject({ author: 'Ada', rating: 5, body: 'outer MalloryRating: 1/5' });
	});

	test('an item inside an item gives its parts to no other', () => {
		const html = `<div class="review-item"><div class="review-title">Mine</div>${reviewItem({ author: 'Mallory', body: 'Theirs' })}</div>`;
		expect(readHtml(html).reviews[0]).toEqual({ ...NOTHING, title: 'Mine' });
	});
});

describe('text', () => {
	test.each<[string, string, string | undefined]>([
		['entities are read once', '&amp;lt;b&amp;gt; &lt;b&gt; &quot;', '&lt;b&gt; <b> "'],
		['markup is unwrapped', 'a <b>bold</b> <i>move</i>', 'a bold move'],
		['script and style are left out', 'a<script>alert(1)</script><style>p{}</style>b', 'ab'],
		['comments are left out', 'a<!-- hidden -->b', 'ab'],
		['svg and math are left out', 'a<svg><text>x</text></svg><math><mi>y</mi></math>b', 'ab'],
		[
			'form controls and frames are left out',
			'a<textarea>x</textarea><select><option>y</select><iframe>z</iframe>b',
			'ab',
		],
		['br is a line break', 'one<br>two<br/>three', 'one\ntwo\nthree'],
		['line breaks of any kind', 'a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh', 'a\nb\nc\nd\ne\nf\ng\nh'],
		['control characters go', 'a\u0001b\u001b[31mc\u007fd\u009be', 'ab[31mcde'],
		['noncharacters go', 'a\uffffb\ufdd0c', 'abc'],
		['white space around it goes', ' \n a b \n ', 'a b'],
		['emoji and right-to-left text stay', 'שלום 👩‍👩‍👧 مرحبا', 'שלום 👩‍👩‍👧 مرحبا'],
		['white space alone is nothing', ' \n\t ', undefined],
		['what shows nothing is nothing', '\u200b\u202e\u2060', undefined],
	])('%s', (_what, body, expected) => {
		expect(readOne({ body })?.body).toBe(expected);
	});

	test('a lone surrogate becomes the replacement character', () => {
		expect(readOne({ body: 'a\ud800b' })?.body).toBe('a\ufffdb');
	});

	test('title, author and product are one line', () => {
		const text = 'one\n  two<br>three\u2028four\u0085five';
		expect(readOne({ title: text, author: text, product: text })).toMatchObject({
			title: 'one two three four five',
			author: 'one two three four five',
			productName: 'one two three four five',
		});
	});

	test('a NUL and a character reference to one are gone', () => {
		expect(readOne({ title: 'a\u0000b&#0;c' })?.title).toBe('ab\ufffdc');
	});
});

describe('ratings', () => {
	test.each<[string, number | undefined]>([
		['Rating: 5/5', 5],
		['Rating: 4.5/5', 4.5],
		['Bewertung: 4,5/5', 4.5],
		['Rating: 1/5', 1],
		['4/5', 4],
		['Rating:4/5', 4],
		['Rating: 4 / 5', 4],
		['Rating: 4.333333333333333/5', 4.33],
		['評価: 3/5', 3],
		['Rating: 0/5', undefined],
		['Rating: 0.5/5', undefined],
		['Rating: 6/5', undefined],
		['Rating: -3/5', undefined],
		['Rating: −3/5', undefined],
		['Rating: 14/5', undefined],
		['Rating: 114/5', undefined],
		['Rating: 1.5.4/5', undefined],
		['Rating: 5/50', undefined],
		['Rating: 5/10', undefined],
		['Rating: 5', undefined],
		['Rating: NaN/5', undefined],
		['Rating: Infinity/5', undefined],
		['five', undefined],
		['', undefined],
	])('%j is %j', (rating, expected) => {
		expect(readOne({ rating })?.rating).toBe(expected);
	});
});

describe('dates', () => {
	test.each<[string, string | undefined]>([
		['2026-11-20', '2026-11-20'],
		[' 2026-11-20 ', '2026-11-20'],
		['2026-11-20T23:30:00-05:00', '2026-11-21'],
		['1795219200000', '2026-11-21'],
		['2026-02-31', undefined],
		['2026-13-01', undefined],
		['20.11.2026', undefined],
		['yesterday', undefined],
		['0000-01-01', undefined],
		['', undefined],
	])('%j is %j', (date, expected) => {
		expect(readOne({ date })?.date).toBe(expected);
	});
});

describe('links', () => {
	test.each<[string, string | undefined]>([
		['https://shop.example/p/1', 'https://shop.example/p/1'],
		['http://shop.example/p?a=1&amp;b=2#r', 'http://shop.example/p?a=1&b=2#r'],
		[' HTTPS://Shop.Example/ä b ', 'https://shop.example/%C3%A4%20b'],
		['https://shop.example/&quot;&gt;&lt;script&gt;', 'https://shop.example/%22%3E%3Cscript%3E'],
		['javascript:alert(1)', undefined],
		['JaVaScRiPt:alert(1)', undefined],
		['java\nscript:alert(1)', undefined],
		['\u0001javascript:alert(1)', undefined],
		['data:text/html,x', undefined],
		['vbscript:x', undefined],
		['/products/p-1', undefined],
		['products/p-1', undefined],
		['//evil.example/p', undefined],
		['https:/evil.example', undefined],
		['https:evil.example', undefined],
		['\\\\evil.example', undefined],
		['https://user:pass@shop.example', undefined],
		['https://shop.example@evil.example', undefined],
		['https://', undefined],
		['https://exa mple', undefined],
		[`https://shop.example/${'a'.repeat(3_000)}`, undefined],
		['', undefined],
	])('%j is %j', (href, expected) => {
		expect(readOne({ href })?.productUrl).toBe(expected);
	});
});

describe('limits', () => {
	const filler = 'word '.repeat(10_000);

	test('texts are cut with an ellipsis', () => {
		const review = readOne({ body: filler, title: filler, author: filler, product: filler });
		expect(review?.body).toHaveLength(20_000);
		expect(review?.title?.length).toBeLessThanOrEqual(500);
		expect(review?.author?.length).toBeLessThanOrEqual(200);
		expect(review?.productName?.length).toBeLessThanOrEqual(200);
		for (const text of [review?.body, review?.title, review?.author, review?.productName])
			expect(text).toMatch(/word?…$|wo…$|w…$/);
	});

	test('a cut leaves no half character', () => {
		const review = readOne({ title: '😀'.repeat(400), author: `a${'😀'.repeat(150)}` });
		expect(review?.title?.isWellFormed()).toBe(true);
		expect(review?.author?.isWellFormed()).toBe(true);
		expect(review?.author).toHaveLength(200);
	});

	test('text behind a lot of white space or control characters is still read', () => {
		const gap = ' \n'.repeat(60_000);
		expect(readOne({ title: `${gap}a`, body: `${'\u0001'.repeat(90_000)}b` })).toMatchObject({
			title: 'a',
			body: 'b',
		});
	});

	test('at most 2,000 reviews are kept', () => {
		const items = Array.from({ length: 2_100 }, (_, index) => reviewItem({ title: `t${index}` }));
		const { reviews } = readHtml(reviewBlock(...items));
		expect(reviews).toHaveLength(2_000);
		expect(reviews.at(-1)?.title).toBe('t1999');
	});

	test('4 MiB of reviews are read in bounded time', () => {
		const item = reviewItem({ ...REVIEW, body: 'b'.repeat(400) });
		const html = reviewBlock(item.repeat(Math.floor(4_190_000 / item.length)));
		const started = performance.now();
		expect(readHtml(html).reviews).toHaveLength(2_000);
		expect(performance.now() - started).toBeLessThan(4_000);
	});

	test.each<[string, string]>([
		['larger than 4 MiB', 'a'.repeat(4_194_305)],
		['100,000 nested div', '<div>'.repeat(100_000)],
		['100,000 nested b in a body', reviewBlock(reviewItem({ body: '<b>'.repeat(100_000) }))],
		['65 levels in a body', reviewItem({ body: `${'<i>'.repeat(65)}x` })],
		[
			'formatting that the parser repeats in each block',
			`<div>${Array.from({ length: 60 }, (_, i) => `<font a=${i}>`).join('')}</div>${'<div>x</div>'.repeat(50_000)}`,
		],
		['four million elements', '<p>'.repeat(1_300_000)],
	])('%s: an error of this product, in bounded time', async (_what, html) => {
		const started = performance.now();
		const error = await errorOf(() => readHtml(html));
		expect(error.name).toBe('ReviewPayloadError');
		expect(error.message).toMatch(/^The html of the reviews /);
		expect(performance.now() - started).toBeLessThan(2_000);
	});
});
