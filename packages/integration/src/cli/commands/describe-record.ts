import type { ProductReviews } from '../../parse/record.js';
import type { ReviewData } from '../../parse/review-data.js';
import type { ProductValue } from '../../store/queries.js';
import { plainLine } from '../../text/clean-text.js';
import { amount, count } from '../../text/words.js';

/** Reviews shown of a product; the rest are counted. */
const MOST_REVIEWS = 5;
const LINE = 76;

/** A stored record in a few printable lines for people. */
export function describeRecord(kind: ProductValue['kind'], record: unknown): string[] {
	try {
		return DESCRIBE[kind](record as never).map((line) => plainLine(line, LINE));
	} catch {
		return ['This version does not know the form of this record; --json prints it.'];
	}
}

const DESCRIBE = {
	reviews({ aggregate, reviews, schema }: ProductReviews) {
		const stated = count(schema?.reviews.length ?? 0, 'review');
		return [
			`${ratingText(aggregate)}; ${count(reviews.length, 'review')} to read, ${stated} in structured data`,
			...firstOf(reviews),
		];
	},
	'review-data'({ aggregate, reviews, media, questionCount }: ReviewData) {
		const others = `${count(questionCount, 'question')}, ${media.length} media`;
		return [`${ratingText(aggregate)}; ${count(reviews.length, 'review')}, ${others}`, ...firstOf(reviews)];
	},
	rating({ questionCount, ...rating }: { average: number; count: number; questionCount?: number }) {
		return [
			ratingText(rating) + (questionCount === undefined ? '' : `; ${count(questionCount, 'question')}`),
		];
	},
	mark: () => ['marked as changed at that time'],
};

function ratingText(rating: { readonly average: number; readonly count: number } | undefined): string {
	return rating && rating.count > 0 ? `${rating.average} of ${count(rating.count, 'rating')}` : 'no rating';
}

interface AnyReview {
	readonly rating: number | undefined;
	readonly title: string | undefined;
	readonly body: string | undefined;
	readonly author: string | undefined;
	readonly date: string | undefined;
}

function firstOf(reviews: readonly AnyReview[]): string[] {
	const lines = reviews.slice(0, MOST_REVIEWS).map(({ rating, title, body, author, date }) => {
		const parts = [`${rating ?? '-'}/5`, date, author && `${author}:`, title && `${title} |`, body];
		return parts.filter((part) => part !== undefined && part !== '').join(' ');
	});
	const more = reviews.length - MOST_REVIEWS;
	return more > 0 ? [...lines, `and ${amount(more)} more; --json prints them all`] : lines;
}

const ACCOUNT_LENGTH = 8;

/** An account for a column: the first letters of its name, which reveal nothing about the service. */
export function accountName(account: string): string {
	return plainLine(account, 60).slice(0, ACCOUNT_LENGTH).padEnd(ACCOUNT_LENGTH);
}
