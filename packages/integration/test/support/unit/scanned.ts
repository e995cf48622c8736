import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { parseHtml, scanHtml } from '../../../src/parse/read-html.js';
import { scriptText } from '../../../src/parse/read-payload.js';

/** Whether the scanner takes the html. What it takes, it must read as the parser does. */
export function isScanned(html: string): boolean {
	const scanned = scanHtml(html);
	// The comparison of the test runner takes longer than the parser: it is for those that differ.
	if (scanned && !isDeepStrictEqual(scanned, parseHtml(html))) {
		expect(scanned, JSON.stringify(html)).toEqual(parseHtml(html));
	}
	return scanned !== undefined;
}

/**
 * Whether a script is found. Its text must be the one that a parser finds: white space before the documented shape makes it
 * one that only the parser reads.
 */
export function isFound(markup: string): boolean {
	const [found, parsed] = [scriptText(markup), scriptText(` ${markup}`)];
	if (found !== parsed) expect(found, JSON.stringify(markup)).toBe(parsed);
	return found !== undefined;
}
