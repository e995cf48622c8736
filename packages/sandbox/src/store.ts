import { randomBytes } from 'node:crypto';
import type { Database, ProductOverview, ReviewFilter } from './database.js';
import { productPicturePath } from './media-paths.js';
import {
	createReview,
	defined,
	input,
	type NewProduct,
	type NewQuestion,
	type NewReview,
	NotFoundError,
	type Product,
	type Question,
	type Review,
	type ReviewChanges,
	readInput,
} from './records.js';
import type { WebhookEventType } from './webhooks/webhook.js';

/**
 * Edits the data of the service. Every change appears in the next response of the three operations, updates the product's
 * `Last-Modified`, and is announced to the webhooks. All methods throw `InvalidInputError` for an invalid value and
 * `NotFoundError` for an unknown id.
 *
 * @example
 * const { id } = sandbox.store.createReview('p-1', { rating: 5, title: 'Lovely', author: 'Ada L.' });
 * sandbox.store.unpublish(id);
 */
export class ReviewStore {
	readonly #database: Database;
	readonly #now: () => number;
	readonly #announce: (type: WebhookEventType, pid: string) => void;

	/** @param announce Called once for each edit and product that it concerns. Must not throw. */
	constructor(
		database: Database,
		now: () => number,
		announce: (type: WebhookEventType, pid: string) => void,
	) {
		this.#database = database;
		this.#now = now;
		this.#announce = announce;
	}

	/** Adds a product, or replaces the one with the same id and keeps its reviews. */
	addProduct(product: NewProduct): Product {
		const given = readInput(input.product, product);
		const { imageUrl = productPicturePath(given.pid) } = given;
		const record = { ...given, imageUrl, changedAt: this.#timestamp() };
		this.#database.putProduct(record);
		return record;
	}

	/** All products with their review counts, in the order they were added. */
	listProducts(): readonly ProductOverview[] {
		return this.#database.products();
	}

	/** By default the review is published and dated now. */
	createReview(pid: string, review: NewReview): Review {
		this.#knownProduct(pid);
		const identity = { id: newId(), pid, updatedAt: this.#timestamp() };
		return this.#save(createReview(identity, readInput(input.review, review)), 'review.created');
	}

	editReview(id: string, changes: ReviewChanges): Review {
		return this.#change(id, changes, 'review.updated');
	}

	publish(id: string): Review {
		return this.#change(id, { status: 'published' }, 'review.published');
	}

	unpublish(id: string): Review {
		return this.#change(id, { status: 'unpublished' }, 'review.unpublished');
	}

	deleteReview(id: string): Review {
		const review = this.#knownReview(id);
		this.#database.transaction(() => {
			this.#database.deleteReview(id);
			this.#database.touchProduct(review.pid, this.#timestamp());
		});
		this.#announce('review.deleted', review.pid);
		return review;
	}

	listReviews(filter?: ReviewFilter): readonly Review[] {
		return this.#database.reviews(filter);
	}

	addQuestion(pid: string, question: NewQuestion): Question {
		const at = this.#timestamp();
		const { alsoAbout, askedAt = at, ...texts } = readInput(input.question, question);
		const pids = [...new Set([pid, ...alsoAbout])];
		for (const about of pids) this.#knownProduct(about);
		const answeredAt = texts.answer === '' ? null : at;
		const record = { id: newId(), pids, ...texts, askedAt, answeredAt };
		this.#database.transaction(() => {
			this.#database.addQuestion(record);
			for (const about of pids) this.#database.touchProduct(about, at);
		});
		const type = answeredAt === null ? 'question.created' : 'question.answered';
		for (const about of pids) this.#announce(type, about);
		return record;
	}

	#change(id: string, changes: ReviewChanges, type: WebhookEventType): Review {
		const before = this.#knownReview(id);
		const changed = defined(readInput(input.changes, changes));
		return this.#save({ ...before, ...changed, updatedAt: this.#timestamp() }, type);
	}

	#save(review: Review, type: WebhookEventType): Review {
		this.#database.transaction(() => {
			this.#database.putReview(review);
			this.#database.touchProduct(review.pid, review.updatedAt);
		});
		this.#announce(type, review.pid);
		return review;
	}

	#knownProduct(pid: string): void {
		if (this.#database.product(pid)) return;
		throw new NotFoundError(
			`There is no product "${pid}". Add it with addProduct or PUT /__sandbox/products/:pid.`,
		);
	}

	#knownReview(id: string): Review {
		const review = this.#database.review(id);
		if (review) return review;
		throw new NotFoundError(`There is no review "${id}".`);
	}

	#timestamp(): string {
		return new Date(this.#now()).toISOString();
	}
}

function newId(): string {
	return randomBytes(12).toString('hex');
}
