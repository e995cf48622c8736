import { reviewPicturePaths, reviewVideoPath } from '../media/media-paths.js';
import type { Review } from '../records.js';
import { composeText } from './compose-text.js';
import type { ProductCategory } from './products.js';
import type { Random } from './random.js';
import { seedDates } from './seed-dates.js';
import { seedId } from './seed-id.js';
import { type SentenceDecks, sentenceDecks } from './sentence-decks.js';
import { LANGUAGES, type Language } from './text/languages.js';

/** The product to generate reviews for. */
export interface ReviewedProduct {
	readonly pid: string;
	readonly category: ProductCategory;
}

/**
 * Generates `count` published reviews of a product, always the same ones for the same state of `random`.
 *
 * @param firstIndex First number for the ids.
 */
export function composeReviews(
	{ pid, category }: ReviewedProduct,
	count: number,
	random: Random,
	firstIndex = 0,
): Review[] {
	const decksOf = new Map<Language, SentenceDecks>();
	const quality = random.next();
	const seen = new Set<string>();
	return Array.from({ length: count }, (_, offset) => {
		const language = pickLanguage(random);
		const decks = decksOf.get(language) ?? sentenceDecks(language, category, pid, random);
		decksOf.set(language, decks);
		const rating = pickRating(quality, random);
		return composeReview(
			{ pid, index: firstIndex + offset, rating, language, decks, seen, category },
			random,
		);
	});
}

interface Composition extends ReviewedProduct {
	readonly index: number;
	readonly rating: number;
	readonly language: Language;
	readonly decks: SentenceDecks;
	/** Longer texts that the product already has: they must not repeat. */
	readonly seen: Set<string>;
}

function composeReview(composition: Composition, random: Random): Review {
	const { pid, category, index, rating, language, decks } = composition;
	const { title, body, topics } = unseenText(composition, random);
	const id = seedId('review', pid, index);
	const [city, state, country, countryCode] = random.pick(language.phrases.places);
	const { publishedAt, updatedAt } = seedDates(random);
	return {
		id,
		pid,
		status: 'published',
		rating,
		title,
		body,
		author: random.chance(0.05) ? '' : nameOf(decks, language, random),
		publishedAt: random.chance(0.03) ? null : publishedAt,
		updatedAt,
		details: {
			city: random.chance(0.85) ? city : '',
			state,
			country,
			countryCode,
			verified: random.chance(0.82),
			recommended: rating >= 4,
			pinned: false,
			testimonial: rating === 5 && random.chance(0.05),
			helpful: Math.floor(random.next() ** 4 * 45),
			unhelpful: random.chance(0.15) ? random.between(1, 4) : 0,
			images: reviewPicturePaths(id, random.chance(0.12) ? random.between(1, 3) : 0),
			videos: random.chance(0.02) ? [reviewVideoPath(id)] : [],
			tags: random.chance(0.2) ? [category] : [],
			topics,
			importedFrom: random.chance(0.04) ? 'marketplace' : '',
		},
	};
}

/** Only very short texts may repeat, as in real life. */
function unseenText({ rating, language, decks, seen }: Composition, random: Random) {
	for (let tries = 1; ; tries += 1) {
		const text = composeText(rating, decks, language.phrases.space, random);
		if (text.body.length < 30 || !seen.has(text.body) || tries > 20) {
			seen.add(text.body);
			return text;
		}
	}
}

/** Names in scripts without capital letters get no initial. */
function nameOf(decks: SentenceDecks, { phrases }: Language, random: Random): string {
	const name = decks.name.draw();
	const hasCapitals = phrases.names[0]?.toLowerCase() !== phrases.names[0]?.toUpperCase();
	return hasCapitals ? `${name} ${random.pick([...'ABCDEFGHJKLMNOPRSTVW'])}.` : name;
}

function pickLanguage(random: Random): Language {
	const total = LANGUAGES.reduce((sum, { weight }) => sum + weight, 0);
	let left = random.next() * total;
	for (const language of LANGUAGES) {
		left -= language.weight;
		if (left < 0) return language;
	}
	return LANGUAGES[0];
}

/**
 * Picks a realistic rating: mostly fives, some fours, few of the rest.
 *
 * @param quality How good the product is, 0 to 1. The worst has about a quarter of weak reviews.
 */
function pickRating(quality: number, random: Random): number {
	const draw = random.next();
	const five = 0.5 + 0.24 * quality;
	const four = five + 0.24;
	const three = four + (1 - four) * 0.5;
	const two = three + (1 - three) * 0.45;
	const stars = draw < five ? 5 : draw < four ? 4 : draw < three ? 3 : draw < two ? 2 : 1;
	return stars > 1 && random.chance(0.08) ? stars - 0.5 : stars;
}
