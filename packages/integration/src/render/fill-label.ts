import QuickLRU from 'quick-lru';
import type { PluralLabel } from '../labels/labels.js';

/**
 * A label with its values filled in. A label that depends on a count takes the form that the language has for it.
 * @param language a BCP 47 tag; one that is unknown counts as English.
 */
export function fillLabel(label: PluralLabel, values: LabelValues, language: string): string {
	const { numbers, averages, percents, plurals, ratings } = formatters(language);
	if (values.rating !== undefined && typeof label === 'string') {
		// A page says each rating many times.
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
		// An average of 4 stands beside others of 4.2: it says its digit, too.
		return (name === 'average' ? averages : numbers).format(value);
	});
}

/** What stands in a label's placeholders. */
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

/** A number as people of the language write it. */
export function formatNumber(number: number, language: string): string {
	return formatters(language).numbers.format(number);
}

/** A date as people of the language write it. @param date `YYYY-MM-DD` */
export function formatDate(date: string, language: string): string {
	const { dates, dated } = formatters(language);
	let written = dated.get(date);
	if (written === undefined) {
		written = dates.format(new Date(`${date}T00:00:00Z`));
		// Reviews of a store are of some thousand days.
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
	/** Dates that were written already. */
	readonly dated: Map<string, string>;
}

/** Dates of one language that are remembered. */
const MOST_DATES = 10_000;

/** Labels of one language that are remembered with a rating in them. A merchant's may name the product of the page. */
const MOST_RATINGS = 500;

/** Languages whose formatters are remembered. A page's language may come from its address, and so from anybody. */
const MOST_LANGUAGES = 20;

// Making a formatter costs more than a whole block of reviews; a site has few languages.
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

/** The shortest tag that is written alike; `'en'` for one that is unknown: all of those share the formatters of English. */
function shortest(language: string): string {
	try {
		const [known] = Intl.NumberFormat.supportedLocalesOf(language);
		// What is for private use, and extensions of other kinds, change nothing of how numbers and dates are written.
		return known === undefined ? 'en' : known.replace(/-x-.*$|-[a-tv-wyz0-9]-.*$/, '');
	} catch {
		return 'en';
	}
}
