import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../src/parse/read-payload.js';
import type { ProductReviews } from '../../../src/parse/record.js';
import {
	answer,
	REVIEW,
	reviewBlock,
	reviewItem,
	SCHEMA,
	schemaScript,
} from '../../support/service/payload.js';
import { damaged, times } from '../../support/unit/fuzz.js';
import { anyOf, documentedHtml, documentedJsonld, payloadOf } from '../../support/unit/fuzz-payload.js';
import { readOrRefuse } from '../../support/unit/harmless.js';
import { record, stated } from '../../support/unit/record.js';
import { asStated } from '../../support/unit/stated.js';
import { writeReviews, writeSchema } from '../../support/unit/write.js';

// The html of the display `hidden` and the structured data have the shape that the service documents. So what is
// written can be read like an answer of the service, and must say the same: nothing is lost on the way, added to it or
// taken for something else.

/** The record of what is written for a record. */
function readAgain(product: ProductReviews): ProductReviews {
	return readPayload({
		pid: product.pid,
		// The average is not in the html, and neither it nor the count is read from the structured data.
		aggregate: product.aggregate ?? { count: 1, average: 0 },
		html: writeReviews(product),
		jsonld: writeSchema(product),
	});
}

/** What a record says once it is written: not all that is known goes into a page. */
function asWritten({ pid, aggregate, reviews, schema, ...block }: ProductReviews): ProductReviews {
	const blockId = block.blockId ?? 'reviews';
	const header = {
		heading: block.heading ?? 'Customer reviews',
		blockId,
		handle: block.handle ?? blockId,
	};
	return {
		pid,
		aggregate,
		// A block without reviews is not written.
		...(reviews.length > 0 ? header : { heading: undefined, blockId: undefined, handle: undefined }),
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

describe('what is written is read as the record that was written', () => {
	test('of documented answers', () => {
		expect(countReadAgain(documentedHtml, documentedJsonld, 800)).toBeGreaterThan(200);
	});

	test('of damaged answers', () => {
		const html = damaged(anyOf(documentedHtml));
		expect(countReadAgain(html, anyOf(documentedJsonld), 2_000)).toBeGreaterThan(500);
	});
});

/** How many of the answers were read and had something to write. */
function countReadAgain(html: fc.Arbitrary<string>, jsonld: fc.Arbitrary<string>, numRuns: number): number {
	let read = 0;
	const property = fc.property(payloadOf(html, jsonld), (payload) => {
		const product = readOrRefuse(payload);
		if (!product) return;
		const again = readAgain(product);
		expect(again).toEqual(asWritten(product));
		// From here on nothing changes any more.
		expect(readAgain(again)).toEqual(again);
		if (product.reviews.length > 0) read += 1;
	});
	fc.assert(property, times(numRuns));
	return read;
}

describe('what is at a limit is read as it was written', () => {
	test('an address that is longer in its normal form', () => {
		const href = `https://shop.example/${'ä'.repeat(1_000)}`;
		const product = readPayload(answer({ html: reviewBlock(reviewItem({ ...REVIEW, href })) }));
		expect(readAgain(product)).toEqual(asWritten(product));
	});

	test.each<[string, string]>([
		['of the longest length', 'a'.repeat(99)],
		['of characters that are two code units each', '😀'.repeat(99)],
		['that ends in white space where it is cut', `${'a'.repeat(98)} b`],
		['that shows nothing up to where it is cut', `${'\u200b'.repeat(99)}Ada`],
	])('a name of an author %s', (_what, author) => {
		const product = record({ schema: { name: 'K', url: undefined, reviews: [stated({ author })] } });
		expect(readAgain(product)).toEqual(asWritten(product));
		expect(writeSchema(product)).not.toMatch(/\s"/);
	});
});

describe('where the structured data stands in for the html', () => {
	const readOnly = (parts: Record<string, unknown>) =>
		readPayload(answer({ html: reviewBlock(), jsonld: schemaScript({ ...SCHEMA, ...parts }) }));

	test('a review that says nothing is not shown', () => {
		const silent = { '@type': 'Review', author: { name: 'Ada' } };
		expect(readOnly({ review: [silent, { ...silent, reviewBody: 'Good' }] }).reviews).toHaveLength(1);
	});

	test('a long name of the product is read as it was written', () => {
		const product = readOnly({ name: 'a'.repeat(300) });
		expect(readAgain(product)).toEqual(asWritten(product));
	});
});
