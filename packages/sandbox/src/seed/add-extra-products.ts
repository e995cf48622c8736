import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../database/in-transaction.js';
import { products } from '../database/products.js';
import { reviews } from '../database/reviews.js';
import { readInput } from '../editing/errors.js';
import { input } from '../editing/input.js';
import { toReview } from '../editing/to-review.js';
import type { Product, Review } from '../records.js';
import type { ExtraProduct } from '../sandbox-options.js';
import { composeReviews } from './compose-reviews.js';
import { type ProductCategory, SEED_PRODUCTS } from './products.js';
import { createRandom, type Random } from './random.js';

const CATEGORIES: ReadonlySet<string> = new Set(SEED_PRODUCTS.map(({ category }) => category));

/**
 * Adds products that are not in the database yet, with their reviews. It uses a single transaction, so that a hundred
 * thousand products take only seconds.
 *
 * @throws {InvalidInputError} If a product or a review is invalid.
 */
export function addExtraProducts(
	database: DatabaseSync,
	extras: Iterable<ExtraProduct>,
	now: () => number,
	seed: number,
): void {
	const random = createRandom(seed);
	const changedAt = new Date(now()).toISOString();
	inTransaction(database, () => {
		for (const { reviews: given = [], ...rest } of extras) {
			const { pid, name, category = '', url = null, imageUrl = '' } = readInput(input.product, rest);
			if (products.find(database, pid)) continue;
			const product = { pid, name, category, url, imageUrl, changedAt };
			products.put(database, product);
			for (const review of reviewsOf(product, given, random)) reviews.put(database, review);
		}
	});
}

function reviewsOf(
	{ pid, category, changedAt }: Product,
	given: NonNullable<ExtraProduct['reviews']>,
	random: Random,
): Review[] {
	if (typeof given === 'number') {
		const known = CATEGORIES.has(category) ? (category as ProductCategory) : 'home';
		return composeReviews({ pid, category: known }, given, random);
	}
	return given.map((review) => {
		const id = randomBytes(12).toString('hex');
		return toReview({ id, pid, updatedAt: changedAt }, readInput(input.review, review));
	});
}
