import { describe, expect, test } from 'vitest';
import { readPayload } from '../../../src/payload/read-payload.js';
import { html } from '../../../src/render/html.js';
import { renderProductReviews } from '../../../src/render/render-product-reviews.js';
import { renderStarRating } from '../../../src/render/render-star-rating.js';
import { findElements } from '../../support/unit-elements.js';
import strings from '../../support/unit-hostile-strings.json' with { type: 'json' };
import { answer, REVIEW, reviewBlock, reviewItem, SCHEMA, schemaScript } from '../../support/unit-payload.js';
import { record, renderOptions, stated } from '../../support/unit-record.js';
import { renderSchema } from '../../support/unit-schema.js';

const OURS: Record<string, readonly string[]> = {
	section: ['class', 'data-display'],
	details: ['class', 'data-display'],
	summary: ['class'],
	div: ['class', 'dir', 'data-id', 'data-block-handle', 'data-display', 'aria-hidden'],
	a: ['class', 'href', 'tabindex', 'dir'],
	h2: ['class', 'dir'],
	h3: ['class', 'dir'],
	p: ['class', 'dir'],
	ol: ['class', 'role'],
	li: [],
	article: ['class'],
	span: ['class', 'dir', 'role', 'aria-hidden', 'aria-label', 'data-fill'],
	time: ['class', 'datetime'],
};

/** Html that the service made of a stranger's text: as it came, or escaped as it should be. */
const WAYS: [string, (text: string) => string][] = [
	['as it came', (text) => text],
	['escaped', (text) => html`${text}`.toString()],
];

function expectOnlyOurs(written: string): void {
	const { elements, comments } = findElements(written);
	const foreign = elements.filter(
		({ tag, attributes: { href = 'https://', ...others } }) =>
			!/^https?:\/\//.test(href) ||
			Object.keys(others).some((name) => !OURS[tag]?.includes(name)) ||
			!OURS[tag],
	);
	expect({ foreign, comments }).toEqual({ foreign: [], comments: 0 });
}

describe.each(WAYS)('hostile text %s', (_way, write) => {
	test.each(['hidden', 'visible', 'details'] as const)('%s: only our elements and attributes', (display) => {
		for (const string of strings) {
			const text = write(string);
			const parts = {
				product: text,
				href: text,
				author: text,
				rating: text,
				title: text,
				body: text,
				date: text,
			};
			const block = reviewBlock(reviewItem(parts), reviewItem({ ...REVIEW, body: text }));
			let product: ReturnType<typeof readPayload>;
			try {
				product = readPayload(answer({ html: block, jsonld: '' }));
			} catch (error) {
				expect((error as Error).name).toBe('ReviewPayloadError');
				continue;
			}
			const options = renderOptions();
			const written = renderProductReviews(product, { display, class: string, id: 'x' }, options);
			expectOnlyOurs(written.replace(' id="x"', ''));
			expect(written).not.toMatch(/[\r\n]/);
			expectOnlyOurs(renderStarRating(product.aggregate, { class: string }, options));
		}
	});
});

test('hostile text stays inside the element that hides it', () => {
	for (const string of strings) {
		const product = readPayload(
			answer({ html: reviewBlock(reviewItem({ ...REVIEW, body: string })), jsonld: '' }),
		);
		const { elements } = findElements(
			`${renderProductReviews(product, {}, renderOptions())}<footer></footer>`,
		);
		expect(elements.at(-1)?.tag).toBe('footer');
	}
});

test('escaped text is read and written without a difference', () => {
	for (const string of strings) {
		const block = reviewBlock(reviewItem({ rating: 'Rating: 5/5', body: html`${string}`.toString() }));
		const body = readPayload(answer({ html: block, jsonld: '' })).reviews[0]?.body;
		const product = record({ reviews: [{ ...record().reviews[0], body } as never] });
		const written = renderProductReviews(product, {}, renderOptions());
		if (body !== undefined) expect(findElements(written).text).toContain(body);
	}
});

test('structured data holds exactly the text that was read', () => {
	for (const string of strings) {
		const review = {
			...SCHEMA.review[0],
			reviewBody: string,
			author: { name: string },
			publisher: { name: string },
		};
		const text = JSON.stringify({ ...SCHEMA, name: string, url: string, review: [review] });
		const jsonld = schemaScript(text.replaceAll('<', '\\u003c'));
		const product = readPayload(answer({ jsonld }));
		const { elements, text: written } = findElements(renderSchema(product, { product: { sku: string } }));
		expect(elements).toHaveLength(1);
		const node = JSON.parse(written) as Record<string, unknown>;
		expect(node['sku']).toBe(string);
		expect(node['name']).toBe(product.schema?.name);
		const read = product.schema?.reviews[0];
		if (read?.author !== undefined)
			expect(node['review']).toMatchObject([read.body === undefined ? {} : { reviewBody: read.body }]);
	}
});

test('structured data of hostile records is one script whose text is the record', () => {
	for (const string of strings) {
		const schema = {
			name: string,
			url: undefined,
			reviews: [stated({ author: string.slice(0, 50) || 'x', body: string, publisher: string })],
		};
		const { elements, text } = findElements(renderSchema(record({ schema }), {}));
		expect(elements).toHaveLength(1);
		expect(JSON.parse(text)).toMatchObject({
			name: string,
			review: [{ reviewBody: string, publisher: { name: string } }],
		});
	}
});
