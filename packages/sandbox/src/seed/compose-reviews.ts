import arabic from '../data/arabic.json' with { type: 'json' };
import english from '../data/english.json' with { type: 'json' };
import french from '../data/french.json' with { type: 'json' };
import german from '../data/german.json' with { type: 'json' };
import hebrew from '../data/hebrew.json' with { type: 'json' };
import japanese from '../data/japanese.json' with { type: 'json' };
import portuguese from '../data/portuguese.json' with { type: 'json' };
import spanish from '../data/spanish.json' with { type: 'json' };
import {
	createReview,
	type Review,
	type ReviewTopic,
	reviewPicturePaths,
	reviewVideoPath,
} from '../records.js';
import type { ProductCategory, SeedProduct } from './products.js';
import { type Random, seedDates, seedId } from './random.js';

type Language = typeof english | typeof german;

const LANGUAGES = [english, german, french, spanish, portuguese, japanese, arabic, hebrew];

/** English texts about one product. */
interface ProductPhrases {
	/** Common noun for it: `kettle`. */
	readonly thing: string;
	/** Set if the noun is a plural: `boots`. */
	readonly isPlural?: boolean;
	readonly praise: readonly string[];
	readonly gripes: readonly string[];
	/** Each with its answer, which may be empty. */
	readonly questions: readonly (readonly string[])[];
}

export const PRODUCT_PHRASES: Readonly<Record<string, ProductPhrases>> = english.products;

/**
 * Generates `count` reviews with ids from `firstIndex`, always the same ones for the same state of `random`. The order of the
 * fields is the order in which random numbers are drawn.
 */
export function composeReviews(
	{ pid, category }: Pick<SeedProduct, 'pid' | 'category'>,
	count: number,
	random: Random,
	firstIndex = 0,
): Review[] {
	const decksOf = new Map<Language, SentenceDecks>();
	const quality = random.next();
	const seen = new Set<string>();
	return Array.from({ length: count }, (_, offset) => {
		const language = pickLanguage(random);
		const { places, space } = language.phrases;
		const decks = decksOf.get(language) ?? sentenceDecks(language, pid, category, random);
		decksOf.set(language, decks);
		const rating = pickRating(quality, random);
		const compose = () => composeText(rating, decks, space, random);
		let text = compose();
		// Only very short texts may repeat, as in real life.
		for (let tries = 0; tries < 20 && text.body.length >= 30 && seen.has(text.body); tries++)
			text = compose();
		seen.add(text.body);
		const id = seedId('review', pid, firstIndex + offset);
		const [city = '', state = '', country = '', countryCode = ''] = random.pick(places);
		const { publishedAt, updatedAt } = seedDates(random);
		return createReview(
			{ id, pid, updatedAt },
			{
				rating,
				...text,
				author: random.chance(0.05) ? '' : nameOf(decks, language, random),
				publishedAt: random.chance(0.03) ? null : publishedAt,
				city: random.chance(0.85) ? city : '',
				state,
				country,
				countryCode,
				verified: random.chance(0.82),
				testimonial: rating === 5 && random.chance(0.05),
				helpful: Math.floor(random.next() ** 4 * 45),
				unhelpful: random.chance(0.15) ? random.between(1, 4) : 0,
				images: reviewPicturePaths(id, random.chance(0.12) ? random.between(1, 3) : 0),
				videos: random.chance(0.02) ? [reviewVideoPath(id)] : [],
				tags: random.chance(0.2) ? [category] : [],
				importedFrom: random.chance(0.04) ? 'marketplace' : '',
			},
		);
	});
}

/** Names in scripts without capital letters get no initial. */
function nameOf(decks: SentenceDecks, { phrases }: Language, random: Random): string {
	const name = decks.name();
	const hasCapitals = phrases.names[0]?.toLowerCase() !== phrases.names[0]?.toUpperCase();
	return hasCapitals ? `${name} ${random.pick([...'ABCDEFGHJKLMNOPRSTVW'])}.` : name;
}

function pickLanguage(random: Random): Language {
	const total = LANGUAGES.reduce((sum, { weight }) => sum + weight, 0);
	let left = random.next() * total;
	const picked = LANGUAGES.find(({ weight }) => {
		left -= weight;
		return left < 0;
	});
	return picked ?? english;
}

/** Mostly fives, some fours, few of the rest. The worst product (quality 0, not 1) has about a quarter of weak reviews. */
function pickRating(quality: number, random: Random): number {
	const draw = random.next();
	const five = 0.5 + 0.24 * quality;
	const four = five + 0.24;
	const three = four + (1 - four) * 0.5;
	const two = three + (1 - three) * 0.45;
	const stars = draw < five ? 5 : draw < four ? 4 : draw < three ? 3 : draw < two ? 2 : 1;
	return stars > 1 && random.chance(0.08) ? stars - 0.5 : stars;
}

/** Composes the texts of a review to match its stars. Some have no title, some no body, some neither. */
function composeText(rating: number, decks: SentenceDecks, space: string, random: Random) {
	if (random.chance(0.05)) return { title: '', body: '', topics: [] };
	const mood = rating >= 4 ? 'good' : rating >= 2.5 ? 'mixed' : 'bad';
	const title = random.chance(0.8) ? decks.title[mood]().text : '';
	if (random.chance(0.06)) return { title, body: '', topics: [] };
	if (mood === 'good' && random.chance(0.14)) return { title, body: decks.short().text, topics: [] };

	const draw = (probability: number, deck: () => Sentence) => (random.chance(probability) ? [deck()] : []);
	const opening = draw(0.55, decks.opening);
	const praise = [
		...draw(mood === 'bad' ? 0.15 : 1, decks.praise),
		...draw(mood === 'good' ? 0.6 : 0, decks.praise),
	];
	const criticism = [
		...draw(rating === 5 ? 0.04 : rating >= 4 ? 0.45 : 1, decks.criticism),
		...draw(mood === 'bad' ? 0.6 : 0, decks.criticism),
	];
	const closing = mood === 'mixed' ? [] : draw(0.5, decks.closing[mood]);
	const sentences = [...opening, ...praise, ...criticism, ...closing];
	const breakAfter = random.chance(0.12) ? opening.length + praise.length : 0;
	const body = sentences
		.map(({ text }, index) => (index === 0 ? text : (index === breakAfter ? '\n\n' : space) + text))
		.join('');
	return { title, body, topics: [...topicsOf(praise, 'positive'), ...topicsOf(criticism, 'negative')] };
}

function topicsOf(sentences: readonly Sentence[], sentiment: ReviewTopic['sentiment']): ReviewTopic[] {
	const keys = new Set(sentences.flatMap(({ topic }) => topic ?? []));
	return [...keys].map((key) => ({ key, sentiment }));
}

interface Sentence {
	readonly text: string;
	readonly topic?: string;
}

/** Returns a function that draws items so that none repeats before all others have been drawn. */
function createDeck<Item>(items: readonly Item[], random: Random, finish = (item: Item) => item): () => Item {
	let left: Item[] = [];
	return () => {
		if (left.length === 0) left = random.shuffle(items);
		return finish(left.pop() as Item);
	};
}

type SentenceDecks = ReturnType<typeof sentenceDecks>;

/**
 * Collects the sentences for a product: general ones, those of its category and, in English, its own. A product without
 * sentences of its own is called `it`.
 */
function sentenceDecks(language: Language, pid: string, category: ProductCategory, random: Random) {
	const isEnglish = language === english;
	const { phrases, categories } = language;
	const own = isEnglish ? PRODUCT_PHRASES[pid] : undefined;
	const filled = (sentence: Sentence) =>
		isEnglish ? { ...sentence, text: fillSlots(sentence.text, own ?? { thing: 'thing' }, random) } : sentence;
	const deck = (sentences: readonly Sentence[]) => createDeck(sentences, random, filled);
	const plain = (texts: readonly string[]) => deck(texts.map((text) => ({ text })));
	const { openings, closings, titles, short, names } = phrases;
	return {
		opening: plain(openings),
		praise: deck([
			...tagged(phrases.praise),
			...tagged(categories[category].praise),
			...tagged({ use: own?.praise ?? [] }),
		]),
		criticism: deck([
			...tagged(phrases.criticism),
			...tagged(categories[category].criticism),
			...tagged({ quality: own?.gripes ?? [] }),
		]),
		closing: { good: plain(closings.good), bad: plain(closings.bad) },
		title: { good: plain(titles.good), mixed: plain(titles.mixed), bad: plain(titles.bad) },
		short: plain(short),
		name: createDeck(names, random),
	};
}

function tagged(phrases: Readonly<Record<string, readonly string[]>>): Sentence[] {
	return Object.entries(phrases).flatMap(([topic, texts]) => texts.map((text) => ({ text, topic })));
}

const SLOTS: Readonly<Record<string, readonly string[]>> = english.slots;

/** Fills the slots of an English sentence: the product, a person, a duration, a time. */
function fillSlots(
	sentence: string,
	{ thing, isPlural }: Pick<ProductPhrases, 'thing' | 'isPlural'>,
	random: Random,
): string {
	const words: Readonly<Record<string, string>> = isPlural
		? { thing, it: 'they', them: 'them', s: '' }
		: { thing, it: 'it', them: 'it', s: 's' };
	return sentence.replace(/\{(\w+)\}/g, (slot, name: string) => {
		const choices = SLOTS[name.toLowerCase()];
		if (!choices) return words[name] ?? slot;
		const text = random.pick(choices);
		return name === 'Person' ? text.charAt(0).toUpperCase() + text.slice(1) : text;
	});
}
