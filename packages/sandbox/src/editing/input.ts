import { z } from 'zod';
import type { Review, ReviewDetails } from '../records.js';

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

/** There is no product or review with that id. */
export class NotFoundError extends Error {
	override readonly name = 'NotFoundError';
}

/** An invalid value in the editing API. The message names the key and the problem. */
export class InvalidInputError extends Error {
	override readonly name = 'InvalidInputError';
}

/**
 * Parses a value with its schema.
 *
 * @throws {InvalidInputError} If the value is invalid.
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`);
	throw new InvalidInputError(problems.join('; '));
}

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
