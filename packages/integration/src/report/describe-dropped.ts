import type { Dropped } from '../outcomes/create-outcomes.js';
import type { DroppedParts, DropReason } from '../parse/dropped-parts.js';
import { amount, count, nameProducts } from '../text/words.js';
import { sumOfParts } from './add-parts.js';

/** Products named in the line; the rest are counted. */
const MOST_NAMED = 20;

/** One line about the parts of answers that could not be used: what, how often, and of which products. */
export function describeDropped(dropped: readonly Dropped[]): string {
	const reasons = nameParts(sumOfParts(dropped));
	const pids = nameProducts(
		dropped.map(({ pid }) => pid),
		MOST_NAMED,
	);
	return `Some of what the service sent for ${count(dropped.length, 'product')} could not be used: ${reasons.join(', ')}. Products: ${pids}.`;
}

/** What could not be used, and how often: "text cut at its limit (2)". */
export function nameParts(parts: DroppedParts): string[] {
	return describeParts(parts).map(({ what, times }) => `${what} (${amount(times)})`);
}

/** What was dropped, in words, and how often. */
export function describeParts(parts: DroppedParts): { readonly what: string; readonly times: number }[] {
	return Object.entries(parts).map(([reason, times]) => ({
		what: DESCRIPTIONS[reason as DropReason] ?? reason,
		times,
	}));
}

const DESCRIPTIONS: Readonly<Record<DropReason, string>> = {
	'text-unreadable': 'text without a printable character',
	'text-cut': 'text cut at its limit',
	'rating-unusable': 'rating that is not a number from 1 to 5',
	'address-refused': 'address that is not http(s)',
	'date-unreadable': 'date that does not exist',
	'review-empty': 'empty review',
	'review-beyond-limit': 'review beyond the limit',
	'review-lists-differ': 'html and JSON-LD with different numbers of reviews',
	'rating-differs': 'JSON-LD with a different number of ratings',
	'structured-data-unreadable': 'broken JSON-LD, rebuilt from the html',
	'html-unreadable': 'html without a readable review, rebuilt from the JSON-LD',
	'part-unreadable': 'part of an undocumented type',
	'part-beyond-limit': 'part beyond the limit',
	'count-unusable': 'count that is not a whole number',
	'contact-details-removed': 'e-mail address or phone number in a name',
	'other-product': 'part of another product',
};
