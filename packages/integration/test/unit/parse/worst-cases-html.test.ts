import { describe, expect, test } from 'vitest';
import { REVIEW, reviewBlock, reviewItem } from '../../support/service/payload.js';
import { isReadInTime, nested, numbered } from '../../support/unit/worst-case.js';

const bodyOf = (body: string) => reviewBlock(reviewItem({ ...REVIEW, body }));

/** For the scanner, the review is as documented up to its very end. */
const LONG = 'x'.repeat(200_000);
const UNENDED = reviewBlock(
	reviewItem({ author: LONG, rating: LONG, title: LONG, body: LONG, date: LONG }).replace(/<.div>$/, '<p>'),
);

const READ = true;
const REFUSED = false;

describe('html', () => {
	test.each<[string, string, boolean]>([
		['200 KB of b', bodyOf('<b>'.repeat(70_000)), REFUSED],
		['200 KB of b, each with an attribute of its own', bodyOf(numbered(20_000, (i) => `<b a${i}>`)), REFUSED],
		['200 KB of b and p', bodyOf('<b><p>'.repeat(33_000)), READ],
		['200 KB of a and p', bodyOf('<a><p>'.repeat(33_000)), READ],
		['200 KB of b that are closed after a block', bodyOf(nested('<b>', '<p></b>', 20_000)), REFUSED],
		['100,000 nested div', '<div>'.repeat(100_000), REFUSED],
		['100,000 nested div in a body', bodyOf(nested('<div>', '</div>', 100_000)), REFUSED],
		[
			'100,000 span and as many ends of nothing',
			bodyOf('<span>'.repeat(100_000) + '</x>'.repeat(100_000)),
			REFUSED,
		],
		['50,000 nested tables', bodyOf('<table><td>'.repeat(50_000)), REFUSED],
		[
			'100,000 elements that a table puts before itself',
			bodyOf(`<table>${'<i>x</i>'.repeat(100_000)}</table>`),
			READ,
		],
		[
			'100,000 texts that a table puts before itself',
			bodyOf(`<table>${'x<tr>'.repeat(100_000)}</table>`),
			READ,
		],
		['50,000 nested svg', bodyOf('<svg>'.repeat(50_000)), READ],
		['50,000 nested templates', bodyOf('<template>'.repeat(50_000)), READ],
		['100,000 attributes of one element', bodyOf(`<p ${numbered(100_000, (i) => `a${i} `)}>x</p>`), READ],
		['100,000 attributes of the page', `${numbered(100_000, (i) => `<html a${i}>`)}${bodyOf('x')}`, READ],
		['100,000 classes', bodyOf(`<p class="${'a '.repeat(100_000)}">x</p>`), READ],
		['a million ampersands', bodyOf('&'.repeat(1_000_000)), READ],
		['a million less-than signs', bodyOf('<'.repeat(1_000_000)), READ],
		['100,000 comments', bodyOf('<!---->'.repeat(100_000)), READ],
		['a million dashes in a comment', bodyOf(`<!--${'-'.repeat(1_000_000)}`), READ],
		['a reference of a million digits', bodyOf(`&#x${'0'.repeat(1_000_000)}41;`), READ],
		['50,000 reviews', reviewBlock(reviewItem({ body: 'x' }).repeat(50_000)), READ],
		[
			'50,000 reviews that a parser has to read',
			reviewBlock(reviewItem({ body: '<i>x' }).repeat(50_000)),
			REFUSED,
		],
		[
			'100,000 parts of a review',
			`<div class="review-item">${'<p class="review-body">x</p>'.repeat(100_000)}`,
			READ,
		],
		[
			'a rating of a million digits',
			reviewBlock(reviewItem({ title: 'x', rating: `${'1'.repeat(1_000_000)}/5` })),
			READ,
		],
		[
			'a date of a million digits',
			reviewBlock(reviewItem({ title: 'x', date: '1'.repeat(1_000_000) })),
			READ,
		],
		[
			'an address of a million dots',
			reviewBlock(reviewItem({ title: 'x', product: 'p', href: `https://${'a.'.repeat(500_000)}` })),
			READ,
		],
		['a review of a million characters that does not end', UNENDED, READ],
		['10 MB of text', bodyOf('x'.repeat(10_000_000)), REFUSED],
	])('%s', (_what, html, expected) => {
		// Without structured data that would stand in for it.
		expect(isReadInTime({ html, jsonld: '' })).toBe(expected);
	});
});

describe('text of a review', () => {
	test.each<[string, string]>([
		['white space', ' \n'],
		['white space that is wide', '\u3000'],
		['words of one letter', 'a '],
		['control characters', '\u0001'],
		['halves of characters', '\ud800'],
		['characters that show nothing', '\u200b'],
		['line breaks of two characters', '\r\n'],
		['marks on a letter', '\u0336'],
	])('a million characters: %s', (_what, text) => {
		const long = text.repeat(1_000_000 / text.length);
		const item = reviewItem({ ...REVIEW, author: long, title: `${long}x`, body: `x${long}x` });
		expect(isReadInTime({ html: reviewBlock(item) })).toBe(READ);
	});
});
