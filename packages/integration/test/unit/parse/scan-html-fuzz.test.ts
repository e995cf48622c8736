import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHtml } from '../../../src/parse/parse-html.js';
import { scanHtml } from '../../../src/parse/scan-html.js';
import { STRINGS } from '../../support/corpora.js';
import { escaped } from '../../support/unit/escaped.js';
import { HTML_FIELDS } from '../../support/unit/fields.js';
import { damaged, times } from '../../support/unit/fuzz.js';
import { anyOf, documentedHtml } from '../../support/unit/fuzz-payload.js';

// What the scanner takes, it must read as the parser does; and it must take enough for that to say something.

/** Whether the scanner takes the html. */
function isScanned(html: string): boolean {
	const scanned = scanHtml(html);
	// The comparison of the test runner takes longer than the parser: it is for those that differ.
	if (scanned && !isDeepStrictEqual(scanned, parseHtml(html))) {
		expect(scanned, JSON.stringify(html)).toEqual(parseHtml(html));
	}
	return scanned !== undefined;
}

function countScanned(html: fc.Arbitrary<string>, numRuns: number): number {
	let scanned = 0;
	const property = fc.property(html, (text) => {
		if (isScanned(text)) scanned += 1;
	});
	fc.assert(property, times(numRuns));
	return scanned;
}

test('html in the documented shape is read as a parser does', () => {
	expect(countScanned(documentedHtml, 1_000)).toBeGreaterThan(500);
});

test('damaged html is read as a parser does, or left to it', () => {
	expect(countScanned(damaged(anyOf(documentedHtml)), 25_000)).toBeGreaterThan(2_500);
});

test.each(HTML_FIELDS)(
	'every hostile text, raw and escaped, as %s, is read as a parser does, or left to it',
	(name, write) => {
		const raw = STRINGS.filter((text) => isScanned(write(text)));
		const safe = STRINGS.filter((text) => isScanned(write(escaped(text))));
		expect(raw.length).toBeGreaterThan(200);
		// A reference in the class leaves the block to the parser.
		expect(safe.length).toBeGreaterThan(name === 'class of the wrapper' ? 200 : 3_000);
	},
	30_000,
);
