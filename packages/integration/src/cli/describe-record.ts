import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { ProductValue } from '../store/find-product.js';
import { countText } from '../text/amounts.js';
import { plainLine } from '../text/plain-line.js';

/** Reviews of a product that are shown; the others are counted. */
const MOST_REVIEWS = 5;
const LINE = 76;

/** What a stored record says, in a few lines for people: printable, and short. */
export function describeRecord(kind: ProductValue['kind'], record: unknown): string[] {
	try {
		return DESCRIBE[kind](record as never).map((line) => plainLine(line, LINE));
	} catch {
		return ['Its record has a form that this version does not know; --json prints it.'];
	}
}

const DESCRIBE = {
	reviews({ aggregate, reviews, schema }: ProductReviews) {
		const stated = countText(schema?.reviews.length ?? 0, 'review');
		return [
			`${ratingText(aggregate)}; ${countText(reviews.length, 'review')} to read, ${stated} in structured data`,
			...firstOf(reviews),
		];
	},
	'review-data'({ aggregate, reviews, media, questionCount }: ReviewData) {
		const others = `${countText(questionCount, 'question')}, ${media.length} media`;
		return [
			`${ratingText(aggregate)}; ${countText(reviews.length, 'review')}, ${others}`,
			...firstOf(reviews),
		];
	},
	stars: ({ aggregate }: { aggregate?: AggregateRating }) => [ratingText(aggregate)],
	rating({ questionCount, ...rating }: { average: number; count: number; questionCount?: number }) {
		return [
			ratingText(rating) + (questionCount === undefined ? '' : `; ${countText(questionCount, 'question')}`),
		];
	},
	mark: () => ['its reviews changed at that time, or somebody said so'],
};

function ratingText(rating: { readonly average: number; readonly count: number } | undefined): string {
	return rating && rating.count > 0
		? `${rating.average} of ${countText(rating.count, 'rating')}`
		: 'no rating';
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
	return more > 0 ? [...lines, `and ${more.toLocaleString('en')} more; --json prints them all`] : lines;
}
