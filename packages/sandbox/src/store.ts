import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import {
	inTransaction,
	type ProductOverview,
	products,
	questions,
	type ReviewFilter,
	reviews,
} from './database/database.js';
import {
	input,
	type NewProduct,
	type NewQuestion,
	type NewReview,
	NotFoundError,
	type ReviewChanges,
	readInput,
	toReview,
} from './editing/input.js';
import { productPicturePath } from './media/media-paths.js';
import type { Product, Question, Review, ReviewStatus } from './records.js';

/**
 * Edits the data of the service. Every change appears in the next response of the three operations and updates the
 * product's `Last-Modified`. All methods throw `InvalidInputError` for an invalid value and `NotFoundError` for an
 * unknown id.
 *
 * @example
 * const { id } = sandbox.store.createReview('p-1', { rating: 5, title: 'Lovely', author: 'Ada L.' });
 * sandbox.store.unpublish(id);
 */
export interface ReviewStore {
	/** Adds a product, or replaces the one with the same id and keeps its reviews. */
	addProduct(product: NewProduct): Product;
	/** All products with their review counts, in the order they were added. */
	listProducts(): readonly ProductOverview[];
	/** Adds a review. By default it is published and dated now. */
	createReview(pid: string, review: NewReview): Review;
	/** Changes the given keys only. */
	editReview(id: string, changes: ReviewChanges): Review;
	publish(id: string): Review;
	unpublish(id: string): Review;
	/** Deletes a review permanently and returns it. */
	deleteReview(id: string): Review;
	/** Reviews, published or not, newest first. */
	listReviews(filter?: ReviewFilter): readonly Review[];
	/** Adds a question about a product, with an optional answer. */
	addQuestion(pid: string, question: NewQuestion): Question;
}

/** Creates the editing API of an open database. `now` returns milliseconds since 1970. */
export function createStore(database: DatabaseSync, now: () => number): ReviewStore {
	const timestamp = () => new Date(now()).toISOString();

	const knownProduct = (pid: string): Product => {
		const product = products.find(database, pid);
		if (product) return product;
		throw new NotFoundError(
			`There is no product "${pid}". Add it with addProduct or PUT /__sandbox/products/:pid.`,
		);
	};

	const knownReview = (id: string): Review => {
		const review = reviews.find(database, id);
		if (review) return review;
		throw new NotFoundError(`There is no review "${id}".`);
	};

	const save = (review: Review): Review =>
		inTransaction(database, () => {
			reviews.put(database, review);
			products.touch(database, review.pid, review.updatedAt);
			return review;
		});

	const setStatus = (id: string, status: ReviewStatus): Review =>
		save({ ...knownReview(id), status, updatedAt: timestamp() });

	return {
		addProduct(product) {
			const { pid, name, category = '', url = null, imageUrl } = readInput(input.product, product);
			const record = {
				pid,
				name,
				category,
				url,
				imageUrl: imageUrl ?? productPicturePath(pid),
				changedAt: timestamp(),
			};
			products.put(database, record);
			return record;
		},
		listProducts: () => products.list(database),
		createReview(pid, review) {
			knownProduct(pid);
			const id = randomBytes(12).toString('hex');
			return save(toReview({ id, pid, updatedAt: timestamp() }, readInput(input.review, review)));
		},
		editReview(id, changes) {
			const before = knownReview(id);
			return save(toReview({ ...before, updatedAt: timestamp() }, readInput(input.changes, changes)));
		},
		publish: (id) => setStatus(id, 'published'),
		unpublish: (id) => setStatus(id, 'unpublished'),
		deleteReview(id) {
			const review = knownReview(id);
			return inTransaction(database, () => {
				reviews.delete(database, id);
				products.touch(database, review.pid, timestamp());
				return review;
			});
		},
		listReviews: (filter) => reviews.list(database, filter),
		addQuestion(pid, question) {
			const { alsoAbout = [], answer = '', author = '', ...rest } = readInput(input.question, question);
			const pids = [pid, ...alsoAbout];
			for (const about of pids) knownProduct(about);
			const at = timestamp();
			const record: Question = {
				id: randomBytes(12).toString('hex'),
				pids,
				question: rest.question,
				answer,
				author,
				askedAt: rest.askedAt ?? at,
				answeredAt: answer === '' ? null : at,
			};
			inTransaction(database, () => {
				questions.put(database, record);
				for (const about of pids) products.touch(database, about, at);
			});
			return record;
		},
	};
}
