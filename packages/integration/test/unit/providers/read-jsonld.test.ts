import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../src/providers/hosted-reviews.js';
import { createDropCounter } from '../../../src/records/field-reader.js';
import { answer, SCHEMA, schemaScript } from '../../support/service/payload.js';
import { messageOf } from '../../support/unit/error.js';
import { scriptJson } from '../../support/unit/hostile.js';

type Parts = Readonly<Record<string, unknown>>;

const [REVIEW] = SCHEMA.review;
const READ = { author: 'Ada', rating: 5, publisher: 'Shop', body: 'Boils fast.', date: '2026-11-20' };
const UNKNOWN = { author: undefined, rating: undefined, publisher: undefined, date: undefined };

/** What the script says of the product; `'unreadable'` where the html stands in for it. */
function read(jsonld: string) {
	const { drop, dropped } = createDropCounter();
	const { schema } = readPayload(answer({ jsonld }), drop);
	return dropped['structured-data-unreadable'] ? 'unreadable' : schema;
}
const readParts = (parts: Parts) => {
	const schema = read(schemaScript({ ...SCHEMA, ...parts }));
	return schema === 'unreadable' ? undefined : schema;
};
const readReview = (parts: Parts) => readParts({ review: [{ ...REVIEW, ...parts }] })?.reviews[0];

test('the documented structure', () => {
	expect(read(schemaScript(SCHEMA))).toEqual({
		...{ name: 'Kettle', url: 'https://shop.example/products/p-1' },
		reviews: [READ],
	});
	for (const nothing of ['', ' ', '\n\t']) expect(read(nothing)).toBeUndefined();
});

const JSON_TEXT = JSON.stringify(SCHEMA);
const DEEP = '['.repeat(100_000) + ']'.repeat(100_000);

test.each([
	['without an id', `<script type="application/ld+json">${JSON_TEXT}</script>`],
	['in capitals', `<SCRIPT TYPE=" Application/LD+JSON ">${JSON_TEXT}</SCRIPT>`],
	['with text around it', `\n<!-- reviews -->${schemaScript(SCHEMA)} end`],
	['after another', `<script>var a = 1</script>${schemaScript(SCHEMA)}`],
	['that is not closed', `<script type="application/ld+json">${JSON_TEXT}`],
	['with escaped markup', schemaScript(JSON_TEXT.replaceAll('/', '\\/'))],
	['with deep nesting elsewhere', schemaScript(JSON_TEXT.replace('"name"', `"x":${DEEP},"name"`))],
])('a script %s is read', (_what, jsonld) => {
	expect(read(jsonld)).toMatchObject({ name: 'Kettle', reviews: [READ] });
});

describe('what is not documented is left out part by part', () => {
	test.each<[string, Parts, Parts]>([
		['no author', { author: undefined }, { author: undefined }],
		['an author that is text', { author: 'Ada' }, { author: undefined }],
		['an author without a name', { author: { name: ' ' } }, { author: undefined }],
		['a name that is a number', { author: { name: 5 } }, { author: undefined }],
		['no rating', { reviewRating: undefined }, { rating: undefined }],
		['a rating that is text', { reviewRating: { ratingValue: '4.5' } }, { rating: 4.5 }],
		['a rating that is no number', { reviewRating: { ratingValue: 'good' } }, { rating: undefined }],
		['a rating outside the scale', { reviewRating: { ratingValue: 9 } }, { rating: undefined }],
		['a rating that is a list', { reviewRating: [{ ratingValue: 5 }] }, { rating: undefined }],
		['no publisher', { publisher: null }, { publisher: undefined }],
		['no body', { reviewBody: undefined }, { body: undefined }],
		['a body that is an object', { reviewBody: { text: 'x' } }, { body: undefined }],
		['a body of control characters and halves', { reviewBody: 'a\u0001\r\nb\ud800' }, { body: 'a\nb\ufffd' }],
		['a body that is too long', { reviewBody: 'b'.repeat(30_000) }, { body: `${'b'.repeat(19_999)}…` }],
		['a date that does not exist', { datePublished: '2026-02-31' }, { date: undefined }],
		['a date that is a number', { datePublished: 5 }, { date: undefined }],
		['more than is documented', { extra: 1, '@graph': [] }, {}],
	])('%s', (_what, parts, expected) => {
		expect(readReview(parts)).toEqual({ ...READ, ...expected });
	});

	test.each([undefined, 'x', [null, 5, 'x', []]])('reviews that are %j are none', (review) => {
		expect(readParts({ review })?.reviews).toEqual([]);
	});

	test.each<[Parts, string | undefined]>([
		[{ url: undefined }, 'https://shop.example/products/p-1'],
		[{ url: 'javascript:alert(1)', '@id': undefined }, undefined],
		[{ url: 5, '@id': 'https://a.example/x' }, 'https://a.example/x'],
		[{ url: '/relative', '@id': '/relative' }, undefined],
	])('%j has the address %j', (parts, url) => {
		expect(readParts(parts)?.url).toBe(url);
	});

	test('at most 2,000 reviews are kept, and long names are cut', () => {
		expect(readParts({ review: Array(2_100).fill(REVIEW) })?.reviews).toHaveLength(2_000);
		expect(readReview({ author: { name: 'n'.repeat(500) } })?.author).toHaveLength(200);
		expect(readParts({ name: 'n'.repeat(900) })?.name).toHaveLength(500);
	});
});

test('a text that ends the script is text where it is escaped', () => {
	const parts = { ...SCHEMA, name: 'a</script><img src=x onerror=alert(1)>' };
	expect(read(schemaScript(parts))).toBe('unreadable');
	expect(read(schemaScript(scriptJson(parts)))).toMatchObject({ name: parts.name });
});

test.each([
	['an empty script', schemaScript('')],
	['broken JSON', schemaScript('{"@type":"Product",')],
	['another type', schemaScript({ ...SCHEMA, '@type': 'Recipe' })],
	['no type', schemaScript({ name: 'x' })],
	['a list', schemaScript([SCHEMA])],
	['null', schemaScript(null)],
])('%s is unreadable', (_what, jsonld) => {
	expect(read(jsonld)).toBe('unreadable');
});

const NO_SCRIPT = 'contains no script element of type application/ld+json';

test.each([
	['markup without a script', '<div>x</div>', NO_SCRIPT],
	['bare JSON', JSON_TEXT, NO_SCRIPT],
	['a script of another type', '<script>{}</script>', NO_SCRIPT],
	['a script inside something', `<div>${schemaScript(SCHEMA)}</div>`, NO_SCRIPT],
	['more than 4 MiB', schemaScript(SCHEMA) + ' '.repeat(4_194_304), 'long; the limit is 4194304'],
])('%s is an error of this product', async (_what, jsonld, problem) => {
	const message = await messageOf(() => read(jsonld));
	expect(message).toMatch(/^ReviewPayloadError: The structured data of the reviews /);
	expect(message).toContain(problem);
	expect(message).toContain('\nCheck what the service sends as "jsonld" for this product.');
});

test.each(['__proto__', 'constructor', 'prototype'])('%s lends its values to nothing', (name) => {
	const review = { author: { name: 'evil' }, publisher: { name: 'evil' }, datePublished: '2026-11-20' };
	const harm = JSON.stringify({ url: 'https://evil.example/', name: 'evil', review: [review], ...review });
	const json = `{"@type":"Product","${name}":${harm},"review":[{"${name}":${harm},"reviewBody":"x"}]}`;
	const reviews = [{ ...UNKNOWN, body: 'x' }];
	expect(read(schemaScript(json))).toEqual({ name: undefined, url: undefined, reviews });
	expect(({} as Parts)['datePublished']).toBeUndefined();
});
