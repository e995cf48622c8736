import { createDeck, type Deck } from './deck.js';
import { fillSlots, type Naming } from './fill-slots.js';
import type { ProductCategory } from './products.js';
import type { Random } from './random.js';
import { ENGLISH_CATEGORIES, type Language } from './text/languages.js';
import type { TopicPhrases } from './text/phrases.js';

/** A sentence and its topic. */
export interface Sentence {
	readonly text: string;
	readonly topic?: string;
}

/** The decks for the reviews of one product in one language. */
export interface SentenceDecks {
	readonly opening: Deck<Sentence>;
	readonly praise: Deck<Sentence>;
	readonly criticism: Deck<Sentence>;
	readonly closing: { readonly good: Deck<Sentence>; readonly bad: Deck<Sentence> };
	readonly title: {
		readonly good: Deck<Sentence>;
		readonly mixed: Deck<Sentence>;
		readonly bad: Deck<Sentence>;
	};
	readonly short: Deck<Sentence>;
	readonly name: Deck<string>;
}

/**
 * Collects the sentences for a product: general ones, those of its category and, in English, its own.
 *
 * @param pid A product without sentences of its own uses those of its category, and is called `it`.
 */
export function sentenceDecks(
	{ phrases, categories }: Language,
	category: ProductCategory,
	pid: string,
	random: Random,
): SentenceDecks {
	const isEnglish = categories === ENGLISH_CATEGORIES;
	const own = isEnglish ? ENGLISH_CATEGORIES[category].products[pid] : undefined;
	const naming: Naming = own ?? { thing: 'thing' };
	const filled = (text: string) => fillSlots(text, naming, random);
	const deck = (sentences: readonly Sentence[]): Deck<Sentence> => {
		const inner = createDeck(sentences, random);
		return {
			draw() {
				const sentence = inner.draw();
				return isEnglish ? { ...sentence, text: filled(sentence.text) } : sentence;
			},
		};
	};
	const plain = (texts: readonly string[]) => deck(texts.map((text) => ({ text })));
	return {
		opening: plain(phrases.openings),
		praise: deck([
			...tagged(phrases.praise),
			...tagged(categories[category].praise),
			...(own?.praise ?? []).map((text) => ({ text, topic: 'use' })),
		]),
		criticism: deck([
			...tagged(phrases.criticism),
			...tagged(categories[category].criticism),
			...(own?.gripes ?? []).map((text) => ({ text, topic: 'quality' })),
		]),
		closing: { good: plain(phrases.closings.good), bad: plain(phrases.closings.bad) },
		title: {
			good: plain(phrases.titles.good),
			mixed: plain(phrases.titles.mixed),
			bad: plain(phrases.titles.bad),
		},
		short: plain(phrases.short),
		name: createDeck(phrases.names, random),
	};
}

function tagged(phrases: TopicPhrases): Sentence[] {
	return Object.entries(phrases).flatMap(([topic, texts]) => texts.map((text) => ({ text, topic })));
}
