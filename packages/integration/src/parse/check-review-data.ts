import { checkAggregate } from './check-record.js';
import { type FieldReader, fieldsOf } from './field-reader.js';
import { MAX_FULL_REVIEWS, MAX_MEDIA, MAX_QUESTIONS } from './limits.js';
import { readFullReview, readMediaItem } from './read-full-review.js';
import { readQuestion } from './read-question.js';
import { readTopics } from './read-topics.js';
import type { ReviewData } from './review-data.js';
import type { Steps } from './steps.js';

/**
 * Checks review data that comes from somewhere that others may write to. Every field is read as if the service had sent it;
 * an item without a key is left out.
 * @param value parsed review data of this product.
 */
export function* checkReviewData(pid: string, value: unknown, read: FieldReader): Steps<ReviewData> {
	const fields = fieldsOf(value);
	const stars = fieldsOf(fields['distribution']);
	const starCount = (number: number) => read.count(stars[number]) ?? 0;
	const keyed = <Item>(check: (item: unknown, key: string, read: FieldReader) => Item | undefined) => {
		return (item: unknown) => {
			const { key } = fieldsOf(item);
			return typeof key === 'string' && KEY.test(key) ? check(item, key, read) : undefined;
		};
	};
	const reviews = yield* read.listInSteps(fields['reviews'], keyed(readFullReview), MAX_FULL_REVIEWS);
	const media = yield* read.listInSteps(fields['media'], keyed(readMediaItem), MAX_MEDIA);
	const questions = yield* read.listInSteps(fields['questions'], keyed(readQuestion), MAX_QUESTIONS);
	return {
		pid,
		aggregate: checkAggregate(fields['aggregate'], read),
		distribution: { 1: starCount(1), 2: starCount(2), 3: starCount(3), 4: starCount(4), 5: starCount(5) },
		recommendCount: read.count(fields['recommendCount']),
		...readTopics(fields, read, () => {}),
		reviews,
		media,
		questions,
		questionCount: Math.max(read.count(fields['questionCount']) ?? 0, questions.length),
	};
}

/** As `createKeys` makes them. */
const KEY = /^[\da-f]{12}(?:-\d{1,6})?$/;
