import { createHash } from 'node:crypto';
import { z } from 'zod';

/** An invalid value in the editing API. The message names the key and the problem. */
export class InvalidInputError extends Error {
	override readonly name = 'InvalidInputError';
}

/** There is no product or review with that id. */
export class NotFoundError extends Error {
	override readonly name = 'NotFoundError';
}

// SQLite stores UTF-8, which cannot represent lone surrogates, so they are replaced here.
const wellFormed = (value: string) => value.toWellFormed();
const text = (maximum: number) => z.string().max(maximum).overwrite(wellFormed);

/** Describes a text that matches a pattern. */
export const matching = (pattern: RegExp) => z.string().regex(pattern);

const id = text(2_000).refine((value) => value !== '', 'must not be empty');
const instant = z.iso.datetime({ offset: true }).transform((value) => new Date(value).toISOString());
const count = z.int().min(0).default(0);
const texts = z.array(text(2_000)).max(100).default([]);

const topic = z.strictObject({ key: text(200), sentiment: z.enum(['positive', 'negative', 'neutral']) });

/** Fields of a review that can be edited. Texts that the author left out are empty. Unknown keys are typos, so errors. */
const reviewInput = z.strictObject({
	rating: z.number().min(1).max(5).multipleOf(0.5),
	title: text(10_000).default(''),
	body: text(500_000).default(''),
	author: text(1_000).default(''),
	status: z.enum(['published', 'unpublished']).default('published'),
	/** The review's date, ISO 8601 in UTC; `null` for a review without a date. @default now */
	publishedAt: instant.nullable().optional(),
	city: text(200).default(''),
	state: text(200).default(''),
	country: text(200).default(''),
	countryCode: text(10).default(''),
	verified: z.boolean().default(false),
	/** By default with four stars or more. */
	recommended: z.boolean().optional(),
	pinned: z.boolean().default(false),
	testimonial: z.boolean().default(false),
	helpful: count,
	unhelpful: count,
	/** URLs of the author's pictures; `/media/...` for those that the sandbox serves. */
	images: texts,
	videos: texts,
	tags: texts,
	topics: z.array(topic).max(100).default([]),
	/** Source that the review was imported from; empty for the store's own reviews. */
	importedFrom: text(200).default(''),
});

export const productInput = z.strictObject({
	pid: id,
	name: text(1_000),
	category: text(200).default(''),
	/** URL of the product page; `null` to use the `productUrl` option. */
	url: text(4_000).nullable().default(null),
	/** URL of the product's picture, or empty; `/media/...` for one that the sandbox serves. */
	imageUrl: text(4_000).optional(),
});

export const questionInput = z.strictObject({
	question: text(10_000),
	answer: text(10_000).default(''),
	author: text(1_000).default(''),
	askedAt: instant.optional(),
	alsoAbout: z.array(id).max(100).default([]),
});

/** A product for the editing API; only `pid` and `name` are required. */
export type NewProduct = z.input<typeof productInput>;
/** A review for the editing API; only `rating` is required. */
export type NewReview = z.input<typeof reviewInput>;
/** Changes to a review; omitted keys stay unchanged. */
export type ReviewChanges = Partial<NewReview>;
/** A question for the editing API; only `question` is required. */
export type NewQuestion = z.input<typeof questionInput>;

export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`);
	throw new InvalidInputError(problems.join('; '));
}

export interface Product extends Readonly<z.output<typeof productInput>> {
	readonly imageUrl: string;
	/** Time of the last change of the product, its reviews or its questions: ISO 8601 in UTC. */
	readonly changedAt: string;
}

export interface Review extends Readonly<z.output<typeof reviewInput>> {
	readonly publishedAt: string | null;
	readonly recommended: boolean;
	readonly id: string;
	readonly pid: string;
	readonly updatedAt: string;
}

export type ReviewStatus = Review['status'];
export type ReviewTopic = Review['topics'][number];

export interface Question {
	readonly id: string;
	readonly pids: readonly string[];
	readonly question: string;
	readonly answer: string;
	readonly author: string;
	/** ISO 8601 in UTC. */
	readonly askedAt: string;
	readonly answeredAt: string | null;
}

/** Creates a review from the fields that are given. @throws {InvalidInputError} If one of them is invalid. */
export function createReview(identity: Pick<Review, 'id' | 'pid' | 'updatedAt'>, fields: NewReview): Review {
	const given = readInput(reviewInput, fields);
	const { recommended = given.rating >= 4, publishedAt = identity.updatedAt } = given;
	return { ...given, recommended, publishedAt, ...identity };
}

/** Returns an object without the keys that are undefined. */
export function defined<Fields extends object>(fields: Fields) {
	const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.fromEntries(entries) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
}

/** Returns the path of a product's picture. It depends only on the id, which may contain any characters. */
export const productPicturePath = (pid: string) =>
	`/media/products/${createHash('sha256').update(pid).digest('hex').slice(0, 12)}.svg`;
