import { expect, test } from 'vitest';
import { createRuntime } from '../../../src/pages/index.js';
import type { ReviewSource } from '../../../src/pages/page-source.js';
import { NOT_RATED, type Ratings, readRatings, writeRatings } from '../../../src/render/rating-columns.js';
import { messageOf } from '../../support/unit/error.js';
import { record } from '../../support/unit/record.js';
import { question, reviewData } from '../../support/unit/review-data.js';

const SETTINGS = { version: '0', account: 'columns', display: 'visible', labels: {} } as const;

function runtimeOf(rating: { average: number; count: number } | undefined, data = reviewData()) {
	const source = {
		getProductReviews: async () => record(),
		getStarRating: async () => rating,
		getReviewData: async () => data,
		digestOf: async () => '',
		place: () => {},
	} satisfies ReviewSource;
	return createRuntime(SETTINGS, { createLiveSource: () => source });
}

const RATING = { average: 4.5, count: 12 };

test.each([
	['openai', { review_count: 12, star_rating: '4.50' }],
	['stripe', { product_review_count: 12, product_review_rating: 4.5 }],
	['ucp', { rating: { value: 4.5, scale_min: 1, scale_max: 5, count: 12 } }],
	['google-questions', { question_and_answer: [{ question: 'Does it whistle?', answer: 'No.' }] }],
] as const)('the columns of %s, and none where there is nothing to say', async (format, columns) => {
	const answered = reviewData({ questions: [question(), question({ answer: undefined })] });
	expect(await runtimeOf(RATING, answered).ratingFields('p-1', format)).toEqual(columns);
	const nothing = reviewData({ questions: [question({ answer: undefined })] });
	expect(await runtimeOf(undefined, nothing).ratingFields('p-1', format)).toEqual({});
});

test('an unknown format is an error that names the known ones', async () => {
	expect(await messageOf(() => runtimeOf(RATING).ratingFields('p-1', 'stripes' as never))).toContain(
		"expected the format of ratingFields() to be one of 'openai', 'stripe', 'ucp', 'google-questions', received 'stripes'. Did you mean 'stripe'?",
	);
});

test('the file of ratings has a line for each product, whatever its id, in one order', () => {
	const ids = ['p-2', '__proto__', '10', '9"\n'];
	const ratings: Ratings = new Map(ids.map((pid) => [pid, pid === '10' ? NOT_RATED : RATING]));
	const text = writeRatings(ratings);
	expect(text.split('\n')).toHaveLength(ratings.size + 3);
	expect(writeRatings(readRatings(text))).toBe(text);
	expect(readRatings(text)).toEqual(ratings);
	expect(writeRatings(new Map())).toBe('{}\n');
});
