// TEMPORARY: drop at the merge with DATA, whose own reader of operation 2 takes its place.
import type { ProductReviewData } from 'product-reviews-client';
import { httpUrl } from './payload/http-url.js';
import { usableRating } from './payload/rating.js';
import type { ReviewData } from './payload/review-data.js';

export function temporaryReviewData(data: ProductReviewData): ReviewData {
	const { average, count, distribution, recommendCount, topics, topicSummaries } = data.summary;
	const urls = (list: readonly string[]) =>
		list.map((url) => httpUrl(url)).filter((url) => url !== undefined);
	return {
		pid: data.pid,
		aggregate: count > 0 && usableRating(average) !== undefined ? { average, count } : undefined,
		distribution,
		recommendCount,
		topics,
		topicSummaries,
		reviews: data.reviews.map(({ source: _source, id, pid: _pid, ...review }) => ({
			...review,
			key: id,
			rating: usableRating(review.rating),
			images: urls(review.images),
			videos: urls(review.videos),
		})),
		media: data.media.map(({ source: _source, id, ...item }, index) => ({
			...item,
			key: id ?? String(index),
			rating: usableRating(item.rating ?? 0),
			images: urls(item.images),
			videos: urls(item.videos),
		})),
		questions: data.questions.flatMap(({ id, question, answer, author, askedOn, answeredOn }, index) =>
			question ? [{ key: id ?? String(index), question, answer, author, askedOn, answeredOn }] : [],
		),
		questionCount: data.questionCount,
	};
}
