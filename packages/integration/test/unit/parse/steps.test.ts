import { parseFragment, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { parseMarkup } from '../../../src/parse/parse-markup.js';
import { readPayload, readPayloadInSteps } from '../../../src/parse/read-payload.js';
import { atOnce, inPieces } from '../../../src/parse/steps.js';
import { answer, reviewBlock, reviewItem } from '../../support/service/payload.js';

const PIECE = 16_384;
const LONG = 1_000_000;

test.each([
	['a line break of two characters', '\r\n'],
	['a carriage return', '\r'],
	['a pair of surrogates', '👟'],
	['a reference', '&amp;'],
	['a reference by number', '&#x1F45F;'],
	['a tag', '<b class="x">y</b>'],
	['a comment', '<!-- a > b -->'],
	['the end of a comment', '<!-- a -->'],
	['a script', '<script>"</b>"</script>'],
	['an attribute', '<a href="x&amp;y=\'1\'">z</a>'],
	['a null', '\0'],
])('%s on the border of two pieces is parsed as in one', (_name, text) => {
	for (let before = PIECE - text.length - 1; before <= PIECE + 1; before++) {
		const markup = `${'x'.repeat(before)}${text}<p>end${text}`;
		expect(serialize(atOnce(parseMarkup(markup, 'It')))).toBe(serialize(parseFragment(markup)));
	}
});

test('nothing, and what is exactly one or two pieces long', () => {
	for (const length of [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 1]) {
		const markup = 'x'.repeat(length);
		expect(serialize(atOnce(parseMarkup(markup, 'It')))).toBe(markup);
	}
});

test.each([
	['the documented shape', 'Boils <b>fast</b>'.replace(/<.?b>/g, '')],
	['other markup', 'Boils <b>fast</b>'],
])('%s says the same in pieces as at once, while others are read', async (_name, body) => {
	const htmlOf = (author: string) =>
		reviewBlock(...Array.from({ length: 1_500 }, () => reviewItem({ author, rating: 'Rating: 5/5', body })));
	const payloads = ['Ada', 'Grace', 'Mary'].map((author) => answer({ html: htmlOf(author) }));
	const read = await Promise.all(payloads.map((payload) => inPieces(readPayloadInSteps(payload), LONG)));
	expect(read).toEqual(payloads.map((payload) => readPayload(payload)));
});
