import { parseFragment } from 'parse5';
import { toDate } from 'product-reviews-client';
import { PayloadError } from '../errors.js';
import { cleanLine, cleanText } from './clean-text.js';
import { attribute, classes, type Element, textOf, walkElements } from './html-elements.js';
import { httpUrl } from './http-url.js';
import { MAX_HTML_LENGTH, MAX_REVIEWS, MAX_TEXT_LENGTH } from './limits.js';
import { usableRating } from './rating.js';
import type { DisplayedReview, ProductReviews } from './record.js';

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
	let wrapper: Element | undefined;
	let heading: string | undefined;
	const reviews: DisplayedReview[] = [];
	walkElements(parseFragment(html), (element) => {
		if (classes(element).includes('review-item')) {
			if (reviews.length < MAX_REVIEWS) reviews.push(readReview(element));
			return false;
		}
		if (wrapper === undefined && attribute(element, 'data-block-handle') !== undefined) wrapper = element;
		if (element.tagName === 'h2') heading ??= cleanLine(textOf(element), MAX_TEXT_LENGTH.title);
		return element.tagName !== 'h2';
	});
	return {
		heading,
		blockId: wrapper && readName(attribute(wrapper, 'data-id')),
		handle: wrapper && readName(attribute(wrapper, 'data-block-handle')),
		reviews: reviews.filter(saysSomething),
	};
}

function readReview(item: Element): DisplayedReview {
	const parts = new Map<string, Element>();
	walkElements(item, (element) => {
		const known = classes(element).find((name) => PARTS.has(name));
		if (known !== undefined && !parts.has(known)) parts.set(known, element);
		// The link is inside its part; inside any other part everything is a stranger's text.
		return known === undefined || known === 'review-product';
	});
	const line = (name: string, most: number) => {
		const element = parts.get(name);
		return element && cleanLine(textOf(element), most);
	};
	const link = parts.get('review-product-link');
	const body = parts.get('review-body');
	return {
		productName:
			line('review-product-link', MAX_TEXT_LENGTH.name) ?? line('review-product', MAX_TEXT_LENGTH.name),
		productUrl: link && httpUrl(attribute(link, 'href')),
		author: line('review-author', MAX_TEXT_LENGTH.name),
		rating: readRating(line('review-rating', MAX_TEXT_LENGTH.name)),
		title: line('review-title', MAX_TEXT_LENGTH.title),
		body: body && cleanText(textOf(body), MAX_TEXT_LENGTH.body),
		date: toDate(line('review-date', MAX_TEXT_LENGTH.name)),
	};
}

const PARTS = new Set([
	'review-product',
	'review-product-link',
	'review-author',
	'review-rating',
	'review-title',
	'review-body',
	'review-date',
]);

/** The service writes "Rating: <n>/5"; the word before it may be in another language. */
function readRating(text: string | undefined): number | undefined {
	const match = /(?:^|[^\d.,-])(\d{1,2}(?:[.,]\d{1,4})?)\s*\/\s*5$/.exec(text ?? '');
	return match ? usableRating(Number(match[1]?.replace(',', '.'))) : undefined;
}

function readName(value: string | undefined): string | undefined {
	return value === undefined ? undefined : cleanLine(value, MAX_TEXT_LENGTH.name);
}

/** A review whose every part was unreadable has nothing to show. */
function saysSomething(review: DisplayedReview): boolean {
	return [review.rating, review.title, review.body].some((part) => part !== undefined);
}
