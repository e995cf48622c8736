import { describe, expect, test } from 'vitest';
import { labels } from '../../../src/render/labels/index.js';
import { STRINGS, spread } from '../../support/corpora.js';
import { findElements } from '../../support/page/elements.js';
import { answer, reviewBlock, reviewItem, SCHEMA, schemaScript } from '../../support/service/payload.js';
import { CHARACTERS, FRAGMENTS } from '../../support/unit/fuzz.js';
import { expectSound } from '../../support/unit/harmless.js';
import { ANSWERS, expectAllSound, expectHarmlessIn, PLACES } from '../../support/unit/hostile.js';
import { lookAtPage, pageAround } from '../../support/unit/page.js';
import { displayed, record } from '../../support/unit/record.js';
import { reviewData, withText } from '../../support/unit/review-data.js';
import { type Props, write, writeAll } from '../../support/unit/write.js';

// What strangers write is text to the end: in pages, and in structured data. Some texts, here; all of them in the slow test.

const TEXTS = [...spread(STRINGS, 70), ...FRAGMENTS, ...CHARACTERS];
const DISPLAYS = ['hidden', 'visible', 'details'] as const;

test.each(PLACES)('a hostile text as it came, and escaped, is harmless as $name', (place) => {
	expectHarmlessIn(place, spread(STRINGS, 50));
});

test.each(ANSWERS)('%s are read and written without a difference, or refused', (_kind, payload, share) => {
	expectAllSound(payload, share, 150);
});

const ofAuthor = (name: string) =>
	schemaScript({ ...SCHEMA, review: [{ ...SCHEMA.review[0], author: { name } }] });
const LONG_LINK = reviewItem({
	product: 'Kettle',
	rating: 'Rating: 5/5',
	href: `https://shop.example/${'ä'.repeat(1_000)}`,
});
const LONG_NAME = schemaScript({ ...SCHEMA, name: 'a'.repeat(300) });

test.each<[string, Parameters<typeof answer>[0]]>([
	['an address that is longer in its normal form', { html: reviewBlock(LONG_LINK) }],
	['the longest name of an author', { jsonld: ofAuthor('a'.repeat(99)) }],
	['a name of characters that are two code units each', { jsonld: ofAuthor('😀'.repeat(99)) }],
	['a name that shows nothing up to where it is cut', { jsonld: ofAuthor(`${'\u200b'.repeat(99)}Ada`) }],
	['a long name of a product, in place of the html', { html: reviewBlock(), jsonld: LONG_NAME }],
])('%s is read and written without a difference', (_what, parts) => {
	expect(expectSound(answer(parts))).toBe(true);
});

/** Tags and attributes of html, and its comments: what a text must not change. */
function shapeOf(html: string): string {
	const { elements, comments } = findElements(html);
	return JSON.stringify([comments, elements.map(({ tag, attributes }) => [tag, Object.keys(attributes)])]);
}

const labelsOf = (text: string) =>
	Object.fromEntries(Object.keys(labels.en).map((label) => [label, text || 'x']));

const COMPONENTS = ['RatingSummary', 'ReviewTopics', 'ReviewList', 'ReviewMedia', 'ProductQuestions'];

test.each([...COMPONENTS, 'ReviewSection'])('<%s> writes text as text, in every field and label', (name) => {
	for (const text of spread(TEXTS, 80)) {
		// A long text has a box to open it, whatever it says.
		const expected = shapeOf(write(name, withText(text.replace(/[^\n]/g, 'x'))));
		expect(JSON.parse(expected)[1].length).toBeGreaterThan(3);
		const written = write(name, withText(text), {}, { labels: labelsOf(text) });
		expect(shapeOf(written), text).toBe(expected);
		expect(written, text).not.toMatch(/[\r\n]/);
	}
});

test('the attributes and labels that a page gives stay text', () => {
	const shapeWith = (text: string) => {
		const props: Props = { class: text, title: text, 'aria-label': text, heading: text || 'x' };
		const own = { labels: labelsOf(text) };
		const stars = ['StarRating', 'RatingSummary'].map((name) => write(name, reviewData(), props, own));
		const lists = DISPLAYS.map((display) => write('ProductReviews', record(), props, { ...own, display }));
		return shapeOf([...stars, ...lists].join(''));
	};
	const expected = shapeWith('harmless');
	for (const text of TEXTS) expect(shapeWith(text), text).toBe(expected);
});

// What looks for harm must find it where it is.
describe('harm is found', () => {
	const foreignIn = (written: string) => lookAtPage(pageAround(written)).foreign;

	test.each<[string, string]>([
		['<img src="x">', '<img src=x>'],
		['<p class="review-body" onclick="x"></p>', '<p class=review-body onclick=x>'],
		['<a href="//evil.example"></a>', '<a href=//evil.example>'],
		['<div class="review-item modal"></div>', '<div class=review-item modal>'],
		['<!-- x -->', '<!-- x -->'],
		['<div>', 'body/main\nmain/p id=before\nmain/div'],
		[`${writeAll(record())}</main>`, 'body/p id=after'],
		['<li>a & b &lt c</li>', 'missing-semicolon'],
		['<noscript><p onclick="x"></p></noscript>', '<p onclick=x>'],
	])('%s', (harm, found) => {
		expect(foreignIn(harm).join('\n')).toContain(found);
	});

	test('in most hostile texts, if they were written as they came', () => {
		const whole = writeAll(record({ reviews: [displayed()] }));
		expect(foreignIn(whole)).toEqual([]);
		const harmful = TEXTS.filter((text) => foreignIn(whole.replace('Boils fast.', () => text)).length > 0);
		expect(harmful.length).toBeGreaterThan(TEXTS.length / 2);
	});
});
