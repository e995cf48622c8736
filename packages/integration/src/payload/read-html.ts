import { toDate } from 'product-reviews-client';
import { PayloadError } from '../errors.js';
import { cleanLine, cleanText } from './clean-text.js';
import { httpUrl } from './http-url.js';
import { MAX_HTML_LENGTH, MAX_TEXT_LENGTH } from './limits.js';
import { parseHtml } from './parse-html.js';
import { usableRating } from './rating.js';
import type { DisplayedReview, ProductReviews } from './record.js';
import type { PartName, ReviewParts } from './review-parts.js';
import { scanHtml } from './scan-html.js';

/** What the html of one product says. */
export type ReadHtml = Pick<ProductReviews, 'heading' | 'blockId' | 'handle' | 'reviews'>;

/**
 * Reads the service's html of one product into records. Only text and http(s) addresses come through; no markup does.
 * What cannot be read of a review is left out field by field.
 * @throws PayloadError where the html is larger or deeper than the limits.
 */
export function readHtml(html: string): ReadHtml {
	if (html.length > MAX_HTML_LENGTH) {
		throw new PayloadError(
			`The html of the reviews is ${html.length} characters long; at most ${MAX_HTML_LENGTH} are read.`,
			'Look at what the service sends for this product.',
		);
	}
	const { heading, blockId, handle, reviews } = scanHtml(html) ?? parseHtml(html);
	return {
		heading: line(heading, MAX_TEXT_LENGTH.title),
		blockId: line(blockId, MAX_TEXT_LENGTH.name),
		handle: line(handle, MAX_TEXT_LENGTH.name),
		reviews: reviews.map(readReview).filter(saysSomething),
	};
}

function readReview(parts: ReviewParts): DisplayedReview {
	const lineOf = (name: PartName, most: number) => line(parts.get(name), most);
	const body = parts.get('review-body');
	return {
		productName:
			lineOf('review-product-link', MAX_TEXT_LENGTH.name) ?? lineOf('review-product', MAX_TEXT_LENGTH.name),
		productUrl: httpUrl(parts.get('href')),
		author: lineOf('review-author', MAX_TEXT_LENGTH.name),
		rating: readRating(lineOf('review-rating', MAX_TEXT_LENGTH.name)),
		title: lineOf('review-title', MAX_TEXT_LENGTH.title),
		body: body === undefined ? undefined : cleanText(body, MAX_TEXT_LENGTH.body),
		date: toDate(lineOf('review-date', MAX_TEXT_LENGTH.name)),
	};
}

/** The service writes "Rating: <n>/5"; the word before it may be in another language. A minus is no rating. */
function readRating(text: string | undefined): number | undefined {
	const match = /(?:^|[^\d.,\-\u2212])(\d{1,2}(?:[.,]\d+)?)\s*\/\s*5$/.exec(text ?? '');
	return match ? usableRating(Number(match[1]?.replace(',', '.'))) : undefined;
}

function line(text: string | undefined, most: number): string | undefined {
	return text === undefined ? undefined : cleanLine(text, most);
}

/** A review whose every part was unreadable has nothing to show. */
function saysSomething(review: DisplayedReview): boolean {
	return [review.rating, review.title, review.body].some((part) => part !== undefined);
}
