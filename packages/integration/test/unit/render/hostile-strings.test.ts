import { expect, test } from 'vitest';
import { readPayload } from '../../../src/parse/read-payload.js';
import { renderProductReviews } from '../../../src/render/render-product-reviews.js';
import { renderStarRating } from '../../../src/render/render-star-rating.js';
import { STRINGS } from '../../support/corpora.js';
import { findElements } from '../../support/page/elements.js';
import { answer, reviewBlock, reviewItem, SCHEMA, schemaScript } from '../../support/service/payload.js';
import { escaped, scriptJson } from '../../support/unit/escaped.js';
import { displayed, record, renderOptions, stated } from '../../support/unit/record.js';
import { renderSchema } from '../../support/unit/schema.js';

const OPTIONS = renderOptions();

test.each(['hidden', 'visible', 'details'] as const)(
	'%s: hostile attributes that a page gives stay attributes of the root',
	(display) => {
		/** Tags and names of attributes of everything that is written with a class and a title. */
		const shapeOf = (text: string) => {
			const props = { class: text, title: text };
			const stars = renderStarRating({ average: 4.5, count: 2 }, props, OPTIONS);
			const reviews = renderProductReviews(record(), { display, ...props }, OPTIONS);
			const { elements, comments } = findElements(stars + reviews);
			return JSON.stringify([
				comments,
				elements.map(({ tag, attributes }) => [tag, Object.keys(attributes)]),
			]);
		};
		const expected = shapeOf('x');
		for (const text of STRINGS) expect(shapeOf(text), text).toBe(expected);
	},
	30_000,
);

test('escaped text is read and written without a difference', () => {
	for (const text of STRINGS) {
		const block = reviewBlock(reviewItem({ rating: 'Rating: 5/5', body: escaped(text) }));
		const body = readPayload(answer({ html: block, jsonld: '' })).reviews[0]?.body;
		const product = record({ reviews: [displayed({ body })] });
		const { text: written } = findElements(renderProductReviews(product, {}, OPTIONS));
		expect(written).toContain(body ?? '');
	}
});

test('structured data holds exactly what was read, and what the page gives', () => {
	for (const text of STRINGS) {
		const node = scriptJson({ ...SCHEMA, name: text, url: text });
		const product = readPayload(answer({ jsonld: schemaScript(node) }));
		const written = findElements(renderSchema(product, { product: { sku: text } }));
		expect(written.elements).toHaveLength(1);
		const { sku, name, url } = JSON.parse(written.text) as Record<string, unknown>;
		expect({ sku, name, url }).toEqual({ sku: text, name: product.schema?.name, url: product.schema?.url });
	}
});

test('structured data of hostile records is one script whose text is the record', () => {
	for (const text of STRINGS) {
		const review = stated({ author: `A${text.slice(0, 50)}`, body: text, publisher: text });
		const schema = { name: text, url: undefined, reviews: [review] };
		const written = findElements(renderSchema(record({ schema }), {}));
		expect(written.elements).toHaveLength(1);
		expect(JSON.parse(written.text)).toMatchObject({
			name: text,
			review: [{ reviewBody: text, publisher: { name: text } }],
		});
	}
});
