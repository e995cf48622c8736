import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Database, ProductOverview, ReviewFilter } from './database.js';
import {
	createReview,
	defined,
	type NewProduct,
	type NewQuestion,
	type NewReview,
	NotFoundError,
	type Product,
	productInput,
	productPicturePath,
	type Question,
	questionInput,
	type Review,
	type ReviewChanges,
	readInput,
} from './records.js';
import type { WebhookEventType } from './webhooks.js';

export interface ReviewStore extends ReturnType<typeof createReviewStore> {}

/**
 * Edits the data of the service. Every change appears in the next response of the three operations, updates the product's
 * `Last-Modified`, and is announced to the webhooks. All methods throw `InvalidInputError` for an invalid value and
 * `NotFoundError` for an unknown id.
 *
 * @param announce Called once for each edit and product that it concerns. Must not throw.
 * @example
 * const { id } = sandbox.store.createReview('p-1', { rating: 5, title: 'Lovely', author: 'Ada L.' });
 * sandbox.store.unpublish(id);
 */
export function createReviewStore(
	database: Database,
	now: () => number,
	announce: (type: WebhookEventType, pid: string) => void,
) {
	const timestamp = () => new Date(now()).toISOString();
	const newId = () => randomBytes(12).toString('hex');

	const assertProduct = (pid: string) => {
		const remedy = 'Add it with addProduct or PUT /__sandbox/products/:pid.';
		if (!database.product(pid)) throw new NotFoundError(`There is no product "${pid}". ${remedy}`);
	};
	const knownReview = (id: string): Review => {
		const review = database.review(id);
		if (!review) throw new NotFoundError(`There is no review "${id}".`);
		return review;
	};
	/** Runs an edit, which dates these products anew, and announces it. */
	const edit = (type: WebhookEventType, pids: readonly string[], at: string, write: () => void) => {
		database.transaction(() => {
			write();
			for (const pid of pids) database.touchProduct(pid, at);
		});
		for (const pid of pids) announce(type, pid);
	};
	const save = (type: WebhookEventType, review: Review): Review => {
		edit(type, [review.pid], review.updatedAt, () => database.putReview(review));
		return review;
	};
	const change = (type: WebhookEventType, reviewId: string, changes: ReviewChanges): Review => {
		const { id, pid, updatedAt: _before, ...fields } = knownReview(reviewId);
		const given = defined(readInput(z.looseObject({}), changes));
		return save(type, createReview({ id, pid, updatedAt: timestamp() }, { ...fields, ...given }));
	};

	return {
		/** Adds a product, or replaces the one with the same id and keeps its reviews. */
		addProduct(product: NewProduct): Product {
			const given = readInput(productInput, product);
			const { imageUrl = productPicturePath(given.pid) } = given;
			const record = { ...given, imageUrl, changedAt: timestamp() };
			database.putProduct(record);
			return record;
		},
		/** All products with their review counts, in the order they were added. */
		listProducts: (): readonly ProductOverview[] => database.products(),
		/** Adds a review, which by default is published and dated now. */
		createReview(pid: string, review: NewReview): Review {
			assertProduct(pid);
			return save('review.created', createReview({ id: newId(), pid, updatedAt: timestamp() }, review));
		},
		editReview: (id: string, changes: ReviewChanges): Review => change('review.updated', id, changes),
		publish: (id: string): Review => change('review.published', id, { status: 'published' }),
		unpublish: (id: string): Review => change('review.unpublished', id, { status: 'unpublished' }),
		deleteReview(id: string): Review {
			const review = knownReview(id);
			edit('review.deleted', [review.pid], timestamp(), () => database.deleteReview(id));
			return review;
		},
		listReviews: (filter?: ReviewFilter): readonly Review[] => database.reviews(filter),
		addQuestion(pid: string, question: NewQuestion): Question {
			const at = timestamp();
			const { alsoAbout, askedAt = at, ...texts } = readInput(questionInput, question);
			const pids = [...new Set([pid, ...alsoAbout])];
			for (const about of pids) assertProduct(about);
			const answeredAt = texts.answer === '' ? null : at;
			const record = { id: newId(), pids, ...texts, askedAt, answeredAt };
			const type = answeredAt === null ? 'question.created' : 'question.answered';
			edit(type, pids, at, () => database.putQuestion(record));
			return record;
		},
	};
}
