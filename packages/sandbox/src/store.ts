import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Database, ProductOverview, ReviewFilter } from './database.js';
import {
	createReview,
	defined,
	input,
	type NewProduct,
	type NewQuestion,
	type NewReview,
	NotFoundError,
	type Product,
	productPicturePath,
	type Question,
	type Review,
	type ReviewChanges,
	readInput,
} from './records.js';
import type { WebhookEventType } from './webhooks/webhook.js';

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
		if (database.product(pid)) return;
		throw new NotFoundError(
			`There is no product "${pid}". Add it with addProduct or PUT /__sandbox/products/:pid.`,
		);
	};
	const knownReview = (id: string): Review => {
		const review = database.review(id);
		if (review) return review;
		throw new NotFoundError(`There is no review "${id}".`);
	};
	const save = (review: Review, type: WebhookEventType): Review => {
		database.transaction(() => {
			database.putReview(review);
			database.touchProduct(review.pid, review.updatedAt);
		});
		announce(type, review.pid);
		return review;
	};
	const change = (reviewId: string, changes: ReviewChanges, type: WebhookEventType): Review => {
		const { id, pid, updatedAt: _before, ...fields } = knownReview(reviewId);
		const given = defined(readInput(z.looseObject({}), changes));
		return save(createReview({ id, pid, updatedAt: timestamp() }, { ...fields, ...given }), type);
	};

	return {
		/** Adds a product, or replaces the one with the same id and keeps its reviews. */
		addProduct(product: NewProduct): Product {
			const given = readInput(input.product, product);
			const { imageUrl = productPicturePath(given.pid) } = given;
			const record = { ...given, imageUrl, changedAt: timestamp() };
			database.putProduct(record);
			return record;
		},
		/** All products with their review counts, in the order they were added. */
		listProducts: (): readonly ProductOverview[] => database.products(),
		/** By default the review is published and dated now. */
		createReview(pid: string, review: NewReview): Review {
			assertProduct(pid);
			return save(createReview({ id: newId(), pid, updatedAt: timestamp() }, review), 'review.created');
		},
		editReview: (id: string, changes: ReviewChanges): Review => change(id, changes, 'review.updated'),
		publish: (id: string): Review => change(id, { status: 'published' }, 'review.published'),
		unpublish: (id: string): Review => change(id, { status: 'unpublished' }, 'review.unpublished'),
		deleteReview(id: string): Review {
			const review = knownReview(id);
			database.transaction(() => {
				database.deleteReview(id);
				database.touchProduct(review.pid, timestamp());
			});
			announce('review.deleted', review.pid);
			return review;
		},
		listReviews: (filter?: ReviewFilter): readonly Review[] => database.reviews(filter),
		addQuestion(pid: string, question: NewQuestion): Question {
			const at = timestamp();
			const { alsoAbout, askedAt = at, ...texts } = readInput(input.question, question);
			const pids = [...new Set([pid, ...alsoAbout])];
			for (const about of pids) assertProduct(about);
			const answeredAt = texts.answer === '' ? null : at;
			const record = { id: newId(), pids, ...texts, askedAt, answeredAt };
			database.transaction(() => {
				database.addQuestion(record);
				for (const about of pids) database.touchProduct(about, at);
			});
			for (const about of pids)
				announce(answeredAt === null ? 'question.created' : 'question.answered', about);
			return record;
		},
	};
}
