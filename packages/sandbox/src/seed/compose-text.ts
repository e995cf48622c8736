import type { ReviewTopic } from '../records.js';
import type { Random } from './random.js';
import type { Sentence, SentenceDecks } from './sentence-decks.js';

/** Texts of a review. */
export interface ReviewText {
	readonly title: string;
	readonly body: string;
	readonly topics: readonly ReviewTopic[];
}

/** Composes the texts of a review to match its stars. Some have no title, some no body, some neither. */
export function composeText(rating: number, decks: SentenceDecks, space: string, random: Random): ReviewText {
	if (random.chance(0.05)) return { title: '', body: '', topics: [] };
	const mood = rating >= 4 ? 'good' : rating >= 2.5 ? 'mixed' : 'bad';
	const title = random.chance(0.8) ? decks.title[mood].draw().text : '';
	if (random.chance(0.06)) return { title, body: '', topics: [] };
	if (mood === 'good' && random.chance(0.14)) return { title, body: decks.short.draw().text, topics: [] };

	const draw = (probability: number, deck: { draw(): Sentence }) =>
		random.chance(probability) ? [deck.draw()] : [];
	const opening = draw(0.55, decks.opening);
	const praise = [
		...draw(mood === 'bad' ? 0.15 : 1, decks.praise),
		...draw(mood === 'good' ? 0.6 : 0, decks.praise),
	];
	const criticism = [
		...draw(rating === 5 ? 0.04 : rating >= 4 ? 0.45 : 1, decks.criticism),
		...draw(mood === 'bad' ? 0.6 : 0, decks.criticism),
	];
	const closing = mood === 'mixed' ? [] : draw(0.5, mood === 'good' ? decks.closing.good : decks.closing.bad);
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
