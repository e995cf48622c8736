import QuickLRU from 'quick-lru';
import type { PluralLabel } from '../labels/labels.js';

/**
 * Fills the values into a label. A label that depends on a count uses the language's plural form.
 * @param language a BCP 47 tag. An unknown one is treated as English.
 */
export function fillLabel(label: PluralLabel, values: LabelValues, language: string): string {
	const { numbers, averages, percents, plurals, ratings } = formatters(language);
	if (values.rating !== undefined && typeof label === 'string') {
		// The same rating appears many times on a page.
		const key = `${values.rating} ${label}`;
		const filled = ratings.get(key) ?? label.replaceAll('{rating}', numbers.format(values.rating));
		ratings.set(key, filled);
		return filled;
	}
	const form = typeof label === 'string' ? label : (label[plurals.select(values.count ?? 0)] ?? label.other);
	return form.replace(PLACEHOLDERS, (placeholder, name: keyof LabelValues) => {
		const value = values[name];
		if (value === undefined || typeof value === 'string') return value ?? placeholder;
		if (name === 'percent') return percents.format(value);
		// Averages always have one decimal, so that 4 is written like 4.2.
		return (name === 'average' ? averages : numbers).format(value);
	});
}

/** The values of a label's placeholders. */
interface LabelValues {
	readonly count?: number;
	readonly average?: number;
	readonly rating?: number;
	/** A share, 0 to 1. */
	readonly percent?: number;
	readonly author?: string;
	readonly source?: string;
}

const PLACEHOLDERS = /\{(count|average|rating|percent|author|source)\}/g;

/** A number, formatted for the language. */
export function formatNumber(number: number, language: string): string {
	return formatters(language).numbers.format(number);
}

/** A date, formatted for the language. @param date `YYYY-MM-DD` */
export function formatDate(date: string, language: string): string {
	const { dates, dated } = formatters(language);
	let written = dated.get(date);
	if (written === undefined) {
		written = dates.format(new Date(`${date}T00:00:00Z`));
		// The reviews of a store span a few thousand days.
		if (dated.size < MOST_DATES) dated.set(date, written);
	}
	return written;
}

interface Formatters {
	readonly numbers: Intl.NumberFormat;
	/** Labels with a rating filled in, by rating and label. */
	readonly ratings: QuickLRU<string, string>;
	readonly averages: Intl.NumberFormat;
	readonly percents: Intl.NumberFormat;
	readonly plurals: Intl.PluralRules;
	readonly dates: Intl.DateTimeFormat;
	/** Dates already formatted. */
	readonly dated: Map<string, string>;
}

/** Maximum number of cached dates per language. */
const MOST_DATES = 10_000;

/** Maximum number of cached labels with a rating, per language. A merchant's labels may contain the product's name. */
const MOST_RATINGS = 500;

/**
 * Maximum number of languages with cached formatters. A page's language may come from its address, so anyone can set
 * it.
 */
const MOST_LANGUAGES = 20;

// Creating a formatter takes longer than rendering a whole block of reviews, and a site has few languages.
const made = new QuickLRU<string, Formatters>({ maxSize: MOST_LANGUAGES });
const shortTags = new QuickLRU<string, string>({ maxSize: MOST_LANGUAGES });

function formatters(language: string): Formatters {
	const tag = shortTags.get(language) ?? shortest(language);
	shortTags.set(language, tag);
	const found = made.get(tag);
	if (found) return found;
	const locales = [...new Set([tag, 'en'])];
	const fresh: Formatters = {
		numbers: new Intl.NumberFormat(locales, { maximumFractionDigits: 2 }),
		ratings: new QuickLRU({ maxSize: MOST_RATINGS }),
		averages: new Intl.NumberFormat(locales, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
		percents: new Intl.NumberFormat(locales, { style: 'percent' }),
		plurals: new Intl.PluralRules(locales),
		dates: new Intl.DateTimeFormat(locales, { dateStyle: 'long', timeZone: 'UTC' }),
		dated: new Map(),
	};
	made.set(tag, fresh);
	return fresh;
}

/** The shortest tag with the same formats. Unknown tags become `'en'`, so they all share the English formatters. */
function shortest(language: string): string {
	try {
		const [known] = Intl.NumberFormat.supportedLocalesOf(language);
		// Private-use subtags, and extensions other than `u`, do not affect how numbers and dates are formatted.
		return known === undefined ? 'en' : known.replace(/-x-.*$|-[a-tv-wyz0-9]-.*$/, '');
	} catch {
		return 'en';
	}
}
