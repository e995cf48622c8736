import type { CrawlerReviews } from 'product-reviews-client';
import {
	REVIEW,
	type ReviewParts,
	reviewBlock,
	reviewItem,
	SCHEMA,
	schemaScript,
} from '../service/payload.js';
import type { Display } from './write.js';

const REFERENCES: Readonly<Record<string, string>> = {
	...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};

/** Text as html that says the same: what the service is to make of a stranger's text, and may forget to. */
export const escaped = (text: string) =>
	text.replace(/[&<>"']/g, (character) => REFERENCES[character] ?? character);

/** JSON that a script element can hold, whatever is in it. */
export const scriptJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** A place of an answer that may hold a stranger's text, and the halves of an answer with a text in it. */
export interface Place {
	readonly name: string;
	/** The displays that write what stands there. */
	readonly displays: readonly Display[];
	/** @param isEscaped as it should be, or as it came: the service is to escape what strangers write, and a page must not rely on it. */
	readonly halves: (text: string, isEscaped: boolean) => Pick<CrawlerReviews, 'html' | 'jsonld'>;
}

const EACH = ['hidden', 'visible', 'details'] as const;
const HIDDEN = ['hidden'] as const;
const DOCUMENTED = reviewBlock(reviewItem(REVIEW));

// One half stands in for the other, so that what is read is written twice.
function inHtml(name: string, displays: readonly Display[], write: (text: string) => string): Place {
	return {
		name: `${name} of the html`,
		displays,
		halves: (text, isEscaped) => ({
			html: write(isEscaped ? escaped(text) : text),
			jsonld: schemaScript(''),
		}),
	};
}

function inJsonld(name: string, write: (text: string) => unknown): Place {
	return {
		name: `${name} of the structured data`,
		displays: EACH,
		halves: (text, isEscaped) => ({
			html: '',
			jsonld: schemaScript((isEscaped ? scriptJson : JSON.stringify)(write(text))),
		}),
	};
}

// The text is given by a function, as `$&` in a text would mean something to `replace`.
const instead = (of: string) => (text: string) => DOCUMENTED.replace(of, () => text);
const withPart = (name: keyof ReviewParts) => (text: string) =>
	reviewBlock(reviewItem({ ...REVIEW, [name]: text }));
const withReview = (parts: Record<string, unknown>) => ({
	...SCHEMA,
	review: [{ ...SCHEMA.review[0], ...parts }],
});

/** Each place of the service's html that may hold a text, and of its structured data that is read. */
export const PLACES: readonly Place[] = [
	inHtml('class of the wrapper', HIDDEN, instead('service-reviews_b-17')),
	inHtml('data-id', HIDDEN, (text) => DOCUMENTED.replace('data-id="b-17"', () => `data-id="${text}"`)),
	inHtml('data-block-handle', HIDDEN, instead('reviews-block')),
	inHtml('heading', EACH, instead('Customer Reviews')),
	...(['product', 'href'] as const).map((name) => inHtml(name, HIDDEN, withPart(name))),
	...(['author', 'rating', 'title', 'body', 'date'] as const).map((name) =>
		inHtml(name, EACH, withPart(name)),
	),
	inJsonld('name', (name) => ({ ...SCHEMA, name })),
	inJsonld('@id', (text) => ({ ...SCHEMA, '@id': text, url: undefined })),
	inJsonld('url', (url) => ({ ...SCHEMA, url })),
	inJsonld('author.name', (name) => withReview({ author: { '@type': 'Person', name } })),
	inJsonld('publisher.name', (name) => withReview({ publisher: { '@type': 'Organization', name } })),
	inJsonld('reviewBody', (reviewBody) => withReview({ reviewBody })),
	inJsonld('datePublished', (datePublished) => withReview({ datePublished })),
	inJsonld('ratingValue', (ratingValue) => withReview({ reviewRating: { '@type': 'Rating', ratingValue } })),
];
