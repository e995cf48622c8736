import { describe, expect, test } from 'vitest';
import { InvalidPropError } from '../../../src/errors.js';
import { renderProductReviews } from '../../../src/render/render-product-reviews.js';
import { displayed, record, renderOptions } from '../../support/unit/record.js';

const render = (props: Record<string, unknown>, product = record()) =>
	renderProductReviews(product, props, renderOptions());

describe('a wrong prop is an error whether the product has reviews or not', () => {
	test.each<[Record<string, unknown>, string]>([
		[{ display: 'none' }, "Expected `display` to be 'hidden', 'visible' or 'details', received 'none'."],
		[
			{ display: 'constructor' },
			"Expected `display` to be 'hidden', 'visible' or 'details', received 'constructor'.",
		],
		[{ headingLevel: Number.NaN }, "Expected `headingLevel` to be a number from 1 to 6, received 'NaN'."],
		[{ headingLevel: 'h2' }, "Expected `headingLevel` to be a number from 1 to 6, received 'h2'."],
		[{ limit: Number.NaN }, "Expected `limit` to be a number of reviews, received 'NaN'."],
		[{ limit: 'ten' }, "Expected `limit` to be a number of reviews, received 'ten'."],
		[
			{ sort: 'oldest' },
			"Expected `sort` to be one of 'as-sent', 'newest', 'highest', 'lowest', received 'oldest'.",
		],
		[
			{ sort: 'toString' },
			"Expected `sort` to be one of 'as-sent', 'newest', 'highest', 'lowest', received 'toString'.",
		],
	])('%j', (props, message) => {
		for (const product of [record(), record({ reviews: [] }), undefined]) {
			expect(() => renderProductReviews(product, props, renderOptions())).toThrow(
				new InvalidPropError(message),
			);
		}
	});
});

describe('order and number', () => {
	const reviews = [
		displayed({ title: 'a', rating: 3, date: '2026-01-01' }),
		displayed({ title: 'b', rating: undefined, date: '2026-03-01' }),
		displayed({ title: 'c', rating: 5, date: undefined }),
		displayed({ title: 'd', rating: 3, date: '2026-02-01' }),
		displayed({ title: 'e', rating: 1, date: '2026-02-01' }),
	];
	const titles = (props: Record<string, unknown>) =>
		[...render(props, record({ reviews })).matchAll(/review-title" dir="auto">(\w)/g)]
			.map(([, title]) => title)
			.join('');

	test.each<[Record<string, unknown>, string]>([
		[{}, 'abcde'],
		[{ sort: 'as-sent' }, 'abcde'],
		[{ sort: null, limit: null }, 'abcde'],
		[{ sort: 'newest' }, 'bdeac'],
		[{ sort: 'highest' }, 'cadeb'],
		[{ sort: 'lowest' }, 'eadcb'],
		[{ limit: 2 }, 'ab'],
		[{ limit: '2' }, 'ab'],
		[{ limit: 2.9 }, 'ab'],
		[{ limit: 99 }, 'abcde'],
		[{ limit: Number.POSITIVE_INFINITY }, 'abcde'],
		[{ limit: 0 }, ''],
		[{ limit: -1 }, ''],
		[{ sort: 'highest', limit: 1 }, 'c'],
	])('%j shows %j', (props, expected) => {
		expect(titles(props)).toBe(expected);
	});

	test('the record is left as it was', () => {
		const product = record({ reviews });
		render({ sort: 'highest', limit: 1 }, product);
		expect(product.reviews).toBe(reviews);
		expect(reviews.map(({ title }) => title).join('')).toBe('abcde');
	});
});

test('nothing at all is written for a product without reviews', () => {
	for (const display of ['hidden', 'visible', 'details'] as const) {
		expect(render({ display }, record({ reviews: [] }))).toBe('');
		expect(renderProductReviews(undefined, { display }, renderOptions())).toBe('');
	}
});
