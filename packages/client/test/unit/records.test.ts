import { expect, test } from 'vitest';
import { productReviewDataResponse } from '../../src/contract/index.js';
import { toDate } from '../../src/index.js';
import { noProductReviewData, toProductReviewData } from '../../src/records/product-review-data.js';
import { reviewDataPayload } from '../support/payloads.js';

const data = toProductReviewData('p-1', productReviewDataResponse.parse(reviewDataPayload('p-1')));

test('a review has full names, and its source beside them', () => {
	const { source, ...review } = data.reviews[0] ?? expect.fail('no review');
	expect(review).toEqual({
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
	expect(source).toEqual(reviewDataPayload('p-1').data[0]);
});

test('the summary counts by stars and names topics by language', () => {
	const { source: _source, ...summary } = data.summary;
	expect(summary).toEqual({
		average: 4.5,
		count: 12,
		distribution: { 1: 1, 2: 0, 3: 1, 4: 2, 5: 8 },
		recommendCount: 9,
		topics: [
			{ key: 'fit', names: { pt: 'caimento', en: 'fit' }, total: 6, positive: 4, negative: 1, neutral: 1 },
		],
		topicSummaries: {
			en: [{ topic: 'fit', text: 'Fits well.' }],
			pt: [{ topic: 'fit', text: 'Veste bem.' }],
		},
	});
});

test('media and questions', () => {
	expect(data.media).toMatchObject([
		{
			id: 'text of _id',
			author: 'text of un',
			rating: 4,
			title: 'text of ti',
			date: '2026-03-01',
			verified: true,
		},
	]);
	expect(data.questions).toMatchObject([
		{
			question: 'text of que',
			answer: 'text of ans',
			askedOn: '2026-01-05',
			answeredOn: '2026-01-06',
			author: 'text of cstnm',
			products: [{ pid: 'p-1', name: 'Boots' }],
		},
	]);
	expect(data.questionCount).toBe(4);
});

test('only what is required makes a whole record', () => {
	const answer = productReviewDataResponse.parse({ data: [{ _id: 'r', pid: 'p', rtng: 3 }] });
	const { reviews, summary, media, questions, questionCount } = toProductReviewData('p', answer);
	expect(reviews[0]).toMatchObject({ id: 'r', rating: 3, images: [], verified: false, helpfulCount: 0 });
	expect(reviews[0]).toMatchObject({ author: undefined, date: undefined, recommends: undefined });
	expect(summary).toMatchObject({ count: 0, average: 0, topics: [] });
	expect([media, questions, questionCount]).toEqual([[], [], 0]);
	expect(noProductReviewData('p')).toMatchObject({ pid: 'p', reviews: [], questionCount: 0 });
});

test.each<[string | number | null | undefined, string | undefined]>([
	['2026-03-01', '2026-03-01'],
	['2026-03-01T10:00:00.000Z', '2026-03-01'],
	['2026-03-01T10:00Z', '2026-03-01'],
	['2026-03-01t10:00:00z', '2026-03-01'],
	['2026-03-01T23:30:00-05:00', '2026-03-02'],
	['2026-03-01T00:30:00+0200', '2026-02-28'],
	['2026-03-01T00:30:00+02', '2026-02-28'],
	['2026-03-01 23:59:59', '2026-03-01'],
	['2026-03-01T00:00:00', '2026-03-01'],
	[' 2026-03-01 ', '2026-03-01'],
	['2024-02-29', '2024-02-29'],
	[1_772_359_200_000, '2026-03-01'],
	['1772359200000', '2026-03-01'],
	['2026-02-29', undefined],
	['2026-02-31', undefined],
	['2026-13-01', undefined],
	['2026-3-1', undefined],
	['0000-01-01', undefined],
	['2026-03-01T25:00Z', undefined],
	['2026-03-01+02', undefined],
	['01/03/2026', undefined],
	['March 1, 2026', undefined],
	['1772359200', undefined],
	['yesterday', undefined],
	['', undefined],
	[null, undefined],
	[undefined, undefined],
	[Number.NaN, undefined],
	[Number.POSITIVE_INFINITY, undefined],
	[9e15, undefined],
])('toDate(%j) is %j', (value, date) => {
	expect(toDate(value)).toBe(date);
});
