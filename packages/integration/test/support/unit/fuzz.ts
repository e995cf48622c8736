import fc from 'fast-check';
import { STRINGS } from '../corpora.js';

/** Markup, references and pieces of the service's own html and JSON that a parser may treat in a way of its own. */
export const FRAGMENTS: readonly string[] = [
	...`< > & " ' = / \\ { } [ ] , :`.split(' '),
	...[' ', '\r', '\n', '\t', '\f', '\0', ' id="x"', ' onclick="x"', ' onclick=x '],
	...'&amp; &lt; &gt; &quot; &apos; &#39; &#x27; &#34; &#60; &#x3c; &#X3C; &#0; &#13;'.split(' '),
	...'&#128; &#xd800; &amp &amp= &lt &quot &apos &#39 &#x27 &not &notin; &AMP; &copy'.split(' '),
	...'<!-- --> <! <? </ <![CDATA[ ]]> <br> <p> </p> <b> </b> <a> </a> <div> </div> <h2> </h2>'.split(' '),
	...'<style> </style> </style/x> <script> </script> <title> </title> <textarea> <noscript>'.split(' '),
	...'<iframe> <xmp> <plaintext> <table> <tr> <td> <form> <li> <nobr> <select> <option>'.split(' '),
	...'<template> <object> <input> <image> <frameset> <svg> <math> <mi> <desc> <foreignObject>'.split(' '),
	...['</svg>', '</math>', '<font a>', '<body a>', '<html a>', '<h2>x</h2>'],
	...'class="review-item" class="review-body" review- data-id=" __proto__ \\u003c \\ud800 1e999'.split(' '),
	...['<div class="review-item">', '<div class="review-date">', '<a class="review-product-link" href="'],
	...['<div class="review-item"></div>', '<div class="review-body">x</div>'],
	'<div class="review-title">&lt;</div>',
];

/** Characters that a page or a script must not hold, or that change how others are shown. */
export const CHARACTERS: readonly string[] = [
	...['\u0000', '\u0001', '\u001b[31m', '\u007f', '\u0085', '\u009b', '\ufdd0', '\uffff', '\u{1fffe}'],
	...['\ud800', '\udfff', '\u00a0', '\u00ad', '\u200b', '\u200e', '\u202e', '\u2028', '\u2029', '\u2060'],
	...['\u2066', '\u3000', '\ufeff', '\u0130', '…', 'ﷺ', 'e\u0301', 'z\u0336\u0337\u0338'],
	...['👩‍👩‍👧', 'שלום', 'مرحبا'],
];

/** Every run tries the same cases, so that it fails for a change and not by chance. FAST_CHECK_SEED tries others. */
export const SEED = Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121);

/** How often a property is tried. A failure prints the seed and the smallest case that fails. */
export function times(numRuns: number): { seed: number; numRuns: number } {
	return { seed: SEED, numRuns };
}

/** A UTF-16 code unit of any kind: halves of characters among them. */
const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

const piece = fc.oneof(
	{ arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), weight: 3 },
	{ arbitrary: fc.string({ unit: 'binary', maxLength: 12 }), weight: 1 },
	{ arbitrary: fc.string({ unit: codeUnit, maxLength: 8 }), weight: 1 },
	{ arbitrary: fc.constantFrom(...CHARACTERS), weight: 2 },
	{ arbitrary: fc.constantFrom(...FRAGMENTS), weight: 2 },
	{ arbitrary: fc.constantFrom(...STRINGS), weight: 2 },
	// Longer than what is kept of a name or a title.
	{
		arbitrary: fc.tuple(fc.constantFrom('a', 'ä ', '😀', ' '), fc.nat(600)).map(([c, n]) => c.repeat(n)),
		weight: 1,
	},
);

export const strangersText: fc.Arbitrary<string> = fc
	.array(piece, { maxLength: 4 })
	.map((pieces) => pieces.join(''));

const edit = fc.record({
	kind: fc.constantFrom('insert', 'insert', 'insert', 'delete', 'repeat', 'swap', 'cut'),
	at: fc.nat(0xffff),
	length: fc.oneof(fc.nat(3), fc.nat(60), fc.nat(600)),
	text: fc.oneof(fc.constantFrom(...FRAGMENTS), fc.constantFrom(...CHARACTERS), fc.constantFrom(...STRINGS)),
});

type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function apply(text: string, { kind, at, length, text: inserted }: Edit): string {
	const start = Math.floor((at / 0x10000) * (text.length + 1));
	const before = text.slice(0, start);
	const slice = text.slice(start, start + length);
	const after = text.slice(start + length);
	if (kind === 'insert') return before + inserted + slice + after;
	if (kind === 'delete') return before + after;
	if (kind === 'repeat') return before + slice + slice + after;
	if (kind === 'swap') return before + after.slice(0, length) + slice + after.slice(length);
	return before;
}

/** A text that was damaged in a few places: pieces put in, taken away, doubled or swapped, or the end cut off. */
export function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
	return fc
		.tuple(text, fc.array(edit, { minLength: 1, maxLength: 4 }))
		.map(([whole, edits]) => edits.reduce(apply, whole));
}
