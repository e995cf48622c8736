import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { answer, SCHEMA, schemaScript } from '../../support/service/payload.js';
import { scriptJson } from '../../support/unit/escaped.js';
import { times } from '../../support/unit/fuzz.js';
import { readOrRefuse } from '../../support/unit/harmless.js';

/** Names that mean something to an object of JavaScript, and those that the service documents. */
const key = fc.constantFrom(
	...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'then', 'length', '0', ''],
	...Object.keys({ ...SCHEMA, ...SCHEMA.review[0] }),
	'ratingValue',
);

const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4, depthSize: 'small' },
		fc.constantFrom(null, true, 0, -1, 4.5, 1e308, '', '5', 'Product', '2026-11-20', 'https://shop.example/'),
		fc.array(tie('value'), { maxLength: 4 }),
		// As JSON.parse makes them: `__proto__` is a key like others.
		fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
	),
}));

/** The documented data with some values, wherever they are, replaced or added. */
const product = fc
	.tuple(
		fc.array(fc.tuple(key, anyValue), { maxLength: 4 }),
		fc.array(fc.array(fc.tuple(key, anyValue), { maxLength: 6 }), { maxLength: 4 }),
	)
	.map(([parts, reviews]) =>
		Object.fromEntries([
			...Object.entries(SCHEMA),
			[
				'review',
				reviews.map((entries) => Object.fromEntries([...Object.entries(SCHEMA.review[0] ?? {}), ...entries])),
			],
			...parts,
		]),
	);

const OWN_NAMES = [Object.prototype, Array.prototype, Function.prototype].map((object) =>
	Reflect.ownKeys(object),
);

afterEach(() => {
	expect(
		[Object.prototype, Array.prototype, Function.prototype].map((object) => Reflect.ownKeys(object)),
	).toEqual(OWN_NAMES);
});

/** What comes through of structured data. */
const schemaOf = (json: string) => readOrRefuse(answer({ html: '', jsonld: schemaScript(json) }))?.schema;

test('whatever JSON it is, only documented parts of the documented kinds come through', () => {
	let read = 0;
	const property = fc.property(product, (data) => {
		const schema = schemaOf(scriptJson(data));
		if (!schema) return;
		read += 1;
		expect(Object.keys(schema).sort()).toEqual(['name', 'reviews', 'url']);
		for (const text of [schema.name, schema.url]) expect(['string', 'undefined']).toContain(typeof text);
		for (const review of schema.reviews) {
			const { rating, ...texts } = review;
			expect(Object.keys(review).sort()).toEqual(['author', 'body', 'date', 'publisher', 'rating']);
			expect(['number', 'undefined']).toContain(typeof rating);
			for (const text of Object.values(texts)) expect(['string', 'undefined']).toContain(typeof text);
		}
	});
	fc.assert(property, times(1_000));
	expect(read).toBeGreaterThan(250);
});

test.each(['__proto__', 'constructor', 'prototype'])('%s lends its values to nothing', (name) => {
	const review = { author: { name: 'evil' }, publisher: { name: 'evil' }, datePublished: '2026-11-20' };
	const harm = JSON.stringify({ url: 'https://evil.example/', name: 'evil', review: [review], ...review });
	const schema = schemaOf(
		`{"@type":"Product","${name}":${harm},"review":[{"${name}":${harm},"reviewBody":"x"}]}`,
	);
	const nothing = { author: undefined, rating: undefined, publisher: undefined, date: undefined };
	expect(schema).toEqual({ name: undefined, url: undefined, reviews: [{ ...nothing, body: 'x' }] });
});
