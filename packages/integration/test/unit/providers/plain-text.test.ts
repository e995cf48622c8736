import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from '../../../src/providers/plain-text.js';

test.each<[string | null | undefined, string]>([
	['<p>Nice &#8211; it&#8217;s great</p>', 'Nice – it’s great'],
	['Tom &amp; Ann', 'Tom & Ann'],
	['5 &lt; 6 &amp;lt; 7', '5 < 6 &lt; 7'],
	['&amp;amp;', '&amp;'],
	['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
	['No tags\nand its own\n\nbreaks', 'No tags\nand its own\n\nbreaks'],
	['One<br>two<br/>three', 'One\ntwo\nthree'],
	['<p>One\n  and</p>\n<p>two</p>', 'One and\n\ntwo'],
	['<div>One</div><div>two</div>', 'One\ntwo'],
	['<p>One</p><p></p><div><p>two</p></div>', 'One\n\ntwo'],
	['One<br><br><br>two', 'One\n\ntwo'],
	['<p>I</p><ul><li>Light</li><li>Warm</li></ul>', 'I\n\nLight\nWarm'],
	['<pre>a\n  b</pre>', 'a\nb'],
	['<strong>Very</strong> <em>good</em>!', 'Very good!'],
	['Safe<script>alert("<b>1</b>")</script><style>p{}</style> text', 'Safe text'],
	['<title>No</title>Yes<template><p>no</p></template>', 'Yes'],
	['<a href="https://a.example/?a=1&amp;b">Link</a>', 'Link'],
	['Great <img class="emoji" alt="😀" src="https://s.w.org/1f600.svg">', 'Great 😀'],
	['A photo <img src="a.jpg" alt="a.jpg">', 'A photo'],
	['<!-- wp:paragraph --><p>Block</p><!-- /wp:paragraph -->', 'Block'],
	['<p>Not closed <b>at all', 'Not closed at all'],
	['<p title="a>b">Quoted</p>', 'Quoted'],
	['a\0b', 'ab'],
	['   ', ''],
	['', ''],
	[null, ''],
	[undefined, ''],
])('%j is read as %j', (html, text) => {
	expect(plainText(html)).toBe(text);
});

test('whatever it is given ends, and in time that grows as its length', () => {
	fc.assert(
		fc.property(
			fc.string({ unit: fc.constantFrom('<', '>', '&', 'p', '/', ' ', '\n', '"', '!', '-', ';', '\0') }),
			(html) => {
				expect(plainText(html)).not.toMatch(/\0/);
			},
		),
	);
	const nested = '<b><p><a>'.repeat(100_000);
	const before = performance.now();
	expect(plainText(nested)).toBe('');
	expect(performance.now() - before).toBeLessThan(5_000);
});
