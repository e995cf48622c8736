import { expect, test } from 'vitest';
import { readPayload } from '../../../src/providers/hosted-reviews.js';
import { createDropCounter, type DroppedParts } from '../../../src/records/field-reader.js';
import {
	answer,
	REVIEW,
	reviewBlock,
	reviewItem,
	SCHEMA,
	schemaScript,
} from '../../support/service/payload.js';
import { messageOf } from '../../support/unit/error.js';

type Given = Parameters<typeof answer>[0];

const item = (parts: Partial<typeof REVIEW>) => reviewBlock(reviewItem({ ...REVIEW, ...parts }));

const NONE = { count: 0, average: 0 };

test.each<[string, Given, object]>([
	['no review at all', { aggregate: NONE, html: '', jsonld: '' }, { reviews: [] }],
	['an empty block', { aggregate: NONE, html: reviewBlock(), jsonld: '' }, { reviews: [] }],
	['an odd id', { pid: ' <b>"x"\u0000\u202e ' }, { pid: ' <b>"x"\u0000\u202e ' }],
	['ratings without a text', { html: reviewBlock(), jsonld: '' }, { aggregate: { count: 2 }, reviews: [] }],
	['no structured data', { jsonld: '' }, { reviews: [{ author: 'Ada' }], schema: undefined }],
])('%s is no trouble', (_what, parts, expected) => {
	expect(readPayload(answer(parts))).toMatchObject(expected);
});

test.each<[number, number, unknown]>([
	[0, 0, undefined],
	[1, 5, { count: 1, average: 5 }],
	[3, 4.6666666, { count: 3, average: 4.67 }],
	[3, 0, undefined],
	[3, 5.01, undefined],
	[3, Number.NaN, undefined],
])('%d ratings of %d on average', (count, average, expected) => {
	const halves = count === 0 ? { html: '', jsonld: '' } : {};
	expect(readPayload(answer({ aggregate: { count, average }, ...halves })).aggregate).toEqual(expected);
});

const BOTH = '"html" and "jsonld"';
const SILENT = reviewBlock(reviewItem({ author: 'Ada' }));
const NOTHING_READ = 'The response counts 2 ratings, but contains no readable review.';

const NO_BLOCK =
	'The html of the reviews contains neither a block nor a review as the service documents them.';
const NO_RATING = 'The response counts no ratings, but contains 1 rated review.';

test.each<[string, Given, problem: string, field: string]>([
	['html that is none of reviews', { html: '<p>Sorry</p>' }, NO_BLOCK, '"html"'],
	['rated reviews and no rating', { aggregate: { count: 0, average: 4.5 } }, NO_RATING, 'number of ratings'],
	['no review in either half', { jsonld: schemaScript({ ...SCHEMA, review: [] }) }, NOTHING_READ, BOTH],
	['no review that says anything', { html: SILENT, jsonld: '' }, NOTHING_READ, BOTH],
	['both halves broken', { jsonld: schemaScript('{"@type":') }, NOTHING_READ, BOTH],
])('%s is an error', async (_what, parts, problem, field) => {
	const html = field === BOTH ? reviewBlock() : answer().html;
	expect(await messageOf(() => readPayload(answer({ html, ...parts })))).toBe(
		`ReviewPayloadError: ${problem}\nCheck what the service sends as ${field} for this product.`,
	);
});

test.each([-1, 2.5, Number.NaN, 2 ** 60])('%d is no count', (count) => {
	expect(() => readPayload(answer({ aggregate: { count, average: 4 } }))).toThrow(
		`The number of ratings is ${count}, which is not a valid count.`,
	);
});

test("where a stranger's text broke one half, the other stands in, but for reviews that say nothing", () => {
	const shown = { author: 'Ada', rating: 5, body: 'Boils fast.', date: '2026-11-20' };
	const [review] = SCHEMA.review;
	const broken = schemaScript({ ...SCHEMA, name: 'a</script><script>alert(1)' });
	expect(readPayload(answer({ jsonld: broken })).schema).toEqual({
		...{ name: 'Kettle', url: 'https://shop.example/products/p-1' },
		reviews: [{ ...shown, publisher: undefined }],
	});
	const silent = { '@type': 'Review', author: { name: 'Ada' } };
	const jsonld = schemaScript({ ...SCHEMA, review: [silent, review] });
	const product = { productName: 'Kettle', productUrl: 'https://shop.example/products/p-1' };
	const expected = [{ ...product, ...shown, title: undefined }];
	expect(readPayload(answer({ html: item({ product: '<!--' }), jsonld })).reviews).toEqual(expected);
	// One that swallows another.
	const html = reviewBlock(reviewItem({ ...REVIEW, body: 'nice <!-- x' }), reviewItem(REVIEW));
	const both = schemaScript({ ...SCHEMA, review: [review, { ...review, reviewBody: 'Second.' }] });
	const { reviews } = readPayload(answer({ html, jsonld: both }));
	expect(reviews.map(({ body }) => body)).toEqual(['Boils fast.', 'Second.']);
});

const MUTE = reviewBlock(reviewItem(REVIEW), reviewItem({ author: 'Bo' }));
const MANY = reviewBlock(...Array(2_002).fill(reviewItem(REVIEW)));

test.each<[string, Given, DroppedParts]>([
	['nothing', {}, {}],
	['a rating outside the scale', { html: item({ rating: 'Rating: 9/5' }) }, { 'rating-unusable': 1 }],
	['no address of the web', { html: item({ href: 'javascript:alert(1)' }) }, { 'address-refused': 1 }],
	['a day that does not exist', { html: item({ date: '2026-02-31' }) }, { 'date-unreadable': 1 }],
	['a text that is too long', { html: item({ body: 'x'.repeat(20_001) }) }, { 'text-cut': 1 }],
	[
		'a text with a hidden instruction',
		{ html: item({ title: 'Good\u{e0041}' }) },
		{ 'unseen-characters-removed': 1 },
	],
	['a text with nothing to see', { html: item({ title: '\u0007\u200b' }) }, { 'text-unreadable': 1 }],
	['an e-mail address', { html: item({ author: 'ada@a.example' }) }, { 'contact-details-removed': 1 }],
	['a review that says nothing', { html: MUTE }, { 'review-empty': 1, 'review-lists-differ': 1 }],
	['reviews beyond the limit', { html: MANY }, { 'review-beyond-limit': 2, 'review-lists-differ': 1 }],
	['another count', { aggregate: { count: 3, average: 4 } }, { 'rating-differs': 1 }],
	['an average outside the scale', { aggregate: { count: 2, average: 9 } }, { 'rating-unusable': 1 }],
	['a script that a text ended', { jsonld: schemaScript('{') }, { 'structured-data-unreadable': 1 }],
	['html without a readable review', { html: reviewBlock() }, { 'html-unreadable': 1 }],
])('what is lost is counted with a reason: %s', (_what, parts, expected) => {
	const { drop, dropped } = createDropCounter();
	readPayload(answer(parts), drop);
	expect(dropped).toEqual(expected);
});
