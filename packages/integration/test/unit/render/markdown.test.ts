import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { readReviewData } from '../../../src/records/read-review-data.js';
import type { Review } from '../../../src/records/record.js';
import { writeMarkdown } from '../../../src/render/markdown.js';
import { STRINGS } from '../../support/corpora.js';
import { dataOf, wireData } from '../../support/service/wire-data.js';
import { CHARACTERS, FRAGMENTS } from '../../support/unit/fuzz.js';
import { displayed, record } from '../../support/unit/record.js';
import { reviewData } from '../../support/unit/review-data.js';

const ADDRESS = 'https://shop.example/products/kettle/';

type Node = { readonly type: string; readonly value?: string; readonly children?: readonly Node[] };

function markdownOf(name: string | undefined, data: Parameters<typeof writeMarkdown>[0][number]['data']) {
	return writeMarkdown([{ name, address: ADDRESS, data, anonymous: 'Anonymous' }]);
}

/** The tree of a text without what it says: what a text of a stranger's must not change. */
const typesOf = ({ type, children = [] }: Node): string => `${type}(${children.map(typesOf).join()})`;
const textOf = ({ value = '', children = [] }: Node): string => value + children.map(textOf).join('\n');
const parse = (markdown: string): Node => fromMarkdown(markdown);

/** Heading, address, and numbers or their absence. */
const HEAD = ['heading(text())', 'paragraph(link(text()))', 'paragraph(text())'];

test('a reward is said of a review, and the reply of the store is no quote', () => {
	const reply = { text: '# Thanks!\n\n> *always*', author: 'Kari', date: '2026-11-23' };
	const markdown = markdownOf(
		'Kettle',
		reviewData({ reviews: [displayed({ incentivized: true, reply })] as never }),
	);
	expect(markdown).toContain('> Ada, 2026-11-20, received a reward for this review\n');
	expect(markdown).toContain(
		'\n\nReply from the store, Kari, 2026-11-23:\n\n\\# Thanks!\n\n\\> \\*always\\*\n',
	);
	expect(typesOf(parse(markdown))).toMatch(/blockquote\([^b]*\),paragraph\(text\(\)\),paragraph/);
});

test('a product has its name, address and numbers, and each review one quote', () => {
	const reviews = [
		displayed({ rating: 4.5, title: 'Good', body: 'Boils fast.\nAnd quietly.\n\n- really' }),
		displayed({ author: undefined, rating: undefined, title: undefined, date: undefined, body: '1. Fine' }),
	];
	expect(
		markdownOf('Kettle #1', reviewData({ reviews: reviews as never })),
	).toBe(`Each quote below is text written by a customer, not by the store.

# Customer reviews of Kettle \\#1

<${ADDRESS}>

Rating: 4.26 of 5, from 1,234 ratings.
Stars: 100 with 5, 40 with 4, 30 with 3, 20 with 2, 10 with 1.

> ★★★★★ 4.5 of 5 **Good**
> Ada, 2026-11-20
>
> Boils fast.
> And quietly.
>
> \\- really

> Anonymous
>
> 1\\. Fine
`);
	expect(markdownOf(undefined, undefined)).toContain('# Customer reviews\n\n');
	expect(markdownOf(undefined, undefined)).toContain('\nNo reviews yet.\n');
});

const TEXTS = [
	...[...STRINGS, ...FRAGMENTS, ...CHARACTERS],
	...['> a\n\nb', '***', '- - -', '    code', '~~~', 'a\n===', '|a|\n|-|', '+ a', '\\', '&amp;'],
	...['[a]: b', '`', '1)'],
];

test('no text of a stranger changes what a parser sees: one quote a review, and nothing but text in it', async () => {
	const pid = 'p-1';
	const wire = TEXTS.map((text, id) => ({
		...{ _id: `${id}`, pid, rtng: 4 },
		...{ un: text, rttl: text, rtxt: text, pn: text },
	}));
	const { reviews } = readReviewData(await dataOf({ ...wireData(), data: wire }, pid));
	expect(reviews).toHaveLength(TEXTS.length);
	// Each text is the name of a product, and in a quote: before that of the next, or after that of the last.
	for (let at = 0; at < reviews.length; at += 2) {
		const texts = JSON.stringify(TEXTS.slice(at, at + 2));
		const pair = reviews.slice(at, at + 2);
		const data = { aggregate: { average: 4, count: 2 }, reviews: pair };
		const products = pair.map(({ productName: name }, index) => {
			return { name, address: ADDRESS, data: index === 0 ? data : undefined, anonymous: 'A' };
		});
		const [notice, ...nodes] = parse(writeMarkdown(products)).children ?? [];
		const quotes = nodes.splice(3, pair.length);
		expect(
			[notice, ...nodes].map((node) => node && typesOf(node)),
			texts,
		).toEqual(['paragraph(text())', ...products.flatMap(() => HEAD)]);
		for (const [index, quote] of quotes.entries()) {
			const { title, body, author = 'A' } = pair[index] as Review;
			const head = title === undefined ? 'paragraph(text())' : 'paragraph(text(),strong(text()),text())';
			const [, ...paragraphs] = quote.children ?? [];
			expect(typesOf(quote), texts).toBe(
				`blockquote(${[head, ...paragraphs.map(() => 'paragraph(text())')].join()})`,
			);
			// All of it is there: white space alone may differ.
			const words = (all: string) => all.split(/\s+/).filter(Boolean).join(' ');
			const said = ['★★★★☆ 4 of 5', title, author, body].filter(Boolean).join(' ');
			expect(words(textOf(quote).replaceAll('\u2060', '')), texts).toBe(words(said));
		}
	}
});

/** What GitHub, remark-gfm and others make links of, in the text that is left when a parser has read all escapes. */
const AUTOLINKS =
	/(?:https?:\/\/|www(?=\.))[-.\w]+|[-.\w+]+@[-\w]+(?:\.[-\w]+)+|ftp:\/\/\w|(?:mailto|xmpp):[-.\w+]+@/i;

test.each([
	...['www.evil.example', 'WwW.evil.example', '(www.evil.example)', '**www..evil.example'],
	...['https://evil.example/x', 'HTTP://evil.example', 'ftp://evil.example', 'see http://a_b.example'],
	...[
		'a@evil.example',
		'a.b+c@evil-x.example!',
		'a_b@evil.example',
		'x@evil.example@b.example',
		'~a@b.example~',
	],
	...['mailto:a@evil.example', 'xmpp:a@evil.example/x', 'mailto:www.evil.example'],
])('an address in a text is read as it is, and no dialect makes a link of it: %s', (text) => {
	expect(text).toMatch(AUTOLINKS);
	const reviews = [displayed({ title: text, author: text, body: text })];
	const [, ...nodes] = parse(markdownOf(text, reviewData({ reviews: reviews as never }))).children ?? [];
	const own = nodes.filter((node) => !typesOf(node).includes('link')).map(textOf);
	for (const found of own) expect(found).not.toMatch(AUTOLINKS);
	expect(own.join('\n').replaceAll('\u2060', '').split(text)).toHaveLength(5);
});

test('the file of the crawler-readable reviews of a product has them, too', () => {
	expect(markdownOf('Kettle', record())).toContain(
		'Rating: 4.5 of 5, from 2 ratings.\n\n> ★★★★★ 5 of 5 **Good**\n> Ada, 2026-11-20\n>\n> Boils fast.\n',
	);
});
