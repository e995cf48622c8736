import type { Question } from '../records.js';
import { SEED_PRODUCTS } from './products.js';
import type { Random } from './random.js';
import { seedDates } from './seed-dates.js';
import { seedId } from './seed-id.js';
import { ENGLISH } from './text/english.js';
import { ENGLISH_CATEGORIES } from './text/languages.js';

/** The seeded questions: those written for each product, and one about two products at once. */
export function seedQuestions(random: Random): Question[] {
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
