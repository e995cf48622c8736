import type { CrawlerReviews } from 'product-reviews-client';
import { type ReviewParts, reviewItem, schemaScript } from './payload.js';

/** What a stranger typed, and where the service puts it without escaping a character of it. */
export interface RawProduct {
	readonly text: string;
	/**
	 * `'everywhere'`: also where only the merchant or the service writes, such as the heading and the ids of the block;
	 * `'reviews'`: within the parts of reviews, so that more of the block around them stays readable.
	 */
	readonly place: 'everywhere' | 'reviews';
	/**
	 * `'raw'`: as `JSON.stringify` leaves it, so that `</script>` in the text ends the script; `'escaped'`: `<` as an
	 * escape of JSON, so that the text arrives whole.
	 */
	readonly jsonld: 'raw' | 'escaped';
}

/** The documented answer about a product, made by a service that escapes nothing. */
export function rawAnswer(pid: string, product: RawProduct): CrawlerReviews {
	return { pid, aggregate: { count: 3, average: 4.5 }, html: rawHtml(product), jsonld: rawJsonld(product) };
}

const ADDRESS = 'https://shop.example/products/p-1';

const ORDINARY: ReviewParts = {
	product: 'Kettle',
	href: ADDRESS,
	author: 'Ada',
	rating: 'Rating: 4/5',
	title: 'Good',
	body: 'Boils fast.',
	date: '2026-11-20',
};

/** One ordinary review, one that is the text in every part, and one whose rating, date and address can be read. */
function rawHtml({ text, place }: RawProduct): string {
	const around = (usual: string) => (place === 'everywhere' ? text : usual);
	const id = around('b-17');
	const texts = { product: text, author: text, title: text, body: text };
	const reviews = [
		ORDINARY,
		{ ...texts, href: text, rating: text, date: text },
		{ ...ORDINARY, ...texts, rating: 'Rating: 5/5' },
	];
	return `<div class="service-reviews_${id}" data-id="${id}" data-block-handle="${around('reviews-block')}"><style>.service-reviews_${id}{position:absolute;width:1px;height:1px;overflow:hidden}</style><h2>${around('Customer Reviews')}</h2>${reviews.map(reviewItem).join('')}</div>`;
}

function rawJsonld({ text, jsonld }: RawProduct): string {
	const json = JSON.stringify({
		'@context': 'https://schema.org',
		'@type': 'Product',
		aggregateRating: {
			'@type': 'AggregateRating',
			ratingValue: 4.5,
			reviewCount: 3,
			bestRating: '5',
			worstRating: '1',
		},
		'@id': text,
		url: text,
		name: text,
		review: [
			rawReview('Ada', 4, 'Shop', 'Boils fast.', '2026-11-20'),
			rawReview(text, text, text, text, text),
			rawReview(text, 5, text, text, '2026-11-21'),
		],
	});
	return schemaScript(jsonld === 'raw' ? json : json.replaceAll('<', '\\u003c'));
}

function rawReview(name: string, ratingValue: unknown, publisher: string, body: string, date: string) {
	return {
		'@type': 'Review',
		author: { '@type': 'Person', name },
		reviewRating: { '@type': 'Rating', ratingValue, bestRating: '5', worstRating: '1' },
		publisher: { '@type': 'Organization', name: publisher },
		reviewBody: body,
		datePublished: date,
	};
}
