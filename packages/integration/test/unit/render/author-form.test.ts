import { describe, expect, test } from 'vitest';
import { formAuthor } from '../../../src/render/author-form.js';
import { formAuthors, formDataAuthors } from '../../../src/render/form-authors.js';
import { writeFragment } from '../../../src/render/write-fragment.js';
import { STRINGS } from '../../support/corpora.js';
import { displayed, record, renderOptions, stated } from '../../support/unit/record.js';

test.each<[string, string | undefined, string | undefined]>([
	['Ada Lovelace', 'Ada', 'A. L.'],
	['  ada   lovelace ', 'ada', 'A. L.'],
	['Ada', 'Ada', 'A.'],
	['A. L.', 'A.', 'A. L.'],
	['Lovelace, Ada', 'Lovelace', 'L. A.'],
	['Ada (Countess) Lovelace', 'Ada', 'A. C. L.'],
	['Jean-Luc Picard', 'Jean-Luc', 'J. P.'],
	['Maria da Silva e Souza Santos', 'Maria', 'M. D. S. E.'],
	['Élodie Ünal', 'Élodie', 'É. Ü.'],
	['E\u0301lodie Roux', 'E\u0301lodie', 'E\u0301. R.'],
	['محمد علي', 'محمد', 'م. ع.'],
	['דנה כהן', 'דנה', 'ד. כ.'],
	['Анна Каренина', 'Анна', 'А. К.'],
	['अनिल कुमार', 'अनिल', 'अ. कु.'],
	['山田 太郎', '山田', '山. 太.'],
	['山田太郎', '山田', '山. 太.'],
	['𝒜da 😀 Lovelace', '𝒜da', '𝒜. L.'],
	['😀', undefined, undefined],
	['', undefined, undefined],
])('%j is %j, or %j', (name, first, initials) => {
	expect(formAuthor(name, 'full')).toBe(name);
	expect(formAuthor(name, 'first')).toBe(first);
	expect(formAuthor(name, 'initials')).toBe(initials);
});

test('nobody has no name', () => {
	expect(formAuthor(undefined, 'initials')).toBeUndefined();
});

test('no name of a stranger is an error, or holds more than it did', () => {
	for (const name of STRINGS) {
		expect(name).toContain(formAuthor(name, 'first') ?? '');
		expect(formAuthor(name, 'initials') ?? '').not.toMatch(/<[a-z]/i);
	}
});

const FULL = 'Ada Lovelace';
const product = record({
	reviews: [displayed({ author: FULL })],
	schema: { name: 'Kettle', url: undefined, reviews: [stated({ author: FULL })] },
});

describe.each([
	['first', 'Ada'],
	['initials', 'A. L.'],
] as const)('%s', (author, expected) => {
	test('in what components write', () => {
		const settings = { ...renderOptions({ display: 'visible' }), author };
		for (const component of ['ProductReviews', 'ReviewSchema']) {
			const { html: written } = writeFragment(product, { component, props: {} }, settings);
			expect(written).toContain(expected);
			expect(written).not.toContain('Lovelace');
		}
	});

	test("in records for markup of one's own", () => {
		expect(formAuthors(product, author).reviews[0]?.author).toBe(expected);
		const shared = { key: 'a', author: FULL };
		const data = { reviews: [shared], media: [shared], questions: [shared] } as never;
		const formed = formDataAuthors(data, author);
		expect([...formed.reviews, ...formed.media, ...formed.questions].map((item) => item.author)).toEqual([
			expected,
			expected,
			expected,
		]);
	});
});
