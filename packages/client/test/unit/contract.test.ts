import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
	countSummary,
	crawlerReviewsResponse,
	mediaItem,
	productReviewDataResponse,
	questionAnswer,
	review,
	starRatingItem,
	starRatingResponse,
} from '../../src/contract.js';
import { toDate } from '../../src/index.js';
import {
	countSummaryOf,
	crawlerPayload,
	mediaItemOf,
	questionOf,
	reviewDataPayload,
	reviewOf,
	starRatingItemOf,
} from '../support/payloads.js';
import { startStub } from '../support/setup.js';

/** Each resource, a payload of it, and the fields without which it is refused. */
const RESOURCES: [string, z.ZodObject, Record<string, unknown>, required: string[]][] = [
	['star-rating item', starRatingItem, starRatingItemOf('p-1'), ['pid', 'avgrtng', 'prtng']],
	['review', review, reviewOf('p-1'), ['_id', 'pid', 'rtng']],
	['count summary', countSummary, countSummaryOf('p-1'), []],
	['media item', mediaItem, mediaItemOf('p-1'), []],
	['question/answer item', questionAnswer, questionOf('p-1'), []],
	['product review data', productReviewDataResponse, reviewDataPayload('p-1'), ['data']],
	['crawler-readable payload', crawlerReviewsResponse, crawlerPayload('p-1'), ['pid', 'dataCount']],
];

/** Fields that may be missing, but are refused where they say something else. */
const STRICT = ['success', 'status', 'html', 'jsonld'];

describe.each(RESOURCES)('%s', (_name, schema, payload, required) => {
	const without = (field: string) =>
		Object.fromEntries(Object.entries(payload).filter(([key]) => key !== field));

	test('keeps every field as it is, documented or not', () => {
		const sent = { ...payload, newField: { deep: [1, null] } };
		expect(schema.parse(sent)).toEqual(sent);
	});

	test('is refused without what is required, and with a wrong type in what is strict', () => {
		for (const field of required) {
			expect(schema.safeParse(without(field)).success, field).toBe(false);
			expect(schema.safeParse({ ...payload, [field]: null }).success, field).toBe(false);
		}
		for (const field of [...required, ...STRICT.filter((name) => name in schema.shape)]) {
			expect(schema.safeParse({ ...payload, [field]: Symbol('spoiled') }).success, field).toBe(false);
		}
	});

	test('reads as missing whatever else is null or of another type', () => {
		const optional = Object.keys(schema.shape).filter((name) => ![...required, ...STRICT].includes(name));
		for (const field of optional) {
			const missing = schema.parse(without(field));
			expect(schema.parse({ ...payload, [field]: null })).toEqual(missing);
			expect(schema.parse({ ...payload, [field]: Symbol('spoiled') })).toEqual(missing);
			expect({ ...missing, [field]: payload[field] }).toEqual(schema.parse(payload));
		}
	});
});

test.each([starRatingItem, review, mediaItem, countSummary])(
	'a number as product ID becomes a text',
	(schema) => {
		const payload = { ...starRatingItemOf('x'), ...reviewOf('x'), pid: 42 };
		expect(schema.parse(payload)).toMatchObject({ pid: '42' });
	},
);

test.each([[''], [Number.NaN], [{}], [null]])('%j is no product ID', (pid) => {
	expect(starRatingItem.safeParse({ ...starRatingItemOf('x'), pid }).success).toBe(false);
});

test('a list keeps what can be read in it, and "__proto__" pollutes nothing', () => {
	expect(review.parse({ ...reviewOf('x'), arrimg: ['a', null, 3, 'b'] }).arrimg).toEqual(['a', 'b']);
	const parsed = review.parse(JSON.parse('{"_id":"1","pid":"p","rtng":5,"__proto__":{"polluted":true}}'));
	expect((parsed as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each([
	[starRatingResponse, { success: false, data: [] }],
	[productReviewDataResponse, { success: false, data: [] }],
	[crawlerReviewsResponse, { ...crawlerPayload('x'), status: 500 }],
])('an answer that reports a failure is refused', (schema, answer) => {
	expect(schema.safeParse(answer).success).toBe(false);
});

describe('the records of a product', () => {
	/** The records that the client makes of an answer. */
	async function read(payload: object) {
		const { client, answer } = startStub();
		answer(() => Response.json(payload));
		return await client.getProductReviewData('p-1');
	}

	test('a review has full names, and its source beside them', async () => {
		const { reviews } = await read(reviewDataPayload('p-1'));
		const { source, ...rest } = reviews[0] ?? expect.fail('no review');
		expect(source).toEqual(reviewDataPayload('p-1').data[0]);
		expect(rest).toEqual({
			id: 'text of _id',
			pid: 'p-1',
			rating: 5,
			author: 'text of un',
			title: 'text of rttl',
			body: 'text of rtxt',
			date: '2026-03-01',
			city: 'text of ct',
			state: 'text of st',
			country: 'text of cn',
			productName: 'text of pn',
			productUrl: 'text of pu',
			productImageUrl: 'text of piu',
			images: ['https://cdn.example/1.jpg'],
			videos: ['https://cdn.example/1.mp4'],
			tags: ['size'],
			customQuestions: ['How does it fit?'],
			topics: [{ key: 'fit', sentiment: 'positive' }],
			verified: true,
			pinned: true,
			testimonial: true,
			recommends: true,
			helpfulCount: 7,
			unhelpfulCount: 2,
			externalSource: 'text of extsrc',
		});
	});

	test('the summary counts by stars and names topics by language; media and questions are beside it', async () => {
		const { summary, media, questions, questionCount } = await read(reviewDataPayload('p-1'));
		const { source: _source, ...rest } = summary;
		const names = { pt: 'caimento', en: 'fit' };
		expect(rest).toEqual({
			average: 4.5,
			count: 12,
			distribution: { 1: 1, 2: 0, 3: 1, 4: 2, 5: 8 },
			recommendCount: 9,
			topics: [{ key: 'fit', names, total: 6, positive: 4, negative: 1, neutral: 1 }],
			topicSummaries: {
				en: [{ topic: 'fit', text: 'Fits well.' }],
				pt: [{ topic: 'fit', text: 'Veste bem.' }],
			},
		});
		const dated = { title: 'text of ti', date: '2026-03-01' };
		expect(media).toMatchObject([
			{ id: 'text of _id', author: 'text of un', rating: 4, verified: true, ...dated },
		]);
		const dates = { askedOn: '2026-01-05', answeredOn: '2026-01-06' };
		expect(questions).toMatchObject([
			{ question: 'text of que', answer: 'text of ans', author: 'text of cstnm', ...dates },
		]);
		expect(questions[0]?.products).toEqual([{ pid: 'p-1', name: 'Boots' }]);
		expect(questionCount).toBe(4);
	});

	test('only what is required makes a whole record', async () => {
		const { reviews, summary, ...rest } = await read({ data: [{ _id: 'r', pid: 'p', rtng: 3 }] });
		expect(reviews[0]).toMatchObject({ id: 'r', rating: 3, images: [], verified: false, helpfulCount: 0 });
		expect(reviews[0]).toMatchObject({ author: undefined, date: undefined, recommends: undefined });
		expect(summary).toMatchObject({ count: 0, average: 0, topics: [] });
		expect(rest).toMatchObject({ media: [], questions: [], questionCount: 0 });
	});

	test('a review without an id, a product or a rating costs only itself, unless it is all', async () => {
		const data = [null, { rtng: 5 }, { _id: '', pid: 1, rtng: 2 }, { _id: 'r', pid: 'p-1', rtng: null }];
		const { reviews, unreadableReviews, media } = await read({
			data,
			dataMedia: [null, 'x', { ti: 'Good' }],
		});
		expect(reviews.map(({ id }) => id)).toEqual(['']);
		expect(unreadableReviews).toBe(3);
		expect(media).toMatchObject([{ title: 'Good' }]);
		const message = expect.stringContaining('data.0._id');
		const none = read({ data: [{ rtng: 'x' }, { _id: '', pid: 1, rtng: null }] });
		await expect(none).rejects.toMatchObject({ reason: 'schema', message });
		await expect(read({ success: false })).rejects.toMatchObject({ reason: 'unsuccessful' });
	});
});

test.each<[string | undefined, (string | number | null | undefined)[]]>([
	['2024-02-29', ['2024-02-29']],
	['2026-02-28', ['2026-03-01T00:30:00+0200', '2026-03-01T00:30:00+02']],
	['2026-03-01', ['2026-03-01', '2026-03-01T10:00:00.000Z', '2026-03-01T10:00Z', '2026-03-01t10:00:00z']],
	['2026-03-01', ['2026-03-01 23:59:59', '2026-03-01T00:00:00', ' 2026-03-01 ']],
	['2026-03-01', [1_772_359_200_000, '1772359200000']],
	['2026-03-02', ['2026-03-01T23:30:00-05:00']],
	[undefined, ['2026-02-29', '2026-02-31', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00']],
	[undefined, ['2100-02-29', '2026-3-1', '0000-01-01', '2026-03-01T25:00Z', '2026-03-01+02', '01/03/2026']],
	[undefined, ['March 1, 2026', '1772359200', 'yesterday', '', null, undefined, Number.NaN, 9e15]],
	[undefined, [Number.POSITIVE_INFINITY, -9e14]],
])('toDate is %j for %j', (date, values) => {
	expect(values.map(toDate)).toEqual(values.map(() => date));
});
