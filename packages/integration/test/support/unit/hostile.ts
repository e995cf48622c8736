import fc from 'fast-check';
import type { CrawlerReviews } from 'product-reviews-client';
import { expect } from 'vitest';
import { answer, REVIEW, reviewBlock, reviewItem, SCHEMA, schemaScript } from '../service/payload.js';
import { damaged, SEED, strangersText, times } from './fuzz.js';
import { expectSound } from './harmless.js';
import type { Display } from './write.js';

const REFERENCES: Readonly<Record<string, string>> = {
	...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' },
};

/** Text as html that says the same: what the service is to make of a stranger's text, and may forget to. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => REFERENCES[character] ?? character);

/** JSON that a script element can hold, whatever is in it. */
export const scriptJson = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** A place of an answer that may hold a stranger's text, and the halves of an answer with a text in it. */
interface Place {
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
const withPart = (name: keyof typeof REVIEW) => (text: string) =>
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

/** Puts each text into a place of an answer. Escaped as it should be, each is read. */
export function expectHarmlessIn({ halves, displays }: Place, texts: readonly string[]): void {
	const read = (isEscaped: boolean) =>
		texts.filter((text, index) =>
			expectSound(answer(halves(text, isEscaped)), displays[index % displays.length]),
		);
	expect(read(false).length).toBeGreaterThan(texts.length / 2);
	expect(read(true)).toEqual(texts);
}

/** A value as the service documents it, and now and then what a stranger may type in its place. */
const orAnything = (documented: fc.Arbitrary<string>) =>
	fc.oneof({ arbitrary: documented, weight: 4 }, { arbitrary: strangersText, weight: 1 });

const url = orAnything(fc.webUrl({ withQueryParameters: true, withFragments: true }));
const stars = fc.oneof(
	fc.integer({ min: 1, max: 5 }),
	fc.integer({ min: 90, max: 510 }).map((cents) => cents / 100),
);
const date = orAnything(fc.date({ noInvalidDate: true }).map((value) => value.toISOString().slice(0, 10)));

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 6, nil: undefined });

const displayedReview = fc
	.record({
		product: maybe(strangersText),
		href: url,
		author: maybe(strangersText),
		rating: maybe(orAnything(stars.map((rating) => `Rating: ${rating}/5`))),
		title: maybe(strangersText),
		body: maybe(strangersText),
		date: maybe(date),
	})
	.map((parts) =>
		reviewItem(
			Object.fromEntries(
				Object.entries(parts).flatMap(([name, text]) => (text === undefined ? [] : [[name, escaped(text)]])),
			),
		),
	);

/** The html of the service in the documented shape, every text of a stranger escaped. */
const documentedHtml: fc.Arbitrary<string> = fc
	.tuple(strangersText, strangersText, strangersText, fc.array(displayedReview, { maxLength: 4 }))
	.map(([heading, id, handle, items]) =>
		reviewBlock(...items)
			.replace('Customer Reviews', () => escaped(heading))
			.replace('"reviews-block"', () => `"${escaped(handle)}"`)
			.replace('data-id="b-17"', () => `data-id="${escaped(id)}"`),
	);

const statedReview = fc.record({
	'@type': fc.constant('Review'),
	author: maybe(fc.record({ name: strangersText })),
	reviewRating: maybe(fc.record({ ratingValue: fc.oneof(stars, stars.map(String), strangersText) })),
	publisher: maybe(fc.record({ name: strangersText })),
	reviewBody: maybe(strangersText),
	datePublished: maybe(date),
});

const documentedJsonld: fc.Arbitrary<string> = fc
	.record({
		'@type': fc.constant('Product'),
		'@id': maybe(url),
		url: maybe(url),
		name: maybe(strangersText),
		review: maybe(fc.array(statedReview, { maxLength: 4 })),
	})
	.map((product) => schemaScript(scriptJson(product)));

function payloadOf(html: fc.Arbitrary<string>, jsonld: fc.Arbitrary<string>): fc.Arbitrary<CrawlerReviews> {
	return fc.record({
		pid: fc.constant('p-1'),
		aggregate: fc.record({
			count: fc.oneof({ arbitrary: fc.nat(1_000), weight: 9 }, { arbitrary: fc.double(), weight: 1 }),
			average: fc.oneof({ arbitrary: stars, weight: 9 }, { arbitrary: fc.double(), weight: 1 }),
		}),
		html,
		jsonld,
	});
}

/** One of some such texts, made once: to make one takes longer than to read it. */
function anyOf(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
	return fc.constantFrom(...fc.sample(texts, { seed: SEED, numRuns: 300 }));
}

/** Kinds of answers, and the least share of them that is read. */
export const ANSWERS: readonly [kind: string, payload: fc.Arbitrary<CrawlerReviews>, share: number][] = [
	['documented answers', payloadOf(documentedHtml, documentedJsonld), 0.4],
	['damaged answers', payloadOf(damaged(anyOf(documentedHtml)), damaged(anyOf(documentedJsonld))), 0.15],
	['answers that are anything at all', payloadOf(strangersText, strangersText), 0],
];

/** Expects answers of a kind to be read and written without a difference, or refused. */
export function expectAllSound(payload: fc.Arbitrary<CrawlerReviews>, share: number, numRuns: number): void {
	let read = 0;
	const display = fc.constantFrom('hidden', 'visible', 'details' as const);
	const property = fc.property(payload, display, (one, shown) => {
		if (expectSound(one, shown)) read += 1;
	});
	fc.assert(property, times(numRuns));
	expect(read).toBeGreaterThanOrEqual(share * numRuns);
}
