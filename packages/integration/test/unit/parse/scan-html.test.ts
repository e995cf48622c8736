import { describe, expect, test } from 'vitest';
import { parseHtml } from '../../../src/parse/parse-html.js';
import { scanHtml } from '../../../src/parse/scan-html.js';

const review = (body: string, title = 'A &quot;title&quot; &amp; more') =>
	`<div class="review-item"><div class="review-product"><a class="review-product-link" href="https://shop.example/p?a=1&amp;b=2">Mug &lt;3</a></div><div class="review-author">Ada</div><div class="review-rating">Rating: 4.5/5</div><div class="review-title">${title}</div><div class="review-body">${body}</div><div class="review-date">2026-01-02</div></div>`;
const block = (...reviews: string[]) =>
	`<div class="rvw_b1" data-id="b1" data-block-handle="product-reviews"><style>.rvw_b1{position:absolute}</style><h2>Reviews</h2>${reviews.join('')}</div>`;

const DOCUMENTED = block(review('Fine &#39;mug&#39;.\nSecond line.'), review('مرحبا 👋 5 &gt; 4'));

describe('the scanner reads what it accepts as a parser does', () => {
	test('the documented shape is accepted', () => {
		const scanned = scanHtml(DOCUMENTED);
		expect(scanned?.reviews.length).toBe(2);
		expect(scanned).toEqual(parseHtml(DOCUMENTED));
	});

	test.each([
		['no review', block()],
		['no style', DOCUMENTED.replace(/<style>.*<\/style>/, '')],
		['no heading', DOCUMENTED.replace(/<h2>.*<\/h2>/, '')],
		['empty parts', block(review('', ''))],
		[
			'a product without a link',
			block('<div class="review-item"><div class="review-product">Mug</div></div>'),
		],
		['an empty review', block('<div class="review-item"></div>')],
	])('accepted: %s', (_name, html) => {
		expect(scanHtml(html)).toBeDefined();
		expect(scanHtml(html)).toEqual(parseHtml(html));
	});

	test.each([
		['markup in a text', block(review('A <b>bold</b> word'))],
		['a reference that only a parser knows', block(review('&notin; &copy'))],
		['a carriage return', block(review('one\rtwo'))],
		['NUL', block(review('one\0two'))],
		['an unclosed review', DOCUMENTED.replace('</div></div>', '</div>')],
		['something after the block', `${DOCUMENTED}<p>more</p>`],
		['attributes in single quotes', DOCUMENTED.replace('data-id="b1"', "data-id='b1'")],
		['nothing', ''],
		[
			'parts twice',
			block(review('One.').replace('</div></div>', '</div><div class="review-body">Two.</div></div>')),
		],
		['attributes after the documented ones', block(review('One.').replace('<a class', '<a id="x" class'))],
	])('left to the parser: %s', (_name, html) => {
		expect(scanHtml(html)).toBeUndefined();
	});
});
