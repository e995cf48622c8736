import { z } from 'zod';

// SQLite stores UTF-8, which cannot represent lone surrogates, so they are replaced here.
const text = (maximum: number) =>
	z
		.string()
		.max(maximum)
		.transform((value) => value.toWellFormed());

const id = text(2_000).refine((value) => value !== '', 'must not be empty');
const instant = z.iso.datetime({ offset: true }).transform((value) => new Date(value).toISOString());
const count = z.int().min(0);
const texts = z.array(text(2_000)).max(100);

const topic = z.strictObject({
	key: text(200),
	sentiment: z.enum(['positive', 'negative', 'neutral']),
});

const details = z.strictObject({
	city: text(200),
	state: text(200),
	country: text(200),
	countryCode: text(10),
	verified: z.boolean(),
	recommended: z.boolean(),
	pinned: z.boolean(),
	testimonial: z.boolean(),
	helpful: count,
	unhelpful: count,
	images: texts,
	videos: texts,
	tags: texts,
	topics: z.array(topic).max(100),
	importedFrom: text(200),
});

const review = z.strictObject({
	rating: z.number().min(1).max(5).multipleOf(0.5),
	title: text(10_000).optional(),
	body: text(500_000).optional(),
	author: text(1_000).optional(),
	status: z.enum(['published', 'unpublished']).optional(),
	publishedAt: instant.nullable().optional(),
	...details.partial().shape,
});

/** Schemas of everything that the editing API accepts. Unknown keys are errors, so that typos are noticed. */
export const input = {
	product: z.strictObject({
		pid: id,
		name: text(1_000),
		category: text(200).optional(),
		url: text(4_000).nullable().optional(),
		imageUrl: text(4_000).optional(),
	}),
	review,
	changes: review.partial(),
	question: z.strictObject({
		question: text(10_000),
		answer: text(10_000).optional(),
		author: text(1_000).optional(),
		askedAt: instant.optional(),
		/** Other products that the question is about. */
		alsoAbout: z.array(id).max(100).optional(),
	}),
	details,
};

/** A product for the editing API; only `pid` and `name` are required. */
export type NewProduct = z.input<typeof input.product>;

/** A review for the editing API; only `rating` is required. */
export type NewReview = z.input<typeof input.review>;

/** Changes to a review; omitted keys stay unchanged. */
export type ReviewChanges = z.input<typeof input.changes>;

/** A question for the editing API; only `question` is required. */
export type NewQuestion = z.input<typeof input.question>;
