import { expect, test } from 'vitest';
import { describeDropped } from '../../../src/report/describe-dropped.js';

test('one product', () => {
	expect(
		describeDropped([{ pid: 'p-1', parts: { 'rating-unusable': 2, 'text-cut': 1 } }]),
	).toMatchInlineSnapshot(
		`"Some of what the service sent for 1 product could not be used: rating that is not a number from 1 to 5 (2), text cut at its limit (1). Products: "p-1"."`,
	);
});

test('the counts of many products are added up, and the first ones are named', () => {
	const dropped = Array.from({ length: 1_500 }, (_, index) => ({
		pid: `p-${index + 1}`,
		parts: { 'address-refused': 2, ...(index === 0 && { 'structured-data-unreadable': 1 }) },
	}));
	expect(describeDropped(dropped)).toMatchInlineSnapshot(
		`"Some of what the service sent for 1,500 products could not be used: address that is not http(s) (3,000), broken JSON-LD, rebuilt from the html (1). Products: "p-1", "p-2", "p-3", "p-4", "p-5", "p-6", "p-7", "p-8", "p-9", "p-10", "p-11", "p-12", "p-13", "p-14", "p-15", "p-16", "p-17", "p-18", "p-19", "p-20" and 1,480 more."`,
	);
});
