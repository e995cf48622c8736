import { describe, expect, test } from 'vitest';
import { labels } from '../../../../src/labels/index.js';
import { STRINGS, spread } from '../../../support/corpora.js';
import { findElements } from '../../../support/page/elements.js';
import { CHARACTERS, FRAGMENTS } from '../../../support/unit/fragments.js';
import { writeParts } from '../../../support/unit/parts.js';
import { renderOptions } from '../../../support/unit/record.js';
import { reviewData, withText } from '../../../support/unit/review-data.js';

const NAMES = Object.keys(writeParts(undefined));
const EMPTY = reviewData({
	aggregate: undefined,
	recommendCount: undefined,
	topics: [],
	topicSummaries: {},
	reviews: [],
	media: [],
	questions: [],
});

/** Tags and attributes of html, and its comments: what a text must not change. */
function shapeOf(html: string): string {
	const { elements, comments } = findElements(html);
	return JSON.stringify([comments, elements.map(({ tag, attributes }) => [tag, Object.keys(attributes)])]);
}

describe.each(NAMES)('<%s>', (name) => {
	const write = (...args: Parameters<typeof writeParts>) => writeParts(...args)[name] ?? '';

	test('writes nothing without data, and nothing of a product without any', () => {
		expect(write(undefined, { class: 'mine' })).toBe('');
		expect(write(EMPTY, { class: 'mine' })).toBe('');
	});

	test('writes text as text, whatever it is and in every field', () => {
		const texts = [...spread(STRINGS, 400), ...FRAGMENTS, ...CHARACTERS];
		const expected = shapeOf(write(withText('harmless')));
		expect(JSON.parse(expected)[1].length).toBeGreaterThan(3);
		for (const text of texts) {
			const html = write(withText(text));
			expect(shapeOf(html), text).toBe(expected);
			expect(html, text).not.toMatch(/[\r\n]/);
		}
	});

	test('has neither script nor style nor event in it, and no id', () => {
		const { elements } = findElements(write(reviewData()));
		expect(elements.map(({ tag }) => tag)).not.toEqual(
			expect.arrayContaining([expect.stringMatching(/^(script|style|link|iframe|object)$/)]),
		);
		const names = elements.flatMap(({ attributes }) => Object.keys(attributes));
		expect(names.filter((attribute) => /^(on|style$|id$|autoplay$)/.test(attribute))).toEqual([]);
	});

	test('the slot that it is placed in is not an attribute of it', () => {
		const { elements } = findElements(write(reviewData(), { slot: 'rating', id: 'mine' }));
		expect(elements.filter(({ attributes }) => 'slot' in attributes)).toEqual([]);
	});

	test('labels are text', () => {
		const hostile = '<img src=x onerror=alert(1)>"';
		const given = Object.fromEntries(Object.keys(labels.en).map((label) => [label, hostile]));
		const { elements } = findElements(write(reviewData(), {}, renderOptions({ labels: given })));
		expect(elements.filter(({ attributes }) => 'onerror' in attributes)).toEqual([]);
		expect(elements.length).toBeGreaterThan(2);
	});

	test('writes the words of every language, and leaves no placeholder', () => {
		const words = (lang: string) => findElements(write(reviewData(), { lang })).text;
		for (const lang of Object.keys(labels)) {
			expect(words(lang)).not.toMatch(/\{\w+\}/);
			if (lang !== 'en') expect(words(lang)).not.toBe(words('en'));
		}
	});

	test.each([{ headingLevel: 'x' }, { limit: 'ten', topics: { limit: 'ten' } }])(
		'a wrong prop is an error whether there is data or not: %j',
		(props) => {
			if (name === 'RatingSummary' && 'limit' in props) return;
			for (const data of [reviewData(), EMPTY, undefined]) {
				expect(() => write(data, props)).toThrow(/Expected `(headingLevel|limit)`/);
			}
		},
	);
});

test.each(NAMES.filter((name) => name !== 'ReviewSection'))(
	'<%s> gives class, id and language to its root, and its level to the heading',
	(name) => {
		const props = { class: 'mine', id: 'a', lang: 'de', heading: 'Own <words>', headingLevel: 4 };
		const { elements } = findElements(writeParts(reviewData(), props)[name] ?? '');
		const [root, heading] = elements;
		expect(root).toMatchObject({
			tag: 'section',
			attributes: { id: 'a', lang: 'de', 'aria-label': 'Own <words>' },
		});
		expect(root?.attributes['class']).toMatch(/^[a-z-]+ mine$/);
		expect(heading?.tag).toBe('h4');
	},
);
