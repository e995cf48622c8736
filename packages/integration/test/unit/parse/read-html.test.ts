import { describe, expect, test } from 'vitest';
import { readHtml } from '../../../src/parse/read-html.js';
import { REVIEW, type ReviewParts, reviewBlock, reviewItem } from '../../support/service/payload.js';
import { messageOf } from '../../support/unit/error.js';

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
		block: { heading: 'Customer Reviews', blockId: 'b-17', handle: 'reviews-block' },
		found: 2,
		hasSwallowed: false,
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

	test('html that is no block is an error, and none at all is no review', async () => {
		expect(await messageOf(() => readHtml('Service unavailable'))).toMatchInlineSnapshot(`
			"ReviewPayloadError: The html of the reviews contains neither a block nor a review as the service documents them.
			Check what the service sends as "html" for this product."
		`);
		expect(readHtml('').reviews).toEqual([]);
	});

	test('the first wrapper names the block', () => {
		const second = reviewBlock().replaceAll('b-17', 'b-18');
		expect(readHtml(reviewBlock() + second)).toMatchObject({
			block: { blockId: 'b-17', handle: 'reviews-block' },
		});
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
