import { describe, expect, test } from 'vitest';
import { labels } from '../../../src/labels/index.js';
import { labelsSchema } from '../../../src/labels/labels.js';
import { labelsFor } from '../../../src/labels/labels-for.js';
import { parseOptions } from '../../../src/options/parse-options.js';

const PLACEHOLDERS = /\{\w+\}/g;

/** Placeholders that a label fills in. */
function placeholders(label: string): string {
	return [...new Set(label.match(PLACEHOLDERS) ?? [])].sort().join();
}

describe.each(Object.entries(labels))('%s', (language, set) => {
	test('has every word that there is', () => {
		expect(Object.keys(set).sort()).toEqual(Object.keys(labelsSchema.shape).sort());
		for (const label of Object.values(set)) {
			const forms = typeof label === 'string' ? [label] : Object.values(label);
			expect(forms.every((form) => form?.trim())).toBe(true);
		}
	});

	test('has the plural forms of its language, and no others', () => {
		const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
		const plurals = Object.entries(set).filter(([, label]) => typeof label !== 'string');
		expect(plurals.map(([name]) => name)).toEqual(
			Object.entries(labels.en).flatMap(([name, label]) => (typeof label === 'string' ? [] : [name])),
		);
		for (const [name, forms] of plurals) {
			expect(Object.keys(forms).sort(), name).toEqual([...pluralCategories].sort());
		}
	});

	test('fills in what English does', () => {
		for (const [name, label] of Object.entries(set)) {
			const english = labels.en[name as keyof typeof set];
			const form = typeof label === 'string' ? label : label.other;
			const expected = typeof english === 'string' ? english : english.other;
			expect(placeholders(form), name).toBe(placeholders(expected));
		}
	});

	test('can be given as the option `labels`', () => {
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
	])('%j', (language, expected) => {
		expect(labelsFor({}, language).anonymous).toBe(expected);
	});

	test('are those of the merchant where there are any', () => {
		const given = { anonymous: 'Jemand', verified: undefined };
		expect(labelsFor(given, 'de')).toEqual({ ...labels.de, anonymous: 'Jemand' });
		expect(labelsFor(given, 'fr')).toEqual({ ...labels.fr, anonymous: 'Jemand' });
	});
});
