import { randomBytes } from 'node:crypto';
import english from '../data/english.json' with { type: 'json' };
import written from '../data/written-reviews.json' with { type: 'json' };
import type { Database } from '../database.js';
import {
	createReview,
	input,
	type NewProduct,
	type NewReview,
	productPicturePath,
	type Question,
	type Review,
	readInput,
	reviewPicturePaths,
	reviewVideoPath,
} from '../records.js';
import { composeReviews, PRODUCT_PHRASES } from './compose-reviews.js';
import { type ProductCategory, SEED_PRODUCTS, type SeedProduct } from './products.js';
import { createRandom, type Random, seedDates, seedId } from './random.js';

export const DEFAULT_SEED = 1001;

/** When the catalog was created, before the first review. */
const CATALOG_DATE = '2024-01-01T00:00:00.000Z';

/** Fills an empty database. The same seed always produces the same data. */
export function seedDatabase(database: Database, seed: number): void {
	const random = createRandom(seed);
	database.transaction(() => {
		for (const product of SEED_PRODUCTS) addProduct(database, product, seedReviews(product, random));
		for (const question of seedQuestions(random)) database.addQuestion(question);
	});
}

function seedReviews(product: SeedProduct, random: Random): Review[] {
	const fixed = writtenReviews(product.pid);
	if (product.pid === 'p-1') return fixed;
	const composed = composeReviews(product, reviewCount(product.pid, random) - fixed.length, random);
	if (product.pid === 'p-49') return composed.map(unpublished);
	// Larger products have one unpublished review, so that tests notice if "stored" is taken for "published".
	const waiting = composed.length > 8 ? composeReviews(product, 1, random, composed.length) : [];
	return [...fixed, ...composed, ...waiting.map(unpublished)];
}

function unpublished(review: Review): Review {
	return { ...review, status: 'unpublished' };
}

function addProduct(database: Database, { pid, name, category }: SeedProduct, all: readonly Review[]) {
	const [changedAt = ''] = [CATALOG_DATE, ...all.map(({ updatedAt }) => updatedAt)].sort().reverse();
	database.putProduct({ pid, name, category, url: null, imageUrl: productPicturePath(pid), changedAt });
	for (const review of all) database.putReview(review);
}

const WITHOUT_REVIEWS = ['p-17', 'p-29', 'p-37', 'p-46', 'p-59'];

/** Number of reviews of a seeded product: fixed for some, which tests and demos rely on; 1 to 40, more often few than many. */
function reviewCount(pid: string, random: Random): number {
	if (WITHOUT_REVIEWS.includes(pid)) return 0;
	const fixed: Readonly<Record<string, number>> = { 'p-33': 300, 'p-49': 4 };
	return fixed[pid] ?? 1 + Math.floor(random.next() ** 1.6 * 40);
}

function seedQuestions(random: Random): Question[] {
	const toQuestion = (pids: readonly [string, ...string[]], index: number, question = '', answer = '') => {
		const { publishedAt, updatedAt } = seedDates(random);
		return {
			id: seedId('question', pids[0], index),
			pids,
			question,
			answer,
			author: `${random.pick(english.phrases.names)} ${random.pick([...'ABCDEFGHJKLM'])}.`,
			askedAt: publishedAt,
			answeredAt: answer === '' ? null : updatedAt,
		};
	};
	const own = SEED_PRODUCTS.flatMap(({ pid }) =>
		(PRODUCT_PHRASES[pid]?.questions ?? []).map(([question, answer], index) =>
			toQuestion([pid], index, question, answer),
		),
	);
	const question = 'Can the board and the servers be oiled with the same oil?';
	return [...own, toQuestion(['p-3', 'p-6'], 100, question, 'Yes: linseed oil suits both oak and beech.')];
}

interface WrittenReview extends NewReview {
	/** `YYYY-MM-DD` */
	readonly day: string;
	readonly pictures?: number;
	readonly video?: true;
}

/** Hand-written reviews by product: those of the kettle, a very long one, and ones with unusual but realistic input. */
const WRITTEN_REVIEWS = written as unknown as Readonly<Record<string, readonly WrittenReview[]>>;

function writtenReviews(pid: string): Review[] {
	return (WRITTEN_REVIEWS[pid] ?? []).map(({ pictures = 0, video, day, ...fields }, index) => {
		// Numbered from 1,000, above every generated review.
		const id = seedId('review', pid, 1_000 + index);
		return createReview(
			{ id, pid, updatedAt: `${day}T16:00:00.000Z` },
			{
				verified: true,
				...fields,
				publishedAt: `${day}T09:30:00.000Z`,
				images: reviewPicturePaths(id, pictures),
				videos: video ? [reviewVideoPath(id)] : [],
			},
		);
	});
}

export interface ExtraProduct extends NewProduct {
	/** Its reviews, or how many to generate. */
	readonly reviews?: readonly NewReview[] | number;
}

const CATEGORIES: ReadonlySet<string> = new Set(SEED_PRODUCTS.map(({ category }) => category));

/**
 * Adds products that are not in the database yet, with their reviews. It uses a single transaction, so that a hundred
 * thousand products take only seconds.
 *
 * @throws {InvalidInputError} If a product or a review is invalid.
 */
export function addExtraProducts(
	database: Database,
	extras: Iterable<ExtraProduct>,
	now: () => number,
	seed: number,
): void {
	const random = createRandom(seed);
	const changedAt = new Date(now()).toISOString();
	database.transaction(() => {
		for (const { reviews: given = [], ...rest } of extras) {
			const { imageUrl = '', ...fields } = readInput(input.product, rest);
			if (database.product(fields.pid)) continue;
			const product = { ...fields, imageUrl, changedAt };
			database.putProduct(product);
			const known = CATEGORIES.has(product.category) ? (product.category as ProductCategory) : 'home';
			const all =
				typeof given === 'number'
					? composeReviews({ pid: product.pid, category: known }, given, random)
					: given.map((review) => {
							const id = randomBytes(12).toString('hex');
							return createReview({ id, pid: product.pid, updatedAt: changedAt }, review);
						});
			for (const review of all) database.putReview(review);
		}
	});
}
