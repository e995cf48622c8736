import fc from 'fast-check';
import { parseFragment, serialize } from 'parse5';
import { describe, expect, test } from 'vitest';
import { atOnce, inPieces } from '../../../src/parse/field-reader.js';
import { parseMarkup } from '../../../src/parse/parse-markup.js';
import { readPayload, readPayloadInSteps } from '../../../src/parse/read-payload.js';
import { answer, reviewBlock, reviewItem } from '../../support/service/payload.js';
import { damaged, times } from '../../support/unit/fuzz.js';
import { anyOf, documentedHtml, documentedJsonld } from '../../support/unit/fuzz-payload.js';
import { isFound, isScanned } from '../../support/unit/scanned.js';

// Where answers are as documented, no parser is needed, and they must be read as one does. So are those of hostile.test.ts.

const REVIEW =
	'<div class="review-item"><div class="review-product"><a class="review-product-link" href="https://shop.example/p?a=1&amp;b=2">Mug &lt;3</a></div><div class="review-author">Ada</div><div class="review-rating">Rating: 4.5/5</div><div class="review-title">A &quot;title&quot; &amp; more</div><div class="review-body">Fine &#39;mug&#39;.\nSecond line.</div><div class="review-date">2026-01-02</div></div>';
const block = (...reviews: string[]) =>
	`<div class="rvw_b1" data-id="b1" data-block-handle="product-reviews"><style>.rvw_b1{position:absolute}</style><h2>Reviews</h2>${reviews.join('')}</div>`;
const bodyOf = (body: string) => block(REVIEW.replace(/Fine[^<]*/, () => body));
const DOCUMENTED = block(REVIEW, REVIEW.replace('Ada', 'مرحبا 👋 5 &gt; 4'));

test.each<[string, string]>([
	['the documented shape', DOCUMENTED],
	['no review', block()],
	['no style', DOCUMENTED.replace(/<style>.*<\/style>/, '')],
	['no heading', DOCUMENTED.replace(/<h2>.*<\/h2>/, '')],
	['empty parts', bodyOf('')],
	['a product without a link', block('<div class="review-item"><div class="review-product">Mug</div></div>')],
	['an empty review', block('<div class="review-item"></div>')],
])('%s is read without a parser', (_what, html) => {
	expect(isScanned(html)).toBe(true);
});

test.each<[string, string]>([
	['markup in a text', bodyOf('A <b>bold</b> word')],
	['a reference that only a parser knows', bodyOf('&notin; &copy')],
	['a carriage return', bodyOf('one\rtwo')],
	['NUL', bodyOf('one\0two')],
	['an unclosed review', DOCUMENTED.replace('</div></div>', '</div>')],
	['something after the block', `${DOCUMENTED}<p>more</p>`],
	['attributes in single quotes', DOCUMENTED.replace('data-id="b1"', "data-id='b1'")],
	['nothing', ''],
	['parts twice', DOCUMENTED.replace('</div></div>', '</div><div class="review-body">Two.</div></div>')],
	['attributes after the documented ones', DOCUMENTED.replace('<a class', '<a id="x" class')],
])('%s is left to the parser', (_what, html) => {
	expect(isScanned(html)).toBe(false);
});

test.each([
	['documented html', documentedHtml, isScanned, 300, 0.5],
	['damaged html', damaged(anyOf(documentedHtml)), isScanned, 2_000, 0.1],
	['a damaged script', damaged(anyOf(documentedJsonld)), isFound, 500, 0.2],
])('%s is read as a parser does, or left to it', (_what, documented, isRead, runs, share) => {
	let read = 0;
	const property = fc.property(documented, (text) => {
		if (isRead(text)) read += 1;
	});
	fc.assert(property, times(runs));
	expect(read).toBeGreaterThan(share * runs);
});

describe('in pieces, so that a server answers others meanwhile', () => {
	const PIECE = 16_384;

	test.each([
		['a line break of two characters', '\r\n'],
		['a carriage return', '\r'],
		['a pair of surrogates', '👟'],
		['a reference', '&amp;'],
		['a reference by number', '&#x1F45F;'],
		['a tag', '<b class="x">y</b>'],
		['a comment', '<!-- a > b -->'],
		['a script', '<script>"</b>"</script>'],
		['an attribute', '<a href="x&amp;y=\'1\'">z</a>'],
		['a null', '\0'],
		['nothing', ''],
	])('%s on the border of two pieces is parsed as in one', (_what, text) => {
		for (let before = PIECE - text.length - 1; before <= PIECE + 1; before++) {
			for (const markup of [`${'x'.repeat(before)}${text}<p>end${text}`, `${'x'.repeat(before)}${text}`]) {
				expect(serialize(atOnce(parseMarkup(markup, 'It')))).toBe(serialize(parseFragment(markup)));
			}
		}
	});

	test.each(['Boils fast', 'Boils <b>fast</b>'])(
		'"%s" is read as at once, while others are',
		async (body) => {
			const payloads = ['Ada', 'Grace', 'Mary'].map((author) =>
				answer({ html: reviewBlock(reviewItem({ author, rating: 'Rating: 5/5', body }).repeat(1_500)) }),
			);
			const read = await Promise.all(payloads.map((one) => inPieces(readPayloadInSteps(one), 1_000_000)));
			expect(read).toEqual(payloads.map((payload) => readPayload(payload)));
		},
	);
});
