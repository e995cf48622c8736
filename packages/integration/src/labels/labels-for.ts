import { labels } from './index.js';
import type { GivenLabels, Labels } from './labels.js';

/** All words for a page: the site's own, then those of the page's language, otherwise English. */
export function labelsFor(given: GivenLabels, language: string): Labels {
	const set = setOf(language);
	const ofGiven = made.get(given) ?? {};
	made.set(given, ofGiven);
	// Keyed by set, not by language: there are few sets, while a page's language may come from its address.
	ofGiven[set] ??= { ...labels[set], ...Object.fromEntries(Object.entries(given).filter(isGiven)) };
	return ofGiven[set];
}

/** The site's words, overridden by those of one component. */
export function mergeLabels(given: GivenLabels, own: GivenLabels | undefined): GivenLabels {
	return own ? { ...given, ...Object.fromEntries(Object.entries(own).filter(isGiven)) } : given;
}

/** Whether the page's words are English, either because its language is, or because that has no set. */
export function isEnglish(language: string): boolean {
	return setOf(language) === 'en';
}

// Made once: a page has many components.
const made = new WeakMap<GivenLabels, Partial<Record<keyof typeof labels, Labels>>>();

function isGiven([, label]: [string, unknown]): boolean {
	return label !== undefined;
}

/** The set of a BCP 47 tag. */
function setOf(language: string): keyof typeof labels {
	const [subtag = ''] = language.toLowerCase().split('-', 1);
	return Object.hasOwn(labels, subtag) ? (subtag as keyof typeof labels) : 'en';
}
