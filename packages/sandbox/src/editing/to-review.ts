import type { z } from 'zod';
import type { Review, ReviewDetails } from '../records.js';
import type { input } from './input.js';

/** A review before the changes are applied: an existing one, or only its identity. */
type Before = Pick<Review, 'id' | 'pid' | 'updatedAt'> & Partial<Review>;

/** Applies changes to a review. Fields that neither sets get their default. */
export function toReview(before: Before, changes: z.output<typeof input.changes>): Review {
	const { rating, title, body, author, status, publishedAt, ...details } = changes;
	const base = before.details ?? DEFAULT_DETAILS;
	const stars = rating ?? before.rating ?? 5;
	return {
		id: before.id,
		pid: before.pid,
		status: status ?? before.status ?? 'published',
		rating: stars,
		title: title ?? before.title ?? '',
		body: body ?? before.body ?? '',
		author: author ?? before.author ?? '',
		publishedAt: firstDefined(publishedAt, before.publishedAt, before.updatedAt),
		updatedAt: before.updatedAt,
		details: {
			...base,
			...(before.details ? {} : { recommended: stars >= 4 }),
			...withoutUndefined(details),
		},
	};
}

const DEFAULT_DETAILS: ReviewDetails = {
	city: '',
	state: '',
	country: '',
	countryCode: '',
	verified: false,
	recommended: false,
	pinned: false,
	testimonial: false,
	helpful: 0,
	unhelpful: 0,
	images: [],
	videos: [],
	tags: [],
	topics: [],
	importedFrom: '',
};

/** `null` means "no date" and counts as defined. */
function firstDefined(...values: readonly (string | null | undefined)[]): string | null {
	return values.find((value) => value !== undefined) ?? null;
}

function withoutUndefined(
	details: Partial<{ [Key in keyof ReviewDetails]: ReviewDetails[Key] | undefined }>,
) {
	const entries = Object.entries(details).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as Partial<ReviewDetails>;
}
