import { describe, expect, test } from 'vitest';
import { readJsonld } from '../../../src/parse/read-jsonld.js';
import { SCHEMA, schemaScript } from '../../support/service/payload.js';
import { messageOf } from '../../support/unit/error.js';

const [REVIEW] = SCHEMA.review;
const READ = { author: 'Ada', rating: 5, publisher: 'Shop', body: 'Boils fast.', date: '2026-11-20' };

/** What the script says of the product. */
const read = (jsonld: string) => {
	const found = readJsonld(jsonld);
	return typeof found === 'object' ? found.schema : undefined;
};
const readParts = (parts: Record<string, unknown>) => read(schemaScript({ ...SCHEMA, ...parts }));
const readReview = (parts: Record<string, unknown>) =>
	readParts({ review: [{ ...REVIEW, ...parts }] })?.reviews[0];

test('the documented structure', () => {
	expect(read(schemaScript(SCHEMA))).toEqual({
		name: 'Kettle',
		url: 'https://shop.example/products/p-1',
		reviews: [READ],
	});
});

test.each(['', ' ', '\n\t'])('%j is a product without reviews', (jsonld) => {
	expect(readJsonld(jsonld)).toBeUndefined();
});

describe('a script in another form', () => {
	const JSON_TEXT = JSON.stringify(SCHEMA);
	test.each([
		['without an id', `<script type="application/ld+json">${JSON_TEXT}</script>`],
		['capitals', `<SCRIPT TYPE=" Application/LD+JSON ">${JSON_TEXT}</SCRIPT>`],
		['text around it', `\n<!-- reviews -->${schemaScript(SCHEMA)} end`],
		['another script first', `<script>var a = 1</script>${schemaScript(SCHEMA)}`],
		['an unclosed one', `<script type="application/ld+json">${JSON_TEXT}`],
		['escaped markup inside', schemaScript(JSON_TEXT.replaceAll('/', '\\/'))],
	])('%s is read', (_what, jsonld) => {
		expect(read(jsonld)?.reviews).toEqual([READ]);
	});
});

describe('what is not documented is left out part by part', () => {
	test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
		['no author', { author: undefined }, { ...READ, author: undefined }],
		['an author that is text', { author: 'Ada' }, { ...READ, author: undefined }],
		['an author without a name', { author: { name: ' ' } }, { ...READ, author: undefined }],
		['a name that is a number', { author: { name: 5 } }, { ...READ, author: undefined }],
		['no rating', { reviewRating: undefined }, { ...READ, rating: undefined }],
		['a rating that is text', { reviewRating: { ratingValue: '4.5' } }, { ...READ, rating: 4.5 }],
		['a rating that is no number', { reviewRating: { ratingValue: 'good' } }, { ...READ, rating: undefined }],
		['a rating of nothing', { reviewRating: { ratingValue: '' } }, { ...READ, rating: undefined }],
		['a rating outside the scale', { reviewRating: { ratingValue: 9 } }, { ...READ, rating: undefined }],
		['a rating below the scale', { reviewRating: { ratingValue: -3 } }, { ...READ, rating: undefined }],
		['a rating that is a list', { reviewRating: [{ ratingValue: 5 }] }, { ...READ, rating: undefined }],
		['no publisher', { publisher: null }, { ...READ, publisher: undefined }],
		['no body', { reviewBody: undefined }, { ...READ, body: undefined }],
		['a body that is an object', { reviewBody: { text: 'x' } }, { ...READ, body: undefined }],
		['a date that does not exist', { datePublished: '2026-02-31' }, { ...READ, date: undefined }],
		['a date that is a number', { datePublished: 5 }, { ...READ, date: undefined }],
		['more than is documented', { extra: 1, '@graph': [] }, READ],
	])('%s', (_what, parts, expected) => {
		expect(readReview(parts)).toEqual(expected);
	});

	test.each<[string, unknown]>([
		['no list', undefined],
		['an object', REVIEW],
		['text', 'x'],
		['a list of other things', [null, 5, 'x', []]],
	])('reviews that are %s are none', (_what, review) => {
		expect(readParts({ review })?.reviews).toEqual([]);
	});

	test.each<[Record<string, unknown>, string | undefined]>([
		[{ url: undefined }, 'https://shop.example/products/p-1'],
		[{ url: 'javascript:alert(1)', '@id': undefined }, undefined],
		[{ url: 5, '@id': 'https://a.example/x' }, 'https://a.example/x'],
		[{ url: '/relative', '@id': '/relative' }, undefined],
		[{ url: 'https://u:p@a.example/', '@id': undefined }, undefined],
	])('%j has the address %j', (parts, url) => {
		expect(readParts(parts)?.url).toBe(url);
	});
});

describe('hostile text', () => {
	test('a text that ends the script element leaves nothing to read', () => {
		const jsonld = schemaScript({ ...SCHEMA, name: 'a</script><img src=x onerror=alert(1)>' });
		expect(readJsonld(jsonld)).toBe('unreadable');
	});

	test('an escaped one is text', () => {
		const text = JSON.stringify({ ...SCHEMA, name: 'a</script><b>' }).replaceAll('<', '\\u003c');
		expect(read(schemaScript(text))?.name).toBe('a</script><b>');
	});

	test('__proto__ and constructor are keys without a meaning', () => {
		const text =
			'{"@type":"Product","name":"K","__proto__":{"url":"https://evil.example"},"constructor":{"prototype":{"x":1}},"review":[{"__proto__":{"reviewBody":"x"}}]}';
		expect(read(schemaScript(text))).toEqual({
			name: 'K',
			url: undefined,
			reviews: [
				{
					...READ,
					author: undefined,
					rating: undefined,
					publisher: undefined,
					body: undefined,
					date: undefined,
				},
			],
		});
		expect(({} as Record<string, unknown>)['x']).toBeUndefined();
	});

	test('control characters, line breaks and lone surrogates', () => {
		expect(readReview({ reviewBody: 'a\u0001\r\nb\ud800', author: { name: 'A\nB\u2028C' } })).toMatchObject({
			body: 'a\nb\ufffd',
			author: 'A B C',
		});
	});

	test('deep nesting where nothing is read is no trouble', () => {
		const text = JSON.stringify(SCHEMA).replace(
			'"name"',
			`"x":${'['.repeat(100_000)}${']'.repeat(100_000)},"name"`,
		);
		expect(read(schemaScript(text))?.name).toBe('Kettle');
	});
});

describe('errors of this product', () => {
	test.each<[string, string, string]>([
		['markup without a script', '<div>x</div>', 'contains no script element of type application/ld+json'],
		['bare JSON', JSON.stringify(SCHEMA), 'contains no script element of type application/ld+json'],
		[
			'a script of another type',
			'<script>{}</script>',
			'contains no script element of type application/ld+json',
		],
		[
			'a script inside something',
			`<div>${schemaScript(SCHEMA)}</div>`,
			'contains no script element of type application/ld+json',
		],
		[
			'more than 4 MiB',
			`${schemaScript(SCHEMA)}${' '.repeat(4_194_304)}`,
			'characters long; the limit is 4194304',
		],
	])('%s', async (_what, jsonld, problem) => {
		const message = await messageOf(() => readJsonld(jsonld));
		expect(message).toMatch(/^ReviewPayloadError: The structured data of the reviews /);
		expect(message).toContain(problem);
		expect(message).toContain('\nCheck what the service sends as "jsonld" for this product.');
	});

	test.each([
		['an empty script', schemaScript('')],
		['broken JSON', schemaScript('{"@type":"Product",')],
		['a trailing comma', schemaScript('{"@type":"Product",}')],
		['another type', schemaScript({ ...SCHEMA, '@type': 'Recipe' })],
		['no type', schemaScript({ name: 'x' })],
		['a list', schemaScript([SCHEMA])],
		['null', schemaScript(null)],
		['text', schemaScript('"Product"')],
	])('%s is unreadable', (_what, jsonld) => {
		expect(readJsonld(jsonld)).toBe('unreadable');
	});

	test('formatting that the parser repeats is unreadable', () => {
		const fonts = Array.from({ length: 60 }, (_, index) => `<font a=${index}>`).join('');
		expect(readJsonld(`<div>${fonts}</div>${'<div>x</div>'.repeat(50_000)}`)).toBe('unreadable');
	});
});

test('at most 2,000 reviews are kept, and long texts are cut', () => {
	const schema = readParts({ review: Array(2_100).fill({ ...REVIEW, reviewBody: 'b'.repeat(1_000) }) });
	expect(schema?.reviews).toHaveLength(2_000);
	expect(readReview({ reviewBody: 'b'.repeat(30_000) })?.body).toHaveLength(20_000);
	expect(readReview({ author: { name: 'n'.repeat(500) } })?.author).toHaveLength(200);
	expect(readParts({ name: 'n'.repeat(900) })?.name).toHaveLength(500);
});
