import { REVIEW, type ReviewParts, reviewBlock, reviewItem, SCHEMA } from '../service/payload.js';

const DOCUMENTED = reviewBlock(reviewItem(REVIEW));

const withPart = (name: keyof ReviewParts) => (text: string) =>
	reviewBlock(reviewItem({ ...REVIEW, [name]: text }));
// The text is given by a function, as `$&` in a text would mean something to `replace`.
const instead = (of: string) => (text: string) => DOCUMENTED.replace(of, () => text);

const EACH = ['hidden', 'visible', 'details'] as const;
const HIDDEN = ['hidden'] as const;

/** A place of the service's html, the html with a text in that place, and the displays that write what stands there. */
type HtmlField = [name: string, write: (text: string) => string, displays: readonly (typeof EACH)[number][]];

/** Each place of the service's html that may hold a text. */
export const HTML_FIELDS: readonly HtmlField[] = [
	['class of the wrapper', instead('service-reviews_b-17'), HIDDEN],
	['data-id', (text) => DOCUMENTED.replace('data-id="b-17"', () => `data-id="${text}"`), HIDDEN],
	['data-block-handle', instead('reviews-block'), HIDDEN],
	['heading', instead('Customer Reviews'), EACH],
	['product', withPart('product'), HIDDEN],
	['href', withPart('href'), HIDDEN],
	['author', withPart('author'), EACH],
	['rating', withPart('rating'), EACH],
	['title', withPart('title'), EACH],
	['body', withPart('body'), EACH],
	['date', withPart('date'), EACH],
];

const withReview = (parts: Record<string, unknown>) => ({
	...SCHEMA,
	review: [{ ...SCHEMA.review[0], ...parts }],
});

/** Each place of the service's structured data that is read, and the data with a text in that place. */
export const SCHEMA_FIELDS: readonly [name: string, write: (text: string) => unknown][] = [
	['name', (name) => ({ ...SCHEMA, name })],
	['@id', (text) => ({ ...SCHEMA, '@id': text, url: undefined })],
	['url', (url) => ({ ...SCHEMA, url })],
	['author.name', (name) => withReview({ author: { '@type': 'Person', name } })],
	['publisher.name', (name) => withReview({ publisher: { '@type': 'Organization', name } })],
	['reviewBody', (reviewBody) => withReview({ reviewBody })],
	['datePublished', (datePublished) => withReview({ datePublished })],
	['ratingValue', (ratingValue) => withReview({ reviewRating: { '@type': 'Rating', ratingValue } })],
];
