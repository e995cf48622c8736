import { describe, expect, test } from 'vitest';
import { attributes, Html, html, jsonForScript, type Part } from '../../../src/render/html.js';
import { findElements } from '../../support/page/elements.js';

// The one place where text becomes html: what it does to every character.

const CHARACTERS = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code));
const REFERENCES: Readonly<Record<string, string>> = {
	...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
	...{ '\n': '&#10;', '\r': '' },
};
const written = (part: Part) => html`${part}`.toString();

test('each special character becomes a reference, wherever and however often it stands, and no other changes', () => {
	const changed = CHARACTERS.filter((character) => written(character) !== character);
	expect(changed.toSorted()).toEqual(Object.keys(REFERENCES).toSorted());
	for (const character of changed) {
		const reference = REFERENCES[character] ?? '';
		expect(written(character)).toBe(reference);
		const spread = (one: string) => `a${one}b${one}${one}c`;
		expect(written(spread(character))).toBe(spread(reference));
		expect(attributes({ title: spread(character) }).toString()).toBe(` title="${spread(reference)}"`);
	}
});

test('any two special characters, and a text that is escaped already, are read back as they were', () => {
	const special = [...Object.keys(REFERENCES), ';', '#', 'amp;', 'lt;', '$&', '$1', '`', '</p>', '-->'];
	for (const first of special) {
		for (const second of special) {
			const text = `x${first}${second}`;
			const page = html`<p title="${text}">${text}</p>`.toString();
			const kept = text.replaceAll('\r', '');
			const elements = [{ tag: 'p', attributes: { title: kept } }];
			expect(findElements(page)).toEqual({ elements, text: kept, comments: 0 });
			expect(page).not.toMatch(/[\r\n]/);
		}
	}
});

test.each<[string, Html, string]>([
	['a template without parts', html`<br>`, '<br>'],
	['a template that begins and ends with a part', html`${'a'}<br>${'b'}`, 'a<br>b'],
	['what a template made', html`<b>${html`<i>${'<'}</i>`}</b>`, '<b><i>&lt;</i></b>'],
	['html that is known to be safe', html`${new Html('<hr>')}`, '<hr>'],
	['numbers', html`${0}${7}${-1.5}`, '07-1.5'],
	['nothing', html`a${undefined}${false}${''}${[]}b`, 'ab'],
	['lists in lists', html`${['<', [html`<br>`, [1, undefined, false]], '>']}`, '&lt;<br>1&gt;'],
])('%s', (_what, template, expected) => {
	expect(template.toString()).toBe(expected);
});

describe('attributes', () => {
	test.each<[Record<string, unknown>, string]>([
		[{}, ''],
		[{ class: 'a "b"', id: 'c' }, ' class="a &quot;b&quot;" id="c"'],
		[{ id: undefined, title: null, hidden: false, inert: true }, ' inert'],
		[{ INERT: true, Title: 'a' }, ' inert title="a"'],
		[{ class: 'a', CLASS: 'b' }, ' class="b"'],
		[{ title: 'a', TITLE: undefined }, ' title="a"'],
		[{ slot: 'rating', SLOT: 'other', id: 'a', 'data-slot': 'b' }, ' id="a" data-slot="b"'],
		[{ title: 'a\r\nb' }, ' title="a&#10;b"'],
		[{ 'data-n': 0, 'data-e': '', 'data-nan': Number.NaN }, ' data-n="0" data-e="" data-nan="NaN"'],
		[
			{ style: { fontWeight: 600, WebkitTextFill: 'a"' } },
			' style="font-weight:600;-webkit-text-fill:a&quot;"',
		],
		[{ STYLE: { gridRowGap: 0, color: 'red' } }, ' style="grid-row-gap:0;color:red"'],
		[{ style: 'color:red"onload=' }, ' style="color:red&quot;onload="'],
		[{ title: { toString: () => '<' } }, ' title="&lt;"'],
	])('%j is %j', (values, expected) => {
		expect(attributes(values).toString()).toBe(expected);
	});

	test('a name is letters, digits and a few signs, and begins with none of the others', () => {
		const isWritten = (name: string) => attributes({ [name]: 'x' }).toString() !== '';
		const letters = 'abcdefghijklmnopqrstuvwxyz';
		const first = [...letters, ...letters.toUpperCase(), '_', ':'].sort();
		expect(CHARACTERS.filter(isWritten)).toEqual(first);
		const further = [...first, ...'-.0123456789'].sort();
		expect(CHARACTERS.filter((character) => isWritten(`a${character}`))).toEqual(further);
		expect(CHARACTERS.filter((character) => isWritten(`a${character}b`))).toEqual(further);
		expect(['', 'a b', 'a\nb'].filter(isWritten)).toEqual([]);
		expect(['data-product-id', 'xlink:href', 'x.y'].filter(isWritten)).toHaveLength(3);
	});
});

test('JSON for a script element has no character that could end it, and is read back as it was', () => {
	const special = CHARACTERS.filter((character) => jsonForScript(character) !== JSON.stringify(character));
	expect(special).toEqual(['&', '<', '>', '\u2028', '\u2029']);
	for (const text of ['</script><b>', '<!--<script>', ']]>', '&lt;', ...special, '\ud800', '"\\', '$&']) {
		const json = jsonForScript({ [text]: [text, text + text] });
		expect(json).not.toMatch(/[<>&\u2028\u2029]/);
		expect(JSON.parse(json)).toEqual({ [text]: [text, text + text] });
	}
});
