import type { GivenLabels, Labels, PluralLabel } from '../options/labels.js';
import { labels } from './labels/index.js';

/** Returns all words for a page: the site's own words, or else the words of the page's language, or else English. */
export function labelsFor(given: GivenLabels, language: string): Labels {
	const set = setOf(language);
	const ofGiven = merged.get(given) ?? {};
	merged.set(given, ofGiven);
	// Keyed by set, not by language: there are few sets, while a page's language may come from its address.
	ofGiven[set] ??= mergeLabels(labels[set], given) as Labels;
	return ofGiven[set];
}

/** Merges the site's words with the words of one component, which take precedence. */
export function mergeLabels(given: GivenLabels, own: GivenLabels | undefined): GivenLabels {
	if (!own) return given;
	return { ...given, ...Object.fromEntries(Object.entries(own).filter(([, label]) => label !== undefined)) };
}

/** Says whether the page's words are English, because its language is English or has no set of words. */
export function isEnglish(language: string): boolean {
	return setOf(language) === 'en';
}

// Made once: a page has many components.
const merged = new WeakMap<GivenLabels, Partial<Record<keyof typeof labels, Labels>>>();

/**
 * Returns the BCP 47 tag of a locale that is named as other systems do: with underscores, an encoding or a modifier.
 * @example languageTag('pt_BR.UTF-8') // 'pt-BR'
 */
export function languageTag(locale: string): string {
	return locale.replace(/[.@].*$/, '').replaceAll('_', '-');
}

/** Returns the language of a locale without its region. @example baseLanguage('pt_BR') // 'pt' */
export function baseLanguage(locale: string): string {
	return languageTag(locale).toLowerCase().split('-', 1)[0] ?? '';
}

/** Returns the name of a language in that language. @example nameOfLanguage('de-AT') // 'Deutsch' */
export function nameOfLanguage(language: string): string {
	return formatters(language).languages.of(baseLanguage(language)) ?? language;
}

function setOf(language: string): keyof typeof labels {
	const subtag = baseLanguage(language);
	return Object.hasOwn(labels, subtag) ? (subtag as keyof typeof labels) : 'en';
}

/**
 * Fills the values into a label. A label that depends on a count uses the language's plural form.
 * @param values by the name of their placeholder. `percent` is a share, 0 to 1.
 * @param language a BCP 47 tag, or a locale such as `pt_BR`. An unknown one is treated as English.
 */
export function fillLabel(
	label: PluralLabel,
	values: Readonly<Record<string, string | number>>,
	language: string,
): string {
	const { numbers, averages, percents, plurals, rated } = formatters(language);
	const { rating, count = 0 } = values;
	if (typeof rating === 'number' && typeof label === 'string') {
		// The same rating appears many times on a page.
		const key = `${rating} ${label}`;
		return (
			rated.get(key) ?? keep(rated, MAX_RATED, key, label.replaceAll('{rating}', numbers.format(rating)))
		);
	}
	const form = typeof label === 'string' ? label : (label[plurals.select(Number(count))] ?? label.other);
	return form.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
		const value = Object.hasOwn(values, name) ? values[name] : undefined;
		if (value === undefined || typeof value === 'string') return value ?? placeholder;
		if (name === 'percent') return percents.format(value);
		// Averages always have one decimal, so that 4 is written like 4.2.
		return (name === 'average' ? averages : numbers).format(value);
	});
}

export function formatNumber(number: number, language: string): string {
	return formatters(language).numbers.format(number);
}

/** Formats a date for the language. @param date `YYYY-MM-DD` */
export function formatDate(date: string, language: string): string {
	const { dates, dated } = formatters(language);
	return dated.get(date) ?? keep(dated, MAX_DATES, date, dates.format(new Date(`${date}T00:00:00Z`)));
}

/** Keeps a value, in place of all others if there are too many. Every review reads two: a map without an order of use is faster. */
function keep<Value>(map: Map<string, Value>, max: number, key: string, value: Value): Value {
	if (map.size >= max) map.clear();
	map.set(key, value);
	return value;
}

/** A page's language may come from its address, so anyone can set it. */
const MAX_LANGUAGES = 40;
/** The reviews of a store span a few thousand days. */
const MAX_DATES = 10_000;
/** A merchant's labels may contain the product's name. */
const MAX_RATED = 1_000;

// Creating a formatter takes longer than rendering a whole block of reviews, and a site has few languages.
type Formatters = ReturnType<typeof createFormatters>;

const byLanguage = new Map<string, Formatters>();
const byTag = new Map<string, Formatters>();

function formatters(language: string): Formatters {
	const found = byLanguage.get(language);
	if (found) return found;
	const tag = shortest(language);
	const known = byTag.get(tag) ?? keep(byTag, MAX_LANGUAGES, tag, createFormatters(tag));
	return keep(byLanguage, MAX_LANGUAGES, language, known);
}

function createFormatters(tag: string) {
	const locales = [...new Set([tag, 'en'])];
	return {
		numbers: new Intl.NumberFormat(locales, { maximumFractionDigits: 2 }),
		averages: new Intl.NumberFormat(locales, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
		percents: new Intl.NumberFormat(locales, { style: 'percent' }),
		plurals: new Intl.PluralRules(locales),
		languages: new Intl.DisplayNames(locales, { type: 'language' }),
		dates: new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeZone: 'UTC' }),
		/** Dates already formatted. */
		dated: new Map<string, string>(),
		/** Labels with a rating filled in, by rating and label. */
		rated: new Map<string, string>(),
	};
}

/** Returns the shortest tag with the same formats. Unknown tags become `'en'`, so they all share the English formatters. */
function shortest(language: string): string {
	try {
		const [known] = Intl.NumberFormat.supportedLocalesOf(languageTag(language));
		// Private-use subtags, and extensions other than `u`, do not affect how numbers and dates are formatted.
		return known === undefined ? 'en' : known.replace(/-x-.*$|-[a-tv-wyz0-9]-.*$/, '');
	} catch {
		return 'en';
	}
}
