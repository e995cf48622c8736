import { parseFragment, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { readPayload } from '../../../src/providers/hosted-reviews.js';
import { parseMarkup } from '../../../src/providers/read-html.js';
import { answer, REVIEW, type ReviewParts, reviewBlock, reviewItem } from '../../support/service/payload.js';
import { messageOf } from '../../support/unit/error.js';
import { NOTHING } from '../../support/unit/record.js';

const read = (html: string) => readPayload(answer({ html, jsonld: '' }));
const readOne = (parts: ReviewParts) => read(reviewBlock(reviewItem({ ...REVIEW, ...parts }))).reviews[0];

test('the documented structure', () => {
	expect(read(reviewBlock(reviewItem(REVIEW), reviewItem({ rating: 'Rating: 4/5' })))).toEqual({
		pid: 'p-1',
		aggregate: { count: 2, average: 4.5 },
		...{ heading: 'Customer Reviews', blockId: 'b-17', handle: 'reviews-block', schema: undefined },
		reviews: [
			{
				...{ productName: 'Kettle', productUrl: 'https://shop.example/products/p-1', author: 'Ada' },
				...{ rating: 5, title: 'Good', body: 'Boils fast.', date: '2026-11-20' },
			},
			{ ...NOTHING, rating: 4 },
		],
	});
});

const titled = (title: string) => reviewItem({ title });
const itemOf = (parts: string) => `<div class="review-item">${parts}</div>`;
const unlinked = itemOf('<i class="review-product">K</i><i class="review-title">a</i>');
const inside = reviewItem({ author: 'Mallory', body: 'Theirs' });
test.each<[string, string, object[]]>([
	['nothing', '', []],
	['no item', reviewBlock(), []],
	['items without a wrapper', titled('a'), [{ title: 'a' }]],
	['several classes', '<div class="x review-item y"><p class="a review-title">T', [{ title: 'T' }]],
	['markup around a part', itemOf('<section><b class="review-title">T</b></section>'), [{ title: 'T' }]],
	['a part twice', itemOf('<i class="review-title">1</i><i class="review-title">2</i>'), [{ title: '1' }]],
	['two wrappers', reviewBlock(titled('a')) + reviewBlock(titled('b')), [{ title: 'a' }, { title: 'b' }]],
	['a document', `<!doctype html><html><body>${reviewBlock(titled('a'))}</body></html>`, [{ title: 'a' }]],
	['a product that is no link', unlinked, [{ productName: 'K', title: 'a' }]],
	['an item inside an item', itemOf(`<p class="review-title">Mine</p>${inside}`), [{ title: 'Mine' }]],
])('a structure that is not documented: %s', (_what, html, reviews) => {
	expect(read(html).reviews).toEqual(reviews.map((review) => ({ ...NOTHING, ...review })));
});

test('an item inside a part of another is text of that part, and the first wrapper names the block', () => {
	const review = readOne({ body: `outer ${inside}` });
	expect(review).toMatchObject({ author: 'Ada', rating: 5, body: 'outer MalloryTheirs' });
	const html = reviewBlock() + reviewBlock().replaceAll('b-17', 'b-18');
	expect(read(html)).toMatchObject({ blockId: 'b-17', handle: 'reviews-block' });
});

test.each<[string, string, string | undefined]>([
	['entities are read once', '&amp;lt;b&amp;gt; &lt;b&gt; &quot;', '&lt;b&gt; <b> "'],
	['markup is unwrapped', 'a <b>bold</b> <i>move</i>', 'a bold move'],
	['script and style are left out', 'a<script>alert(1)</script><style>p{}</style>b', 'ab'],
	['comments are left out', 'a<!-- hidden -->b', 'ab'],
	['svg and math are left out', 'a<svg><text>x</text></svg><math><mi>y</mi></math>b', 'ab'],
	['form controls are left out', 'a<textarea>x</textarea><select><option>y</select>b', 'ab'],
	['frames are left out', 'a<iframe>z</iframe>b', 'ab'],
	['br is a line break', 'one<br>two<br/>three', 'one\ntwo\nthree'],
	['line breaks of any kind', 'a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh', 'a\nb\nc\nd\ne\nf\ng\nh'],
	['control characters go', 'a\u0001b\u001b[31mc\u007fd\u009be', 'ab[31mcde'],
	['noncharacters go', 'a\uffffb\ufdd0c', 'abc'],
	['NUL and a reference to it go', 'a\u0000b&#0;c', 'ab\ufffdc'],
	['a lone surrogate becomes the replacement character', 'a\ud800b', 'a\ufffdb'],
	['white space around it goes', ' \n a b \n ', 'a b'],
	['emoji and right-to-left text stay', 'שלום 👩‍👩‍👧 مرحبا', 'שלום 👩‍👩‍👧 مرحبا'],
	['white space alone is nothing', ' \n\t ', undefined],
	['what shows nothing is nothing', '\u200b\u202e\u2060', undefined],
])('text: %s', (_what, body, expected) => {
	expect(readOne({ body })?.body).toBe(expected);
});

test('title, author and product are one line', () => {
	const text = 'one\n  two<br>three\u2028four\u0085five';
	const { title, author, productName } = readOne({ title: text, author: text, product: text }) ?? {};
	expect([title, author, productName]).toEqual(Array(3).fill('one two three four five'));
});

test.each<[string, number | undefined]>([
	['Rating: 5/5', 5],
	['Rating: 4.5/5', 4.5],
	['Bewertung: 4,5/5', 4.5],
	['4/5', 4],
	['Rating: 4 / 5', 4],
	['Rating: 4.333333333333333/5', 4.33],
	['評価: 3/5', 3],
	['Rating: 0/5', undefined],
	['Rating: 6/5', undefined],
	['Rating: -3/5', undefined],
	['Rating: −3/5', undefined],
	['Rating: 14/5', undefined],
	['Rating: 1.5.4/5', undefined],
	['Rating: 5/50', undefined],
	['Rating: 5', undefined],
	['Rating: NaN/5', undefined],
	['', undefined],
])('the rating %j is %j', (rating, expected) => {
	expect(readOne({ rating })?.rating).toBe(expected);
});

test.each<[string, string | undefined]>([
	['2026-11-20', '2026-11-20'],
	[' 2026-11-20 ', '2026-11-20'],
	['2026-11-20T23:30:00-05:00', '2026-11-21'],
	['1795219200000', '2026-11-21'],
	['2026-02-31', undefined],
	['20.11.2026', undefined],
	['0000-01-01', undefined],
	['', undefined],
])('the date %j is %j', (date, expected) => {
	expect(readOne({ date })?.date).toBe(expected);
});

test.each<[string, string | undefined]>([
	['https://shop.example/p/1', 'https://shop.example/p/1'],
	['http://shop.example/p?a=1&amp;b=2#r', 'http://shop.example/p?a=1&b=2#r'],
	[' HTTPS://Shop.Example/ä b ', 'https://shop.example/%C3%A4%20b'],
	['https://shop.example/&quot;&gt;&lt;script&gt;', 'https://shop.example/%22%3E%3Cscript%3E'],
	['javascript:alert(1)', undefined],
	['java\nscript:alert(1)', undefined],
	['\u0001javascript:alert(1)', undefined],
	['data:text/html,x', undefined],
	['/products/p-1', undefined],
	['//cdn.example/p', 'https://cdn.example/p'],
	['///p', undefined],
	['https:/evil.example', undefined],
	['\\\\evil.example', undefined],
	['https://shop.example@evil.example', undefined],
	['https://', undefined],
	['https://exa mple', undefined],
	[`https://shop.example/${'a'.repeat(3_000)}`, undefined],
	['', undefined],
])('the link %j is %j', (href, expected) => {
	expect(readOne({ href })?.productUrl).toBe(expected);
});

test('texts are cut between words and characters, with an ellipsis', () => {
	const filler = 'word '.repeat(10_000);
	const { body, title, author, productName } =
		readOne({ body: filler, title: filler, author: filler, product: filler }) ?? {};
	for (const text of [body, title, author, productName]) expect(text).toMatch(/word?…$|wo…$|w…$/);
	expect(body).toHaveLength(20_000);
	expect(title?.length).toBeLessThanOrEqual(500);
	expect(author?.length).toBeLessThanOrEqual(200);
	expect(productName?.length).toBeLessThanOrEqual(200);
	const cut = readOne({ title: '😀'.repeat(400), author: `a${'😀'.repeat(150)}` });
	expect([cut?.title?.isWellFormed(), cut?.author?.isWellFormed()]).toEqual([true, true]);
	expect(cut?.author).toHaveLength(200);
});

test('text behind a lot of white space or control characters is still read, and 2,000 reviews at most', () => {
	const review = readOne({ title: `${' \n'.repeat(60_000)}a`, body: `${'\u0001'.repeat(90_000)}b` });
	expect(review).toMatchObject({ title: 'a', body: 'b' });
	const items = Array.from({ length: 2_100 }, (_, index) => reviewItem({ title: `t${index}` }));
	const { reviews } = read(reviewBlock(...items));
	expect(reviews).toHaveLength(2_000);
	expect(reviews.at(-1)?.title).toBe('t1999');
});

const fonts = Array.from({ length: 60 }, (_, index) => `<font a=${index}>`).join('');
const NONE = 'contains neither a block nor a review as the service documents them.';
test.each<[string, string, string]>([
	['larger than 4 MiB', 'a'.repeat(4_194_305), 'is 4194305 characters long; the limit is 4194304'],
	['65 levels in a body', reviewItem({ body: `${'<i>'.repeat(65)}x` }), 'nests'],
	['formatting that the parser repeats', `<div>${fonts}</div>${'<div>x</div>'.repeat(50_000)}`, 'creates'],
	['no block', 'Service unavailable', NONE],
])('%s: an error of this product', async (_what, html, problem) => {
	const message = await messageOf(() => read(html));
	expect(message).toContain(`ReviewPayloadError: The html of the reviews ${problem}`);
	expect(message).toMatch(/\n.*Check what (the service|it) sends/);
});

test.each([
	['nests', '<i>'.repeat(70)],
	['multiplies', `${Array.from({ length: 500 }, (_, i) => `<b a${i}>`).join('')}${'<p>x'.repeat(520)}`],
])('a text that %s elements costs nothing where the structured data is whole', (_what, body) => {
	const html = reviewBlock(reviewItem({ ...REVIEW, body }), reviewItem(REVIEW));
	expect(readPayload(answer({ html })).reviews).toMatchObject([{ author: 'Ada', body: 'Boils fast.' }]);
});

test('what is on the border of two pieces is parsed as in one', () => {
	for (const text of [
		'\r\n',
		'👟',
		'&#x1F45F;',
		'<b class="x">y</b>',
		'<!-- a > b -->',
		'<a href="&amp;">z</a>',
		'\0',
	])
		for (let before = 16_384 - text.length - 1; before <= 16_385; before++) {
			const markup = `${'x'.repeat(before)}${text}<p>end${text}`;
			expect(serialize(parseMarkup(markup, 'It'))).toBe(serialize(parseFragment(markup)));
		}
});
