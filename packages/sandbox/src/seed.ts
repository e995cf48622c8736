import { createHash } from 'node:crypto';
import { readAsset } from './assets.js';
import products from './data/products.json' with { type: 'json' };
import type { Database } from './database.js';
import { createRandom, type Random } from './random.js';
import type { NewProduct, NewReview, Question, Review } from './records.js';
import { createReview, productInput, productPicturePath, readInput } from './records.js';

export type ProductCategory = 'kitchen' | 'home' | 'garden' | 'outdoor' | 'desk' | 'kids';

/** A product of the seeded store. */
export interface SeedProduct {
	/** Product ID, `p-1` to `p-60`. */
	readonly pid: string;
	readonly name: string;
	readonly category: ProductCategory;
	/** URL slug: lower-case letters, digits and hyphens. */
	readonly slug: string;
	/** The object in the product's pictures: one of `data/motifs.json`. */
	readonly motif: string;
}

/**
 * The catalog of "Fjell & Form", a fictional store: 60 products, ten in each category. The seeded reviews are about
 * these products; a demo shop can build its pages from the same list.
 *
 * @example
 * import { SEED_PRODUCTS } from 'product-reviews-sandbox';
 * const kitchen = SEED_PRODUCTS.filter(({ category }) => category === 'kitchen');
 */
export const SEED_PRODUCTS = products as readonly SeedProduct[];

/** The seed that `assets/reviews.json` was made with. */
export const SEED = 1001;

interface StoredReview extends Omit<NewReview, 'images' | 'videos'> {
	readonly updatedAt: string;
	/** Number of pictures. */
	readonly pictures?: number;
	readonly video?: true;
	/** `true` if the review names its product, so that it cannot be about another one. */
	readonly isOwn?: true;
}

type ReviewsByProduct = Readonly<Record<string, readonly StoredReview[]>>;

interface MadeRecords {
	readonly reviews: ReviewsByProduct;
	readonly questions: readonly (Omit<Question, 'id'> & { readonly index: number })[];
}

const readMade = () => JSON.parse(readAsset('reviews.json').toString()) as MadeRecords;

/** Fills an empty database. The same seed always results in the same data. */
export function seedDatabase(database: Database, seed: number): void {
	const random = createRandom(seed);
	const written = JSON.parse(readAsset('written-reviews.json').toString()) as ReviewsByProduct;
	const { reviews: made, questions } = readMade();
	database.transaction(() => {
		for (const { pid, name, category } of SEED_PRODUCTS) {
			const own = made[pid] ?? [];
			// With another seed, the product has as many reviews, of which as many wait to be published.
			const dealt = seed === SEED ? own : dealReviews(made, category, own.length, random);
			const reviews = [
				...dealt.map((review, index) => toReview(pid, { ...review, status: own[index]?.status }, index)),
				// Numbered from 1,000, above all others.
				...(written[pid] ?? []).map((review, index) => toReview(pid, review, 1_000 + index)),
			];
			// The catalog was created before the first review.
			const dates = ['2024-01-01T00:00:00.000Z', ...reviews.map(({ updatedAt }) => updatedAt)].sort();
			const imageUrl = productPicturePath(pid);
			database.putProduct({ pid, name, category, url: null, imageUrl, changedAt: dates.at(-1) ?? '' });
			for (const review of reviews) database.putReview(review);
		}
		for (const { index, ...question } of questions)
			database.putQuestion({ id: seedId('question', question.pids[0] ?? '', index), ...question });
	});
}

/** Deals a product reviews of its category that name no product. They repeat if there are too few. */
function dealReviews(made: ReviewsByProduct, category: string, count: number, random: Random) {
	const siblings = SEED_PRODUCTS.filter((product) => product.category === category);
	const usable = siblings.flatMap(({ pid }) => made[pid] ?? []).filter(({ isOwn }) => !isOwn);
	const piles = Array.from({ length: Math.ceil(count / usable.length) }, () => random.shuffle(usable));
	return piles.flat().slice(0, count);
}

function toReview(pid: string, review: StoredReview, index: number): Review {
	const { updatedAt, pictures = 0, video, isOwn: _, ...fields } = review;
	const id = seedId('review', pid, index);
	const images = Array.from({ length: pictures }, (_, picture) => `/media/reviews/${id}/${picture + 1}.svg`);
	const videos = video ? [`/media/reviews/${id}/video.webm`] : [];
	return createReview({ id, pid, updatedAt }, { ...fields, images, videos });
}

const seedId = (kind: 'review' | 'question', pid: string, index: number) =>
	createHash('sha256').update(`${kind}\0${pid}\0${index}`).digest('hex').slice(0, 24);

export interface ExtraProduct extends NewProduct {
	/** Reviews, or the number of reviews to take from those of the category. */
	readonly reviews?: readonly NewReview[] | number;
}

/**
 * Adds products that are not in the database yet, with their reviews: in a single transaction, so that a hundred thousand
 * take only seconds. @throws {InvalidInputError} If a product or a review is invalid.
 */
export function addExtraProducts(
	database: Database,
	extras: Iterable<ExtraProduct>,
	now: number,
	seed: number,
) {
	const random = createRandom(seed);
	const updatedAt = new Date(now).toISOString();
	let made: ReviewsByProduct | undefined;
	database.transaction(() => {
		for (const { reviews: given = [], ...rest } of extras) {
			const { imageUrl = '', ...fields } = readInput(productInput, rest);
			const { pid, category } = fields;
			if (database.product(pid)) continue;
			database.putProduct({ ...fields, imageUrl, changedAt: updatedAt });
			if (typeof given === 'number') {
				made ??= readMade().reviews;
				const known = SEED_PRODUCTS.some((product) => product.category === category) ? category : 'home';
				for (const [index, review] of dealReviews(made, known, given, random).entries())
					database.putReview(toReview(pid, { ...review, status: 'published' }, index));
			} else
				for (const [index, review] of given.entries())
					database.putReview(createReview({ id: seedId('review', pid, index), pid, updatedAt }, review));
		}
	});
}
