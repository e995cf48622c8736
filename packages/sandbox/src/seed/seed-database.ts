import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../database/in-transaction.js';
import { products } from '../database/products.js';
import { questions } from '../database/questions.js';
import { reviews } from '../database/reviews.js';
import { productPicturePath } from '../media/media-paths.js';
import type { Review } from '../records.js';
import { composeReviews } from './compose-reviews.js';
import { SEED_PRODUCTS, type SeedProduct } from './products.js';
import { createRandom, type Random } from './random.js';
import { reviewCount, UNPUBLISHED_ONLY } from './review-counts.js';
import { seedQuestions } from './seed-questions.js';
import { specialReviews } from './special-reviews.js';

/** Default seed. */
export const DEFAULT_SEED = 1001;

/** When the catalogue was created, before the first review. */
const CATALOGUE_DATE = '2024-01-01T00:00:00.000Z';

/** Fills an empty database. The same seed always produces the same data. */
export function seedDatabase(database: DatabaseSync, seed: number): void {
	const random = createRandom(seed);
	inTransaction(database, () => {
		for (const product of SEED_PRODUCTS) addProduct(database, product, seedReviews(product, random));
		for (const question of seedQuestions(random)) questions.put(database, question);
	});
}

function seedReviews(product: SeedProduct, random: Random): Review[] {
	const written = specialReviews(product.pid);
	if (product.pid === 'p-1') return written;
	const composed = composeReviews(product, reviewCount(product.pid, random) - written.length, random);
	if (product.pid === UNPUBLISHED_ONLY)
		return composed.map((review) => ({ ...review, status: 'unpublished' }));
	// Larger products have one unpublished review, so that tests notice if "stored" is taken for "published".
	const waiting = composed.length > 8 ? composeReviews(product, 1, random, composed.length) : [];
	return [
		...written,
		...composed,
		...waiting.map((review): Review => ({ ...review, status: 'unpublished' })),
	];
}

function addProduct(database: DatabaseSync, { pid, name, category }: SeedProduct, all: readonly Review[]) {
	const changedAt =
		[CATALOGUE_DATE, ...all.map(({ updatedAt }) => updatedAt)].sort().at(-1) ?? CATALOGUE_DATE;
	const imageUrl = productPicturePath(pid);
	products.put(database, { pid, name, category, url: null, imageUrl, changedAt });
	for (const review of all) reviews.put(database, review);
}
