import { expect, test } from 'vitest';
import { withoutContactDetails } from '../../../src/base/people.js';
import { cleanLine, cleanText } from '../../../src/base/words.js';
import { readPayload } from '../../../src/providers/hosted-reviews.js';
import { readProviderData, readProviderReviews } from '../../../src/providers/read-provider-reviews.js';
import { readReviewData } from '../../../src/records/read-review-data.js';
import { answer, REVIEW, reviewBlock, reviewItem, schemaScript } from '../../support/service/payload.js';
import { wireReview } from '../../support/service/wire-data.js';
import { readOrRefuse } from '../../support/unit/harmless.js';
import { writeAll } from '../../support/unit/write.js';

/** Reads an answer and writes it. @returns whether it was read, and not refused */
function readAndWrite(parts: Parameters<typeof answer>[0]): boolean {
	const product = readOrRefuse(answer(parts));
	if (product) writeAll(product, 'visible');
	return product !== undefined;
}

/** What comes of an action, and its time of the processor: as much on a busy machine as on an idle one. */
function timed<Result>(action: () => Result) {
	const before = process.cpuUsage();
	const result = action();
	const { user, system } = process.cpuUsage(before);
	return { result, time: user + system };
}

// The largest ordinary answer whose texts hold markup, so that the parser has to read it.
const ITEM = reviewItem({ ...REVIEW, body: 'Boils <b>fast</b>. '.repeat(90) });
const LARGEST = reviewBlock(ITEM.repeat(Math.floor(4_190_000 / ITEM.length)));
const ORDINARY = timed(() => expect(readAndWrite({ html: LARGEST, jsonld: '' })).toBe(true)).time;

/** Expects an action to take about as long: what grows with the square of its size takes a hundred times that. */
function inTime<Result>(action: () => Result): Result {
	const { result, time } = timed(action);
	expect(time).toBeLessThan(8 * ORDINARY);
	return result;
}

const numbered = (count: number, write: (index: number) => string) =>
	Array.from({ length: count }, (_, index) => write(index)).join('');
const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);

const bodyOf = (body: string) => reviewBlock(reviewItem({ ...REVIEW, body }));
const scriptOf = (parts: string) => schemaScript(`{"@type":"Product","name":"K",${parts}}`);

/** For the scanner, the review is as documented up to its very end. */
const LONG = 'x'.repeat(200_000);
const UNENDED = reviewBlock(
	reviewItem({ author: LONG, rating: LONG, title: LONG, body: LONG, date: LONG }).replace(/<.div>$/, '<p>'),
);
const MILLION = '1'.repeat(1_000_000);
const DOTS = 'a.'.repeat(1_000_000);
const FONTS = numbered(60, (i) => `<font a=${i}>`);

const READ = true;
const REFUSED = false;

test.each<[string, string, boolean]>([
	['200 KB of b', bodyOf('<b>'.repeat(70_000)), REFUSED],
	['200 KB of b, each with an attribute of its own', bodyOf(numbered(20_000, (i) => `<b a${i}>`)), REFUSED],
	['200 KB of b and p', bodyOf('<b><p>'.repeat(33_000)), READ],
	['200 KB of b that are closed after a block', bodyOf(nested('<b>', '<p></b>', 20_000)), REFUSED],
	['100,000 nested div in a body', bodyOf(nested('<div>', '</div>', 100_000)), REFUSED],
	['100,000 span and as many ends of nothing', bodyOf(nested('<span>', '</x>', 100_000)), REFUSED],
	['1,300,000 paragraphs', '<p>'.repeat(1_300_000), REFUSED],
	['50,000 nested tables', bodyOf('<table><td>'.repeat(50_000)), REFUSED],
	['100,000 elements that a table puts before itself', bodyOf(`<table>${'<i>x</i>'.repeat(100_000)}`), READ],
	['100,000 texts that a table puts before itself', bodyOf(`<table>${'x<tr>'.repeat(100_000)}`), READ],
	['50,000 nested svg', bodyOf('<svg>'.repeat(50_000)), READ],
	['100,000 attributes of one element', bodyOf(`<p ${numbered(100_000, (i) => `a${i} `)}>x</p>`), READ],
	['100,000 attributes of the page', `${numbered(100_000, (i) => `<html a${i}>`)}${bodyOf('x')}`, READ],
	['a million ampersands', bodyOf('&'.repeat(1_000_000)), READ],
	['100,000 comments', bodyOf('<!---->'.repeat(100_000)), READ],
	['a million dashes in a comment', bodyOf(`<!--${'-'.repeat(1_000_000)}`), READ],
	['a reference of a million digits', bodyOf(`&#x${'0'.repeat(1_000_000)}41;`), READ],
	['50,000 reviews', reviewBlock(reviewItem({ body: 'x' }).repeat(50_000)), READ],
	['50,000 reviews for the parser', reviewBlock(reviewItem({ body: '<i>x' }).repeat(50_000)), REFUSED],
	['100,000 parts', `<div class="review-item">${'<p class="review-body">x'.repeat(100_000)}`, READ],
	['a rating of a million digits', reviewBlock(reviewItem({ title: 'x', rating: `${MILLION}/5` })), READ],
	['an address of a million dots', reviewBlock(reviewItem({ ...REVIEW, href: `https://${DOTS}` })), READ],
	['a review of a million characters that does not end', UNENDED, READ],
	['10 MB of text', bodyOf('x'.repeat(10_000_000)), REFUSED],
])('html, %s', (_what, html, expected) => {
	// Without structured data that would stand in for it.
	expect(inTime(() => readAndWrite({ html, jsonld: '' }))).toBe(expected);
});

test('4 MiB of reviews, whose texts are documented', () => {
	const html = LARGEST.replaceAll('<b>fast</b>', 'fast');
	inTime(() => expect(readPayload(answer({ html })).reviews).toHaveLength(2_000));
});

test.each<[string, string]>([
	['white space', ' \n'],
	['white space that is wide', '\u3000'],
	['words of one letter', 'a '],
	['control characters', '\u0001'],
	['halves of characters', '\ud800'],
	['characters that show nothing', '\u200b'],
	['line breaks of two characters', '\r\n'],
	['marks on a letter', '\u0336'],
])('a million characters in each text of a review: %s', (_what, text) => {
	const long = text.repeat(1_000_000 / text.length);
	const item = reviewItem({ ...REVIEW, author: long, title: `${long}x`, body: `x${long}x` });
	expect(inTime(() => readAndWrite({ html: reviewBlock(item) }))).toBe(READ);
});

// Where only the structured data cannot be read, the html stands in for it.
test.each<[string, string, boolean]>([
	['a million lists in each other', scriptOf(`"x":${nested('[', ']', 1_000_000)}`), READ],
	['a million lists in each other, as reviews', scriptOf(`"review":${nested('[', ']', 1_000_000)}`), READ],
	['100,000 objects in each other', scriptOf(`"x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), READ],
	['100,000 keys', scriptOf(numbered(100_000, (i) => `${i ? ',' : ''}"k${i}":1`)), READ],
	['a million reviews that are none', scriptOf(`"review":[${'1,'.repeat(1_000_000)}1]`), READ],
	['10,000 reviews', scriptOf(`"review":[${'{"reviewBody":"x"},'.repeat(10_000)}1]`), READ],
	['100,000 attributes of a script', `<script ${numbered(100_000, (i) => `a${i} `)}></script>`, REFUSED],
	['fonts that the parser repeats', `<div>${FONTS}</div>${'<div>x</div>'.repeat(50_000)}`, READ],
	['10 MB of text', scriptOf(`"x":"${'x'.repeat(10_000_000)}"`), REFUSED],
])('structured data, %s', (_what, jsonld, expected) => {
	expect(inTime(() => readAndWrite({ jsonld }))).toBe(expected);
});

test('a million reviews, images and questions of a provider', () => {
	const list = Array.from({ length: 1_000_000 }, () => ({ rating: 5 }));
	const answer = { reviews: list, media: list, questions: list };
	inTime(() => expect(readProviderReviews('p-1', answer, () => {}).reviews).toHaveLength(2_000));
	inTime(() => expect(readProviderData('p-1', answer, () => {}).reviews).toHaveLength(5_000));
});

test('names, answers and 200 KB of which anything may be contact details', () => {
	inTime(() => {
		for (const part of ['a', '1 ', '@', 'a@', '(', 'a ', '+', '1-', '. ']) {
			const customQuestions = Array(50).fill(part.repeat(250));
			const review = { ...wireReview(), pid: 'p-1', author: part.repeat(100), customQuestions };
			readReviewData({ pid: 'p-1', reviews: Array(20).fill(review) } as never);
		}
	});
	inTime(() => {
		for (const part of ['(', '+', '((1', 'a@', '1 ', '2026-11-20 ', '@'])
			withoutContactDetails(`1 1${part.repeat(200_000 / part.length)}`);
	});
});

test('a text of simple words that never ends', () => {
	inTime(() => {
		expect(cleanLine(`${'a '.repeat(100_000)}\u0001`, 1_000_000)).toHaveLength(199_999);
		expect(cleanText(`${'a\n'.repeat(100_000)}\u0001`, 1_000_000)).toHaveLength(199_999);
	});
});
