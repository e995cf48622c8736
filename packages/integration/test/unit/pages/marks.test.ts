import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMarks, type MarkedHtml } from '../../../src/pages/marks.js';
import { proveFile } from '../../../src/pages/page.js';
import { editPage } from '../../../src/publish/plan-page.js';
import { times } from '../../support/unit/fuzz.js';

const NONCE = '0123456789abcdef0123456789abcdef';
const OTHER = createMarks('f'.repeat(32));

/** What looks like a mark and is none. */
const LOOKALIKES = [
	...['<!--', '-->', '<!---->', '<!-- 0 -->', `<!--${NONCE.slice(1)} 0-->`, NONCE.slice(0, 31)],
	OTHER.put({ html: 'x', facts: [] }, 0, new Map()).html,
];
const text = fc
	.array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.constantFrom(...LOOKALIKES)), {
		maxLength: 4,
	})
	.map((pieces) => pieces.join(''));
const html = fc.oneof(fc.constant(''), fc.constant('<i>same</i>'), text);
const parts = fc.dictionary(fc.constantFrom('heading', 'summary', 'reviews'), html, { minKeys: 1 });
const piece = fc.oneof(
	fc.record({ own: text }),
	fc.record({ html, again: fc.boolean() }),
	fc.record({ parts }),
);
const page = fc.array(piece, { maxLength: 8 });
type Piece = typeof piece extends fc.Arbitrary<infer Value> ? Value : never;

/** The page with marks, and its texts in order: those of fragments with what is to be found there. */
function write(pieces: readonly Piece[]) {
	const marks = createMarks(NONCE);
	const given: MarkedHtml = new Map();
	const marked: string[] = [];
	const texts: { readonly text: string; readonly of?: Record<string, unknown> }[] = [];
	for (const [dependency, one] of pieces.entries()) {
		if ('own' in one) {
			marked.push(one.own);
			texts.push({ text: one.own });
		} else if ('parts' in one) {
			const { parts = {} } = marks.put({ html: '', parts: one.parts, facts: [] }, dependency, given);
			for (const [part, text] of Object.entries(one.parts)) {
				marked.push(parts[part] ?? '');
				texts.push({ text, of: { dependency, part } });
			}
		} else {
			const put = marks.put({ html: one.html, facts: [] }, dependency, given);
			for (const _ of one.again ? [1, 2] : [1]) {
				marked.push(put.html);
				texts.push({ text: one.html, of: { dependency } });
			}
		}
	}
	return { marks, given, marked: marked.join(''), texts };
}

test('marks come out of a page as they were put in, and say where everything stands, also after an edit', () => {
	fc.assert(
		fc.property(page, fc.array(fc.option(html), { maxLength: 24 }), (pieces, news) => {
			const { marks, given, marked, texts } = write(pieces);
			const { body, places } = marks.take(Buffer.from(marked), given) ?? expect.unreachable();
			expect(body.toString()).toBe(texts.map(({ text }) => text).join(''));
			let offset = 0;
			const placed = texts.flatMap(({ text, of }) => {
				const length = Buffer.byteLength(text);
				offset += length;
				return of ? [{ ...of, offset: offset - length, length }] : [];
			});
			expect(places).toEqual(placed);

			const changed = new Map<number, Buffer>();
			for (const [index, text] of news.slice(0, places.length).entries())
				if (text !== null) changed.set(index, Buffer.from(text));
			const file = { ...proveFile(body), places };
			const edited = editPage({ address: '/', dependencies: [], file }, body, changed);
			let place = 0;
			const expected = texts.map(({ text, of }) => (of && changed.get(place++)?.toString()) ?? text);
			expect(edited.contents.toString()).toBe(expected.join(''));
			expect(edited.page.file).toMatchObject(proveFile(edited.contents));
			const found = edited.page.file?.places.map(({ offset, length }) =>
				edited.contents.toString('utf8', offset, offset + length),
			);
			expect(found).toEqual(expected.filter((_, index) => texts[index]?.of));
		}),
		times(400),
	);
});

/** What sites do to html. */
const CHANGES: readonly ((html: string) => string)[] = [
	(html) => html.replaceAll(/<!--[\s\S]*?-->/g, ''),
	(html) => html.replaceAll(/\s+/g, ' '),
	(html) => html.replaceAll('\n', ''),
	(html) => JSON.stringify(html),
	(html) => JSON.stringify(html).slice(1, -1),
	(html) => html.replaceAll('<', '\\u003c'),
	(html) => html.replaceAll('"', '&quot;'),
	(html) => html.replaceAll("'", '&#39;'),
	(html) => html.replaceAll('"', "'"),
	(html) => html.replaceAll('&', '&amp;'),
	(html) => html.replaceAll('&amp;', '&'),
	(html) => html.toUpperCase(),
	(html) => html.toLowerCase(),
	(html) => html.replaceAll(/[^\0-~]/g, '?'),
	(html) => html.replaceAll('<a ', '<a rel="nofollow" '),
	(html) => html.replaceAll('<img ', '<img loading="lazy" '),
	(html) => html.replaceAll('http:', 'https:'),
	(html) => html.replaceAll('/>', '>'),
	(html) => html.slice(0, html.length / 2),
	(html) => [...html].reverse().join(''),
	(html) => encodeURIComponent(html),
	(html) => Buffer.from(html).toString('base64'),
];

test('a page that changes what it is given has no places, whatever it shows now', () => {
	fc.assert(
		fc.property(html, html, fc.constantFrom(...CHANGES), (first, second, change) => {
			const { marks, given, marked } = write([
				{ own: '<p>' },
				{ html: first, again: false },
				{ own: ' ' },
				{ html: second, again: false },
				{ own: '</p>' },
			]);
			expect(marks.take(Buffer.from(change(marked).toWellFormed()), given)).toBeUndefined();
		}),
		times(300),
	);
});

test('a page that drops a fragment, changes a letter of it, or tells the marks, has no places', () => {
	const { marks, given, marked } = write([
		{ html: 'a', again: false },
		{ html: '', again: false },
		{ html: 'zz', again: false },
	]);
	const end = `<!--${NONCE}-->`;
	const [start = ''] = marked.split('a<');
	const half = marked.slice(0, marked.length / 2);
	expect(marks.take(Buffer.from(marked), given)?.places).toHaveLength(3);
	for (const html of [
		half,
		...[NONCE, `<!--${NONCE}`, end, half, marked.slice(1)].flatMap((more) => [marked + more, more + marked]),
		marked.replace(`a${end}`, `b${end}`),
		marked.replace(`a${end}`, `aa${end}`),
		marked.replace(`<!--${NONCE} 0`, `<!--${NONCE} 7`),
		// Without its last mark, but for a byte; without any end at all.
		marked.replace(new RegExp(`${end}$`), '>'),
		start,
	])
		expect(marks.take(Buffer.from(html), given)).toBeUndefined();
});
