import fc from 'fast-check';
import type { CrawlerReviews } from 'product-reviews-client';
import { expect } from 'vitest';
import { reviewBlock, reviewItem, schemaScript } from '../service/payload.js';
import { escaped, scriptJson } from './fields.js';
import { damaged, SEED, strangersText, times } from './fuzz.js';
import { expectSound } from './harmless.js';

/** A value as the service documents it, and now and then what a stranger may type in its place. */
const orAnything = (documented: fc.Arbitrary<string>) =>
	fc.oneof({ arbitrary: documented, weight: 4 }, { arbitrary: strangersText, weight: 1 });

const url = orAnything(fc.webUrl({ withQueryParameters: true, withFragments: true }));
const stars = fc.oneof(
	fc.integer({ min: 1, max: 5 }),
	fc.integer({ min: 90, max: 510 }).map((cents) => cents / 100),
);
const date = orAnything(fc.date({ noInvalidDate: true }).map((value) => value.toISOString().slice(0, 10)));

/** Any of the values, or none: each may be missing. */
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

/** The structured data of the service in the documented shape. */
const documentedJsonld: fc.Arbitrary<string> = fc
	.record({
		'@type': fc.constant('Product'),
		'@id': maybe(url),
		url: maybe(url),
		name: maybe(strangersText),
		review: maybe(fc.array(statedReview, { maxLength: 4 })),
	})
	.map((product) => schemaScript(scriptJson(product)));

/** An answer of the service whose html and structured data are these. */
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
