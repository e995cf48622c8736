import fc from 'fast-check';
import { expect, test } from 'vitest';
import { condenseRecord, restoreRecord } from '../../../src/parse/condense-record.js';
import type { ProductReviews } from '../../../src/parse/record.js';
import { record } from '../../support/unit/record.js';

const text = fc.option(fc.constantFrom('', 'same', 'other', '__proto__'), { nil: undefined });
const number = fc.option(fc.constantFrom(1, 4.5, 5), { nil: undefined });
const shown = fc.record({
	productName: text,
	productUrl: text,
	author: text,
	rating: number,
	title: text,
	body: text,
	date: text,
});
const stated = fc.record({ author: text, rating: number, publisher: text, body: text, date: text });

test('any record comes back, also through JSON, whatever its halves have in common', () => {
	fc.assert(
		fc.property(
			fc.array(shown, { maxLength: 6 }),
			fc.array(stated, { maxLength: 6 }),
			fc.boolean(),
			(reviews, statedReviews, hasSchema) => {
				const schema = hasSchema ? { name: 'A', url: undefined, reviews: statedReviews } : undefined;
				const whole: ProductReviews = record({ reviews, schema });
				expect(restoreRecord(condenseRecord(whole))).toEqual(whole);
				expect(restoreRecord(JSON.parse(JSON.stringify(condenseRecord(whole))))).toEqual(whole);
			},
		),
	);
});

test('what both halves say is kept once', () => {
	const body = 'A long text. '.repeat(100);
	const review = { author: 'Ada', rating: 5, body, date: '2026-01-02' };
	const whole = record({
		reviews: [{ ...review, productName: 'Kettle', productUrl: undefined, title: 'Good' }],
		schema: { name: 'Kettle', url: undefined, reviews: [{ ...review, publisher: 'Shop' }] },
	});
	const condensed = JSON.stringify(condenseRecord(whole));
	expect(condensed.split(body)).toHaveLength(2);
	expect(restoreRecord(JSON.parse(condensed))).toEqual(whole);
});
