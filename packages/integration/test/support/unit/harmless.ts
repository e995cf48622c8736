import { isDeepStrictEqual } from 'node:util';
import type { CrawlerReviews } from 'product-reviews-client';
import { expect } from 'vitest';
import { ReviewPayloadError } from '../../../src/errors.js';
import { readPayload } from '../../../src/parse/read-payload.js';
import type { ProductReviews } from '../../../src/parse/record.js';
import { type LookedAtPage, lookAtPage, pageAround } from './page.js';
import { asStated } from './stated.js';
import { type Display, writeAll } from './write.js';

/** The record of a payload; `undefined` where it is refused. The only error that a payload may cause is `ReviewPayloadError`. */
export function readOrRefuse(payload: CrawlerReviews): ProductReviews | undefined {
	try {
		return readPayload(payload);
	} catch (error) {
		if (error instanceof ReviewPayloadError) return undefined;
		throw error;
	}
}

/**
 * Writes a payload into a page and looks at the page as browsers do: it holds what our templates write and no more, and
 * its structured data states the reviews of the record.
 * @returns whether a review was read: a payload that is refused, or that has none, puts nothing to the test.
 */
export function expectHarmless(payload: CrawlerReviews, display?: Display): boolean {
	const product = readOrRefuse(payload);
	if (!product) return false;
	const written = writeAll(product, display);
	const { foreign, scripts } = lookOnce(written);
	const isAsItShouldBe = foreign.length === 0 && scripts.every((script) => states(script, product));
	if (!isAsItShouldBe || /[\r\n]/.test(written)) {
		// An expectation a page would take longer than the page.
		expect.fail(JSON.stringify({ foreign, payload, written }, undefined, '\t'));
	}
	return product.reviews.length > 0 || (product.schema?.reviews.length ?? 0) > 0;
}

// Of hostile texts little is left, so that many of them make the same page.
const looked = new Map<string, LookedAtPage>();

function lookOnce(written: string): LookedAtPage {
	const known = looked.get(written);
	if (known) return known;
	const page = lookAtPage(pageAround(written));
	if (looked.size >= 5_000) looked.clear();
	looked.set(written, page);
	return page;
}

interface ReviewNode {
	readonly author: { readonly name: string };
	readonly reviewRating: { readonly ratingValue: number };
	readonly publisher?: { readonly name: string };
	readonly reviewBody?: string;
	readonly datePublished?: string;
}

/** Whether structured data states the product and its reviews. */
function states(script: string, { aggregate, schema }: ProductReviews): boolean {
	const { review = [], ...node } = JSON.parse(script) as { review?: ReviewNode[] } & Record<string, unknown>;
	const read = review.map(({ author, reviewRating, publisher, reviewBody, datePublished }) => ({
		author: author.name,
		rating: reviewRating.ratingValue,
		publisher: publisher?.name,
		body: reviewBody,
		date: datePublished,
	}));
	const { ratingValue, reviewCount } = node['aggregateRating'] as Record<string, unknown>;
	return isDeepStrictEqual(
		[read, node['name'], node['url'], { average: ratingValue, count: reviewCount }],
		[schema?.reviews.flatMap(asStated), schema?.name, schema?.url, aggregate],
	);
}
