import { describe, expect, test } from 'vitest';
import { parseHtml } from '../../../src/payload/parse-html.js';
import { scanHtml } from '../../../src/payload/scan-html.js';
import { scriptText } from '../../../src/payload/script-text.js';
import hostileStrings from '../../support/unit-hostile-strings.json' with { type: 'json' };

const review = (body: string, title = 'A &quot;title&quot; &amp; more') =>
	`<div class="review-item"><div class="review-product"><a class="review-product-link" href="https://shop.example/p?a=1&amp;b=2">Mug &lt;3</a></div><div class="review-author">Ada</div><div class="review-rating">Rating: 4.5/5</div><div class="review-title">${title}</div><div class="review-body">${body}</div><div class="review-date">2026-01-02</div></div>`;
const block = (...reviews: string[]) =>
	`<div class="rvw_b1" data-id="b1" data-block-handle="product-reviews"><style>.rvw_b1{position:absolute}</style><h2>Reviews</h2>${reviews.join('')}</div>`;

const DOCUMENTED = block(review('Fine &#39;mug&#39;.\nSecond line.'), review('مرحبا 👋 5 &gt; 4'));

/** The same numbers in every run. */
function createRandom(seed: number) {
	let state = seed;
	return (below: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

const FRAGMENTS = [
	...[
		'<',
		'>',
		'&',
		'"',
		"'",
		'=',
		'/',
		'\r',
		'\n',
		'\0',
		'\f',
		' ',
		'</div>',
		'<div>',
		'<p>',
		'</p>',
		'<b>',
		'</b>',
	],
	...[
		'&amp',
		'&lt;',
		'&#60;',
		'&notin;',
		'&not',
		'&apos;',
		'&AMP;',
		'&#x3c;',
		'<br>',
		'<!--',
		'-->',
		'<![CDATA[',
		'<a>',
	],
	...[
		'<style>',
		'</style>',
		'<h2>',
		'</h2>',
		'<script>',
		'<table>',
		'<tr>',
		'<svg>',
		'<select>',
		'<template>',
		'<plaintext>',
	],
	...[
		'class="review-item"',
		'class="review-body"',
		' id="x"',
		'review-',
		'data-id="',
		'<div class="review-item">',
		'<div class="review-date">',
	],
];

function mutate(html: string, random: (below: number) => number): string {
	let mutated = html;
	for (let count = 1 + random(3); count > 0; count--) {
		const at = random(mutated.length + 1);
		const length = random(4) === 0 ? random(60) : random(3);
		const inserted = [
			FRAGMENTS[random(FRAGMENTS.length)],
			hostileStrings[random(hostileStrings.length)],
			mutated.slice(random(mutated.length)).slice(0, random(120)),
			'',
		][random(4)];
		mutated = mutated.slice(0, at) + inserted + mutated.slice(at + length);
	}
	return mutated;
}

describe('the scanner reads what it accepts as a parser does', () => {
	test('the documented shape is accepted', () => {
		const scanned = scanHtml(DOCUMENTED);
		expect(scanned?.reviews.length).toBe(2);
		expect(scanned).toEqual(parseHtml(DOCUMENTED));
	});

	test.each([
		['no review', block()],
		['no style', DOCUMENTED.replace(/<style>.*<\/style>/, '')],
		['no heading', DOCUMENTED.replace(/<h2>.*<\/h2>/, '')],
		['empty parts', block(review('', ''))],
		[
			'a product without a link',
			block('<div class="review-item"><div class="review-product">Mug</div></div>'),
		],
		['an empty review', block('<div class="review-item"></div>')],
	])('accepted: %s', (_name, html) => {
		expect(scanHtml(html)).toBeDefined();
		expect(scanHtml(html)).toEqual(parseHtml(html));
	});

	test.each([
		['markup in a text', block(review('A <b>bold</b> word'))],
		['a reference that only a parser knows', block(review('&notin; &copy'))],
		['a carriage return', block(review('one\rtwo'))],
		['NUL', block(review('one\0two'))],
		['an unclosed review', DOCUMENTED.replace('</div></div>', '</div>')],
		['something after the block', `${DOCUMENTED}<p>more</p>`],
		['attributes in single quotes', DOCUMENTED.replace('data-id="b1"', "data-id='b1'")],
		['nothing', ''],
		[
			'parts twice',
			block(review('One.').replace('</div></div>', '</div><div class="review-body">Two.</div></div>')),
		],
		['attributes after the documented ones', block(review('One.').replace('<a class', '<a id="x" class'))],
	])('left to the parser: %s', (_name, html) => {
		expect(scanHtml(html)).toBeUndefined();
	});

	test('6,000 mutated payloads', () => {
		const random = createRandom(20_261_121);
		let accepted = 0;
		for (let run = 0; run < 6_000; run++) {
			const html = mutate(DOCUMENTED, random);
			const scanned = scanHtml(html);
			if (!scanned) continue;
			accepted += 1;
			expect(scanned, JSON.stringify(html)).toEqual(parseHtml(html));
		}
		expect(accepted).toBeGreaterThan(300);
	});

	test('the script of the JSON-LD, mutated', () => {
		const random = createRandom(7);
		const documented =
			'<script id="ServiceReviewSchemaJson" type="application/ld+json">{"@type":"Product","name":"A \\u003c b &amp; c"}</script>';
		for (let run = 0; run < 3_000; run++) {
			const markup = mutate(documented, random);
			// White space before it makes the documented shape one that only the parser reads.
			expect(scriptText(markup), JSON.stringify(markup)).toBe(scriptText(` ${markup}`));
		}
	});
});
