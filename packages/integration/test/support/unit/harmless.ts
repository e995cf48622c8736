import { isDeepStrictEqual } from 'node:util';
import { parseFragment, serialize } from 'parse5';
import type { CrawlerReviews } from 'product-reviews-client';
import { expect } from 'vitest';
import { ReviewPayloadError } from '../../../src/errors.js';
import { readPayload } from '../../../src/providers/hosted-reviews.js';
import {
	condenseRecord,
	type ProductReviews,
	restoreRecord,
	type StatedReview,
} from '../../../src/records/record.js';
import { lookAtPage, pageAround } from './page.js';
import { type Display, write, writeAll } from './write.js';

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
 * Reads a payload, writes it into a page and looks at the page as browsers do: it holds what our templates write and no
 * more, and its structured data to the letter. Nothing is lost on the way, added to it or taken for something else. The
 * html of the display `hidden` and the structured data have the shape that the service documents, so that what is written
 * can be read like an answer of the service, and must say the same. A browser that reads and writes it, as many scripts
 * do, changes nothing, and neither does the cache.
 * @returns whether a review was read: a payload that is refused, or that has none, puts nothing to the test.
 */
export function expectSound(payload: CrawlerReviews, display?: Display): boolean {
	const product = readOrRefuse(payload);
	// What has the documented shape is read without a parser. White space before it leaves it to the parser.
	const parsed = readOrRefuse({ ...payload, html: ` ${payload.html}`, jsonld: ` ${payload.jsonld}` });
	expectEqual(product, parsed, JSON.stringify(payload));
	if (!product) return false;
	const again = readAgain(product);
	expectEqual(again, asWritten(product));
	// The same record would be read again the same.
	if (!isDeepStrictEqual(again, product)) expectEqual(readAgain(again), again);
	const written = writeAll(product, display);
	const once = serialize(parseFragment(written));
	expect(serialize(parseFragment(once))).toBe(once);
	expectEqual(restoreRecord(JSON.parse(JSON.stringify(condenseRecord(product)))), product);
	const { foreign, scripts } = lookOnce(written);
	const hasScripts = scripts.every((script) => written.includes(`>${script}</script>`));
	// An expectation a page would take longer than the page.
	if (foreign.length > 0 || !hasScripts || /[\r\n]/.test(written))
		expect.fail(JSON.stringify({ foreign, payload, written }, undefined, '\t'));
	return product.reviews.length > 0 || (product.schema?.reviews.length ?? 0) > 0;
}

/** The comparison of the test runner takes longer than the parser: it is for those that differ. */
function expectEqual(found: unknown, expected: unknown, message?: string): void {
	if (!isDeepStrictEqual(found, expected)) expect(found, message).toEqual(expected);
}

/** The record of what is written for a record. */
function readAgain(product: ProductReviews): ProductReviews {
	return readPayload({
		pid: product.pid,
		// The average is not in the html, and neither it nor the count is read from the structured data.
		aggregate: product.aggregate ?? { count: 1, average: 0 },
		html: write('ProductReviews', product),
		jsonld: write('ReviewSchema', product),
	});
}

/** What a record says once it is written: not all that is known goes into a page. */
function asWritten({ pid, aggregate, reviews, schema, ...block }: ProductReviews): ProductReviews {
	const { heading = 'Customer reviews', blockId = 'reviews', handle = blockId } = block;
	return {
		pid,
		aggregate,
		// A block without reviews is not written.
		...(reviews.length > 0
			? { heading, blockId, handle }
			: { heading: undefined, blockId: undefined, handle: undefined }),
		// A link needs a text.
		reviews: reviews.map(({ productName, productUrl, ...review }) => ({
			...review,
			productName: productName ?? shortened(productUrl, 200),
			productUrl,
		})),
		// Search engines refuse structured data without a rating.
		schema: aggregate && schema && { ...schema, reviews: schema.reviews.flatMap(asStated) },
	};
}

const shortened = (text: string | undefined, most: number) =>
	text !== undefined && text.length > most ? `${text.slice(0, most - 1)}…` : text;

// Of hostile texts little is left, so that many of them make the same page.
const looked = new Map<string, ReturnType<typeof lookAtPage>>();

function lookOnce(written: string) {
	const page = looked.get(written) ?? lookAtPage(pageAround(written));
	if (looked.size >= 5_000) looked.clear();
	looked.set(written, page);
	return page;
}

/**
 * What structured data states of a review, and of which reviews: search engines refuse one without an author or a
 * rating, and take fewer than 100 characters of a name.
 */
function asStated({ author = '', rating, ...others }: StatedReview): StatedReview[] {
	const name = [...author].slice(0, 99).join('').trimEnd();
	return rating !== undefined && VISIBLE.test(name) ? [{ ...others, rating, author: name }] : [];
}

/** A name in which nothing is to be seen is none. */
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
