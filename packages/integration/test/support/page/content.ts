import type { ProductReviews, StatedReview } from '../../../src/parse/record.js';
import { asStated } from '../unit/stated.js';
import { elementsBelow, type PageElement, type ParsedPage, withClass } from './parse-page.js';

/** The reviews of one display on a page of the fixture `every-display`, part by part. */
export function shownReviews({ html }: ParsedPage, display: 'hidden' | 'visible' | 'details') {
	const root = [...elementsBelow(html)].find(({ attributes }) => attributes['data-display'] === display);
	if (display === 'hidden') return root && withClass(root, 'review-item').map(hiddenReview);
	return root && withClass(root, 'pr-review').map(visibleReview);
}

function hiddenReview(item: PageElement) {
	return {
		product: textOf(item, 'review-product-link') ?? textOf(item, 'review-product'),
		href: withClass(item, 'review-product-link')[0]?.attributes['href'],
		author: textOf(item, 'review-author'),
		rating: textOf(item, 'review-rating'),
		title: textOf(item, 'review-title'),
		body: textOf(item, 'review-body'),
		date: textOf(item, 'review-date'),
	};
}

function visibleReview(item: PageElement) {
	return {
		author: textOf(item, 'pr-author'),
		rating: withClass(item, 'pr-stars')[0]?.attributes['aria-label'],
		title: textOf(item, 'pr-title'),
		body: textOf(item, 'pr-body'),
		date: withClass(item, 'pr-date')[0]?.attributes['datetime'],
	};
}

function textOf(item: PageElement, name: string): string | undefined {
	return withClass(item, name)[0]?.ownText;
}

/** What {@link shownReviews} is to find. */
export function expectedReviews({ reviews }: ProductReviews, display: 'hidden' | 'visible' | 'details') {
	return reviews.map(({ productName, productUrl, author, rating, title, body, date }) =>
		display === 'hidden'
			? {
					product: productName ?? productUrl,
					href: productUrl,
					author,
					rating: rating && `Rating: ${rating}/5`,
					title,
					body,
					date,
				}
			: {
					author: author ?? 'Anonymous',
					rating: rating && `${rating} out of 5 stars`,
					title,
					body,
					date,
				},
	);
}

/** The structured data on a page: every script as JSON, or as its text where it is none. */
export function structuredData({ html }: ParsedPage): unknown[] {
	const scripts = [...elementsBelow(html)].filter(({ tag }) => tag === 'script');
	return scripts.map(({ ownText }) => parseJson(ownText));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/**
 * The one entry that {@link structuredData} is to find, for a record that has structured data of its own.
 * @param address of the page.
 */
export function expectedData({ aggregate, schema }: ProductReviews, address: string) {
	const reviews = schema?.reviews.flatMap(asStated).map(toNode) ?? [];
	return {
		'@context': 'https://schema.org',
		'@type': 'Product',
		'@id': address,
		url: address,
		name: schema?.name,
		aggregateRating: {
			'@type': 'AggregateRating',
			ratingValue: aggregate?.average,
			reviewCount: aggregate?.count,
			bestRating: '5',
			worstRating: '1',
		},
		review: reviews.length > 0 ? reviews : undefined,
	};
}

function toNode({ author, rating, publisher, body, date }: StatedReview) {
	return {
		'@type': 'Review',
		author: { '@type': 'Person', name: author },
		reviewRating: { '@type': 'Rating', ratingValue: rating, bestRating: '5', worstRating: '1' },
		publisher: publisher && { '@type': 'Organization', name: publisher },
		reviewBody: body,
		datePublished: date,
	};
}
