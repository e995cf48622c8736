import { describe, expect, test } from 'vitest';
import { labels } from '../../../src/labels/index.js';
import { labelsFor } from '../../../src/labels/page-labels.js';
import { parseOptions } from '../../../src/options/parse-options.js';

/** The forms of a label, by plural category. */
const formsOf = (label: string | object): Record<string, string> =>
	typeof label === 'string' ? { other: label } : { ...(label as Record<string, string>) };
/** Placeholders that a label fills in. */
const placeholdersOf = (label: string | object) =>
	[...new Set(formsOf(label)['other']?.match(/\{\w+\}/g))].sort();

describe.each(Object.entries(labels))('%s', (language, set) => {
	test('has every word in every plural form of the language, fills in what English does, and is an option', () => {
		expect(Object.keys(set).sort()).toEqual(Object.keys(labels.en).sort());
		const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
		for (const [name, english] of Object.entries(labels.en)) {
			const label = set[name as keyof typeof set];
			expect(typeof label, name).toBe(typeof english);
			if (typeof label !== 'string') {
				expect(Object.keys(label).sort(), name).toEqual([...pluralCategories].sort());
			}
			for (const form of Object.values(formsOf(label))) expect(form.trim(), name).not.toBe('');
			expect(placeholdersOf(label), name).toEqual(placeholdersOf(english));
		}
		expect(parseOptions({ labels: set }).labels).toEqual(set);
	});
});

describe('the words of a page', () => {
	test.each([
		['de', 'Anonym'],
		['de-AT', 'Anonym'],
		['PT-br', 'Anônimo'],
		['en-GB', 'Anonymous'],
		['sv', 'Anonymous'],
		['', 'Anonymous'],
		['constructor', 'Anonymous'],
	])('in %j: %j', (language, expected) => {
		expect(labelsFor({}, language).anonymous).toBe(expected);
	});

	test('are those of the merchant where there are any', () => {
		const given = { anonymous: 'Jemand', verified: undefined };
		expect(labelsFor(given, 'de')).toEqual({ ...labels.de, anonymous: 'Jemand' });
		expect(labelsFor(given, 'fr')).toEqual({ ...labels.fr, anonymous: 'Jemand' });
	});
});
