// Composes reviews from the phrases of eight languages. The benchmark takes its reviews from here; run as
//   node packages/sandbox/scripts/compose-reviews.mjs
// it writes assets/reviews.json, the reviews and questions of the sandbox's catalog. That is needed only after a change to
// this file or to the phrases. Hand-written reviews are in assets/written-reviews.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRandom } from '../dist/random.js';
import { SEED, SEED_PRODUCTS } from '../dist/seed.js';

/** @typedef {ReturnType<typeof createRandom>} Random */
/** @typedef {import('../dist/seed.js').StoredReview} StoredReview */

const LANGUAGES = [
	'english',
	'german',
	'french',
	'spanish',
	'portuguese',
	'japanese',
	'arabic',
	'hebrew',
].map((name) => JSON.parse(readFileSync(new URL(`phrases/${name}.json`, import.meta.url), 'utf8')));
const [english] = LANGUAGES;

const FIRST = Date.UTC(2024, 0, 1);
const LAST = Date.UTC(2026, 9, 31, 23, 59, 59);
const HOUR = 3_600_000;

/** Returns a date from 2024-01-01 to 2026-10-31 in UTC, and that of an update up to two days later. */
function drawDates(random) {
	const publishedAt = FIRST + Math.floor((random.next() * (LAST - FIRST)) / 1_000) * 1_000;
	const updatedAt = Math.min(LAST, publishedAt + random.between(0, 48) * HOUR);
	return { publishedAt: new Date(publishedAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}

/**
 * Composes reviews, always the same ones for the same state of `random`. The order of the fields is the order in which
 * random numbers are drawn.
 *
 * @param {{ pid: string, category: string }} product
 * @param {number} count
 * @param {Random} random
 * @returns {StoredReview[]}
 */
export function composeReviews({ pid, category }, count, random) {
	const decksOf = new Map();
	const quality = random.next();
	const seen = new Set();
	return Array.from({ length: count }, () => {
		const language = pickLanguage(random);
		const decks = decksOf.get(language) ?? sentenceDecks(language, pid, category, random);
		decksOf.set(language, decks);
		const rating = pickRating(quality, random);
		let text = composeText(rating, decks, random);
		// Only very short texts may repeat, as in real life.
		for (let tries = 0; tries < 20 && text.body.length >= 30 && seen.has(text.body); tries++)
			text = composeText(rating, decks, random);
		seen.add(text.body);
		const [city, state, country, countryCode] = random.pick(language.phrases.places);
		const { publishedAt, updatedAt } = drawDates(random);
		return {
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
			pictures: random.chance(0.12) ? random.between(1, 3) : 0,
			video: random.chance(0.02),
			tags: random.chance(0.2) ? [category] : [],
			importedFrom: random.chance(0.04) ? 'marketplace' : '',
			updatedAt,
		};
	});
}

/** Names in scripts without capital letters get no initial. */
function nameOf(decks, { phrases }, random) {
	const name = decks.name();
	const hasCapitals = phrases.names[0].toLowerCase() !== phrases.names[0].toUpperCase();
	return hasCapitals ? `${name} ${random.pick([...'ABCDEFGHJKLMNOPRSTVW'])}.` : name;
}

function pickLanguage(random) {
	let left = random.next() * LANGUAGES.reduce((sum, { weight }) => sum + weight, 0);
	const picked = LANGUAGES.find(({ weight }) => {
		left -= weight;
		return left < 0;
	});
	return picked ?? english;
}

/** Mostly fives, some fours, few of the rest. The worst product (quality 0, not 1) has about a quarter of weak reviews. */
function pickRating(quality, random) {
	const draw = random.next();
	const five = 0.5 + 0.24 * quality;
	const four = five + 0.24;
	const three = four + (1 - four) * 0.5;
	const two = three + (1 - three) * 0.45;
	const stars = draw < five ? 5 : draw < four ? 4 : draw < three ? 3 : draw < two ? 2 : 1;
	return stars > 1 && random.chance(0.08) ? stars - 0.5 : stars;
}

/** Composes the texts of a review to match its stars. Some have no title, some no body, some neither. */
function composeText(rating, decks, random) {
	if (random.chance(0.05)) return { title: '', body: '', topics: [] };
	const mood = rating >= 4 ? 'good' : rating >= 2.5 ? 'mixed' : 'bad';
	const head = random.chance(0.8) ? [decks.title[mood]()] : [];
	const review = (sentences, body, topics = []) => {
		const isOwn = [...head, ...sentences].some((sentence) => sentence.isOwn);
		return { title: head[0]?.text ?? '', body, topics, ...(isOwn && { isOwn }) };
	};
	if (random.chance(0.06)) return review([], '');
	if (mood === 'good' && random.chance(0.14)) {
		const short = decks.short();
		return review([short], short.text);
	}
	const draw = (probability, deck) => (random.chance(probability) ? [deck()] : []);
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
		.map(({ text }, index) => (index === 0 ? text : (index === breakAfter ? '\n\n' : decks.space) + text))
		.join('');
	return review(sentences, body, [...topicsOf(praise, 'positive'), ...topicsOf(criticism, 'negative')]);
}

function topicsOf(sentences, sentiment) {
	const keys = new Set(sentences.flatMap(({ topic }) => topic ?? []));
	return [...keys].map((key) => ({ key, sentiment }));
}

/** Returns a function that draws items so that none repeats before all others have been drawn. */
function createDeck(items, random, finish = (item) => item) {
	let left = [];
	return () => {
		if (left.length === 0) left = random.shuffle(items);
		return finish(left.pop());
	};
}

/**
 * Collects the sentences for a product: general ones, those of its category and, in English, its own. A product without
 * sentences of its own is called `thing`.
 */
function sentenceDecks(language, pid, category, random) {
	const { phrases, categories } = language;
	const own = language === english ? english.products[pid] : undefined;
	const filled = (sentence) => (language === english ? fillSlots(sentence, own, random) : sentence);
	const deck = (sentences) => createDeck(sentences, random, filled);
	const plain = (texts) => deck(texts.map((text) => ({ text })));
	const about = (kind, topic, texts = []) =>
		deck([
			...tagged(phrases[kind]),
			...tagged(categories[category][kind]),
			...texts.map((text) => ({ text, topic, isOwn: true })),
		]);
	const { openings, closings, titles, short, names, space } = phrases;
	return {
		opening: plain(openings),
		praise: about('praise', 'use', own?.praise),
		criticism: about('criticism', 'quality', own?.gripes),
		closing: { good: plain(closings.good), bad: plain(closings.bad) },
		title: { good: plain(titles.good), mixed: plain(titles.mixed), bad: plain(titles.bad) },
		short: plain(short),
		name: createDeck(names, random),
		space,
	};
}

function tagged(phrases) {
	return Object.entries(phrases).flatMap(([topic, texts]) => texts.map((text) => ({ text, topic })));
}

/** Fills the slots of an English sentence: the product, a person, a duration, a time. `isOwn` says that it names the product. */
function fillSlots(sentence, { thing, isPlural } = { thing: 'thing' }, random) {
	const words = isPlural
		? { thing, it: 'they', them: 'them', s: '' }
		: { thing, it: 'it', them: 'it', s: 's' };
	let { isOwn = false } = sentence;
	const text = sentence.text.replace(/\{(\w+)\}/g, (slot, name) => {
		const choices = english.slots[name.toLowerCase()];
		if (!choices) {
			if (name === 'thing' || isPlural) isOwn = true;
			return words[name] ?? slot;
		}
		const word = random.pick(choices);
		return name === 'Person' ? word.charAt(0).toUpperCase() + word.slice(1) : word;
	});
	return { ...sentence, text, isOwn };
}

const WITHOUT_REVIEWS = ['p-17', 'p-29', 'p-37', 'p-46', 'p-59'];

/** Number of reviews of a product: fixed for some, which tests and demos rely on; 1 to 40, more often few than many. */
function reviewCount(pid, random) {
	if (WITHOUT_REVIEWS.includes(pid)) return 0;
	return { 'p-33': 300, 'p-49': 4 }[pid] ?? 1 + Math.floor(random.next() ** 1.6 * 40);
}

function catalogReviews(product, written, random) {
	if (product.pid === 'p-1') return [];
	const composed = composeReviews(product, reviewCount(product.pid, random) - written, random);
	// Larger products have one unpublished review, so that tests notice if "stored" is taken for "published".
	const waiting = composed.length > 8 ? composeReviews(product, 1, random) : [];
	const hidden = (review) => ({ ...review, status: 'unpublished' });
	return product.pid === 'p-49' ? composed.map(hidden) : [...composed, ...waiting.map(hidden)];
}

function catalogQuestions(random) {
	const question = (pids, index, [question, answer]) => {
		const { publishedAt, updatedAt } = drawDates(random);
		const author = `${random.pick(english.phrases.names)} ${random.pick([...'ABCDEFGHJKLM'])}.`;
		const answeredAt = answer === '' ? null : updatedAt;
		return { index, pids, question, answer, author, askedAt: publishedAt, answeredAt };
	};
	const own = SEED_PRODUCTS.flatMap(({ pid }) =>
		(english.products[pid]?.questions ?? []).map((texts, index) => question([pid], index, texts)),
	);
	const both = 'Can the board and the servers be oiled with the same oil?';
	const answer = 'Yes: linseed oil suits both oak and beech.';
	return [...own, question(['p-3', 'p-6'], 100, [both, answer])];
}

if (import.meta.main) {
	const assets = new URL('../assets/', import.meta.url);
	const written = JSON.parse(readFileSync(new URL('written-reviews.json', assets), 'utf8'));
	const random = createRandom(SEED);
	const isSaid = (value) => !['', false, 0].includes(value) && value?.length !== 0;
	const line = (entry) =>
		JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([, value]) => isSaid(value))));
	const lists = SEED_PRODUCTS.map((product) => {
		const reviews = catalogReviews(product, written[product.pid]?.length ?? 0, random);
		return `"${product.pid}": [${reviews.map((review) => `\n${line(review)}`).join(',')}]`;
	});
	const questions = catalogQuestions(random).map((question) => `\n${JSON.stringify(question)}`);
	const text = `{\n"reviews": {\n${lists.join(',\n')}\n},\n"questions": [${questions.join(',')}]\n}\n`;
	writeFileSync(new URL('reviews.json', assets), text);
}
