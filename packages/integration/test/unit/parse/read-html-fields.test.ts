import { describe, expect, test } from 'vitest';
import { readHtml } from '../../../src/parse/read-html.js';
import { REVIEW, type ReviewParts, reviewBlock, reviewItem } from '../../support/service/payload.js';

/** The one review of a block whose item has these parts. */
const readOne = (parts: ReviewParts) => readHtml(reviewBlock(reviewItem({ ...REVIEW, ...parts }))).reviews[0];

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
