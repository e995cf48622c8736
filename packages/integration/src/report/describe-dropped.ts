import type { Tally } from '../outcomes/tally.js';
import type { DropReason } from '../parse/dropped-parts.js';
import { nameProducts } from '../text/name-products.js';

/** Products that the line names; the others are counted. */
const MOST_NAMED = 20;

/** One line about the parts of answers that could not be read: of which products, what, how often. */
export function describeDropped(dropped: Tally['dropped']): string {
	const counts = new Map<DropReason, number>();
	for (const { parts } of dropped) {
		for (const [reason, count] of Object.entries(parts) as [DropReason, number][]) {
			counts.set(reason, (counts.get(reason) ?? 0) + count);
		}
	}
	const reasons = [...counts].map(
		([reason, count]) => `${DESCRIPTIONS[reason]} (${count.toLocaleString('en')})`,
	);
	const products = dropped.length === 1 ? 'one product' : `${dropped.length.toLocaleString('en')} products`;
	const pids = nameProducts(
		dropped.map(({ pid }) => pid),
		MOST_NAMED,
	);
	return `Not everything that the service sent for ${products} could be used: ${reasons.join(', ')}. ${dropped.length === 1 ? 'Product' : 'Products'}: ${pids}.`;
}

const DESCRIPTIONS: Readonly<Record<DropReason, string>> = {
	'text-unreadable': 'text without a printable character',
	'text-cut': 'text cut at its limit',
	'rating-unusable': 'rating that is no number from 1 to 5',
	'address-refused': 'address that is not http(s)',
	'date-unreadable': 'date that does not exist',
	'review-empty': 'review that says nothing',
	'review-beyond-limit': 'review beyond the limit',
	'review-lists-differ': 'html and JSON-LD with different numbers of reviews',
	'rating-differs': 'JSON-LD with another number of ratings',
	'structured-data-unreadable': 'JSON-LD that is broken, written from the html instead',
	'html-unreadable': 'html without a readable review, written from the JSON-LD instead',
	'part-unreadable': 'part of another type than documented',
	'part-beyond-limit': 'part beyond the limit',
	'count-unusable': 'count that is no whole number',
	'contact-details-removed': 'e-mail address or phone number in a name',
	'other-product': 'part of another product',
};
