import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, products, questions, reviews } from '../database/database.js';
import { productPicturePath, reviewPicturePaths, reviewVideoPath } from '../media/media-paths.js';
import type { Question, Review, ReviewDetails, ReviewTopic } from '../records.js';
import { composeReviews } from './compose-reviews.js';
import {
	ENGLISH,
	ENGLISH_CATEGORIES,
	KETTLE_REVIEWS,
	LONG_REVIEW,
	ODD_REVIEWS,
	type WrittenReview,
} from './phrases.js';
import { SEED_PRODUCTS, type SeedProduct } from './products.js';
import { createRandom, type Random, seedDates, seedId } from './random.js';

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

/** Products with a fixed number of reviews that tests and demos can rely on. */
const FIXED: Readonly<Record<string, number>> = {
	'p-17': 0,
	'p-29': 0,
	'p-37': 0,
	'p-46': 0,
	'p-59': 0,
	'p-33': 300,
	'p-49': 4,
};

/** The product whose reviews are all unpublished. */
const UNPUBLISHED_ONLY = 'p-49';

/** Number of reviews of a seeded product: 1 to 40, more often few than many, except for the fixed ones. */
function reviewCount(pid: string, random: Random): number {
	return FIXED[pid] ?? 1 + Math.floor(random.next() ** 1.6 * 40);
}

/** The seeded questions: those written for each product, and one about two products at once. */
function seedQuestions(random: Random): Question[] {
	const own = SEED_PRODUCTS.flatMap(({ pid, category }) =>
		(ENGLISH_CATEGORIES[category].products[pid]?.questions ?? []).map(([question, answer], index) =>
			toQuestion([pid], index, question, answer, random),
		),
	);
	const shared = toQuestion(
		['p-3', 'p-6'],
		100,
		'Can the board and the servers be oiled with the same oil?',
		'Yes: linseed oil suits both oak and beech.',
		random,
	);
	return [...own, shared];
}

function toQuestion(
	pids: readonly [string, ...string[]],
	index: number,
	question: string,
	answer: string,
	random: Random,
): Question {
	const { publishedAt, updatedAt } = seedDates(random);
	return {
		id: seedId('question', pids[0], index),
		pids,
		question,
		answer,
		author: `${random.pick(ENGLISH.names)} ${random.pick([...'ABCDEFGHJKLM'])}.`,
		askedAt: publishedAt,
		answeredAt: answer === '' ? null : updatedAt,
	};
}

/** Hand-written reviews by product: those of the kettle, a very long one, and odd ones. */
function specialReviews(pid: string): Review[] {
	const written: readonly WrittenReview[] =
		pid === 'p-1' ? KETTLE_REVIEWS : pid === 'p-34' ? [LONG] : (ODD_REVIEWS[pid] ?? []);
	// Numbered from 1,000, above every generated review.
	return written.map((review, index) => toReview(review, pid, 1_000 + index));
}

const LONG: WrittenReview = {
	rating: 4.5,
	author: 'Freya L.',
	title: 'Thirty-one days across Norway: a long report',
	body: LONG_REVIEW,
	day: '2026-08-02',
	place: ['Bergen', 'Vestland', 'Norway', 'NO'],
	helpful: 112,
	pictures: 3,
	topics: { quality: 'positive', durability: 'positive', size: 'neutral' },
};

function toReview(written: WrittenReview, pid: string, index: number): Review {
	const id = seedId('review', pid, index);
	const [city, state, country, countryCode] = written.place;
	const details: ReviewDetails = {
		city,
		state,
		country,
		countryCode,
		verified: written.verified ?? true,
		recommended: written.rating >= 4,
		pinned: false,
		testimonial: false,
		helpful: written.helpful,
		unhelpful: 0,
		images: reviewPicturePaths(id, written.pictures ?? 0),
		videos: written.video ? [reviewVideoPath(id)] : [],
		tags: [],
		topics: Object.entries(written.topics ?? {}).map(([key, sentiment]): ReviewTopic => ({ key, sentiment })),
		importedFrom: '',
	};
	return {
		id,
		pid,
		status: 'published',
		rating: written.rating,
		title: written.title,
		body: written.body,
		author: written.author,
		publishedAt: `${written.day}T09:30:00.000Z`,
		updatedAt: `${written.day}T16:00:00.000Z`,
		details,
	};
}
