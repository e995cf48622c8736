import { reviewPicturePaths, reviewVideoPath } from '../media/media-paths.js';
import type { Review, ReviewDetails, ReviewTopic } from '../records.js';
import { seedId } from './seed-id.js';
import { KETTLE_REVIEWS, type WrittenReview } from './text/kettle-reviews.js';
import { LONG_REVIEW } from './text/long-review.js';
import { ODD_REVIEWS } from './text/odd-reviews.js';

/** Hand-written reviews by product: those of the kettle, a very long one, and odd ones. */
export function specialReviews(pid: string): Review[] {
	const written: readonly WrittenReview[] =
		pid === 'p-1' ? KETTLE_REVIEWS : pid === 'p-34' ? [LONG] : (ODD_REVIEWS[pid] ?? []);
	// Numbered from 1,000, above every generated review.
	return written.map((review, index) => toReview(review, pid, 1_000 + index));
}

const LONG: WrittenReview = {
	rating: 4.5,
	author: 'Freya L.',
	title: 'Thirty-one days across Norway: a long report',
	body: LONG_REVIEW,
	day: '2026-08-02',
	place: ['Bergen', 'Vestland', 'Norway', 'NO'],
	helpful: 112,
	pictures: 3,
	topics: { quality: 'positive', durability: 'positive', size: 'neutral' },
};

function toReview(written: WrittenReview, pid: string, index: number): Review {
	const id = seedId('review', pid, index);
	const [city, state, country, countryCode] = written.place;
	const details: ReviewDetails = {
		city,
		state,
		country,
		countryCode,
		verified: written.verified ?? true,
		recommended: written.rating >= 4,
		pinned: false,
		testimonial: false,
		helpful: written.helpful,
		unhelpful: 0,
		images: reviewPicturePaths(id, written.pictures ?? 0),
		videos: written.video ? [reviewVideoPath(id)] : [],
		tags: [],
		topics: Object.entries(written.topics ?? {}).map(([key, sentiment]): ReviewTopic => ({ key, sentiment })),
		importedFrom: '',
	};
	return {
		id,
		pid,
		status: 'published',
		rating: written.rating,
		title: written.title,
		body: written.body,
		author: written.author,
		publishedAt: `${written.day}T09:30:00.000Z`,
		updatedAt: `${written.day}T16:00:00.000Z`,
		details,
	};
}
