import { expect, test } from 'vitest';
import { formAuthor, formAuthors } from '../../../src/text/author.js';
import { STRINGS } from '../../support/corpora.js';
import { displayed, record, stated } from '../../support/unit/record.js';
import { fullReview, mediaItem, question, reviewData } from '../../support/unit/review-data.js';
import { write } from '../../support/unit/write.js';

test.each<[string | undefined, string | undefined, string | undefined]>([
	['Ada Lovelace', 'Ada', 'A. L.'],
	['Ada', 'Ada', 'A.'],
	['Lovelace, Ada', 'Lovelace', 'L. A.'],
	['Ada (Countess) Lovelace', 'Ada', 'A. C. L.'],
	['Jean-Luc Picard', 'Jean-Luc', 'J. P.'],
	['Maria da Silva e Souza Santos', 'Maria', 'M. D. S. E.'],
	['Élodie Ünal', 'Élodie', 'É. Ü.'],
	['محمد علي', 'محمد', 'م. ع.'],
	['अनिल कुमार', 'अनिल', 'अ. कु.'],
	['山田 太郎', '山田', '山. 太.'],
	['山田太郎', '山田', '山. 太.'],
	['𝒜da 😀 Lovelace', '𝒜da', '𝒜. L.'],
	['😀', undefined, undefined],
	['', undefined, undefined],
	[undefined, undefined, undefined],
])('%j is %j, or %j', (name, first, initials) => {
	expect(formAuthor(name, 'full')).toBe(name);
	expect(formAuthor(name, 'first-name')).toBe(first);
	expect(formAuthor(name, 'initials')).toBe(initials);
});

test('no name of a stranger is an error, or holds more than it did', () => {
	for (const name of STRINGS) {
		expect(name).toContain(formAuthor(name, 'first-name') ?? '');
		expect(formAuthor(name, 'initials') ?? '').not.toMatch(/<[a-z]/i);
	}
});

test.each([
	['first-name', 'Ada'],
	['initials', 'A. L.'],
] as const)('%s: what components write, and records for own markup, say %j', (author, expected) => {
	const full = { author: 'Ada Lovelace' };
	const product = record({
		reviews: [displayed(full)],
		schema: { name: 'Kettle', url: undefined, reviews: [stated(full)] },
	});
	const data = reviewData({
		reviews: [fullReview(full)],
		media: [mediaItem(full)],
		questions: [question(full)],
	});
	for (const html of [
		write('ProductReviews', product, {}, { authorNames: author, display: 'visible' }),
		write('ReviewSchema', product, {}, { authorNames: author }),
		...['ReviewList', 'ReviewMedia', 'ProductQuestions'].map((name) =>
			write(name, data, {}, { authorNames: author }),
		),
	]) {
		expect(html).toContain(expected);
		expect(html).not.toContain('Lovelace');
	}
	const formed = formAuthors(data, author);
	const names = [formAuthors(product, author), formed].flatMap(({ reviews }) => reviews);
	expect([...names, ...formed.media, ...formed.questions].map((item) => item.author)).toEqual(
		Array(4).fill(expected),
	);
});
