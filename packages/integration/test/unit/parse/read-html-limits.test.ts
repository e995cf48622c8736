import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import { readHtml } from '../../../src/parse/read-html.js';
import { readPayload } from '../../../src/parse/read-payload.js';
import { answer, REVIEW, type ReviewParts, reviewBlock, reviewItem } from '../../support/service/payload.js';
import { cpuTimeOf, LIMIT_IN_MS } from '../../support/unit/worst-case.js';

/** The one review of a block whose item has these parts. */
const readOne = (parts: ReviewParts) => readHtml(reviewBlock(reviewItem({ ...REVIEW, ...parts }))).reviews[0];

describe('limits', () => {
	const filler = 'word '.repeat(10_000);

	test('texts are cut with an ellipsis', () => {
		const review = readOne({ body: filler, title: filler, author: filler, product: filler });
		expect(review?.body).toHaveLength(20_000);
		expect(review?.title?.length).toBeLessThanOrEqual(500);
		expect(review?.author?.length).toBeLessThanOrEqual(200);
		expect(review?.productName?.length).toBeLessThanOrEqual(200);
		for (const text of [review?.body, review?.title, review?.author, review?.productName])
			expect(text).toMatch(/word?…$|wo…$|w…$/);
	});

	test('a cut leaves no half character', () => {
		const review = readOne({ title: '😀'.repeat(400), author: `a${'😀'.repeat(150)}` });
		expect(review?.title?.isWellFormed()).toBe(true);
		expect(review?.author?.isWellFormed()).toBe(true);
		expect(review?.author).toHaveLength(200);
	});

	test('text behind a lot of white space or control characters is still read', () => {
		const gap = ' \n'.repeat(60_000);
		expect(readOne({ title: `${gap}a`, body: `${'\u0001'.repeat(90_000)}b` })).toMatchObject({
			title: 'a',
			body: 'b',
		});
	});

	test('at most 2,000 reviews are kept', () => {
		const items = Array.from({ length: 2_100 }, (_, index) => reviewItem({ title: `t${index}` }));
		const { reviews } = readHtml(reviewBlock(...items));
		expect(reviews).toHaveLength(2_000);
		expect(reviews.at(-1)?.title).toBe('t1999');
	});

	test('4 MiB of reviews are read in bounded time', () => {
		const item = reviewItem({ ...REVIEW, body: 'b'.repeat(400) });
		const html = reviewBlock(item.repeat(Math.floor(4_190_000 / item.length)));
		let count = 0;
		const time = cpuTimeOf(() => {
			count = readHtml(html).reviews.length;
		});
		expect(count).toBe(2_000);
		expect(time).toBeLessThan(LIMIT_IN_MS);
	});

	test.each<[string, string]>([
		['larger than 4 MiB', 'a'.repeat(4_194_305)],
		['100,000 nested div', '<div>'.repeat(100_000)],
		['100,000 nested b in a body', reviewBlock(reviewItem({ body: '<b>'.repeat(100_000) }))],
		['65 levels in a body', reviewItem({ body: `${'<i>'.repeat(65)}x` })],
		[
			'formatting that the parser repeats in each block',
			`<div>${Array.from({ length: 60 }, (_, i) => `<font a=${i}>`).join('')}</div>${'<div>x</div>'.repeat(50_000)}`,
		],
		['four million elements', '<p>'.repeat(1_300_000)],
	])('%s: an error of this product, in bounded time', async (_what, html) => {
		const before = process.cpuUsage();
		const error = await errorOf(() => readPayload(answer({ html, jsonld: '' })));
		expect(error.name).toBe('ReviewPayloadError');
		expect(error.message).toMatch(/^The html of the reviews /);
		expect(process.cpuUsage(before).user / 1_000).toBeLessThan(LIMIT_IN_MS);
	});

	test.each([
		['nests', '<i>'.repeat(70)],
		['multiplies', `${Array.from({ length: 500 }, (_, i) => `<b a${i}>`).join('')}${'<p>x'.repeat(520)}`],
	])('a text that %s elements costs nothing where the structured data is whole', (_what, body) => {
		const html = reviewBlock(reviewItem({ ...REVIEW, body }), reviewItem(REVIEW));
		expect(readPayload(answer({ html })).reviews).toMatchObject([{ author: 'Ada', body: 'Boils fast.' }]);
	});
});
