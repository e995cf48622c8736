import { expect, test } from 'vitest';
import { formAuthor } from '../../../src/base/people.js';
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
] as const)('%s: what components write says %j', (author, expected) => {
	const full = { author: 'Ada Lovelace' };
	const schema = { name: 'Kettle', url: undefined, reviews: [stated(full)] };
	const product = record({ reviews: [displayed(full)], schema });
	const media = [mediaItem(full)];
	const data = reviewData({ reviews: [fullReview(full)], media, questions: [question(full)] });
	for (const name of ['ProductReviews', 'ReviewSchema', 'ReviewList', 'ReviewMedia', 'ProductQuestions']) {
		const of = name === 'ProductReviews' || name === 'ReviewSchema' ? product : data;
		const html = write(name, of, {}, { authorNames: author, display: 'visible' });
		expect(html).toContain(expected);
		expect(html).not.toContain('Lovelace');
	}
});
