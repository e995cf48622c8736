import { describe, expect, test } from 'vitest';
import { attributes, html } from '../../../src/render/html.js';
import { jsonForScript } from '../../../src/render/json-script.js';
import { findElements } from '../../support/page/elements.js';

const HOSTILE = `</p></script><!--"'\`&amp;&<img src=x onerror=alert(1)>\n$&$1`;

test('text is escaped in content and in an attribute, and read back as it was', () => {
	const written = html`<p title="${HOSTILE}">${HOSTILE}</p>`.toString();
	expect(written).toMatchInlineSnapshot(
		`"<p title="&lt;/p&gt;&lt;/script&gt;&lt;!--&quot;&#39;\`&amp;amp;&amp;&lt;img src=x onerror=alert(1)&gt;&#10;$&amp;$1">&lt;/p&gt;&lt;/script&gt;&lt;!--&quot;&#39;\`&amp;amp;&amp;&lt;img src=x onerror=alert(1)&gt;&#10;$&amp;$1</p>"`,
	);
	const { elements, text } = findElements(written);
	expect(elements).toEqual([{ tag: 'p', attributes: { title: HOSTILE } }]);
	expect(text).toBe(HOSTILE);
});

test('what the template made goes in as it is, lists and nothing included', () => {
	const item = html`<li>${'<'}</li>`;
	expect(html`<ol>${[item, [item], undefined, false]}${7}${undefined}${false}${0}</ol>`.toString()).toBe(
		'<ol><li>&lt;</li><li>&lt;</li>70</ol>',
	);
});

describe('attributes', () => {
	test.each<[Record<string, unknown>, string]>([
		[{}, ''],
		[{ class: 'a "b"' }, ' class="a &quot;b&quot;"'],
		[{ id: undefined, title: null, hidden: false, inert: true }, ' inert'],
		[{ style: { color: 'red', fontWeight: 600 } }, ' style="color:red;font-weight:600"'],
		[{ slot: 'rating', SLOT: 'other', id: 'a' }, ' id="a"'],
		[{ class: 'a', CLASS: 'b' }, ' class="b"'],
		[{ title: 'a\r\nb' }, ' title="a&#10;b"'],
		[{ 'data-n': 0, 'data-e': '' }, ' data-n="0" data-e=""'],
		[{ '@click': 'x', 'xlink:href': 'y', _a: 'z' }, ' xlink:href="y" _a="z"'],
		[{ 'a b': '1', 'a>': '2', 'a="': '3', '': '4', '1a': '5', 'on/x': '6' }, ''],
		[{ style: 'color:red"onload=' }, ' style="color:red&quot;onload="'],
	])('%j is %j', (values, expected) => {
		expect(attributes(values).toString()).toBe(expected);
	});
});

describe('JSON for a script element', () => {
	test.each(['</script><b>', '<!--<script>', ']]>', '&lt;', '\u2028\u2029', '\ud800', '"\\', '$&'])(
		'%j',
		(text) => {
			const written = jsonForScript({ text });
			expect(written).not.toMatch(/[<>&\u2028\u2029]/);
			expect(JSON.parse(written)).toEqual({ text });
		},
	);
});
