import { labels } from './index.js';
import type { GivenLabels, Labels } from './labels.js';

/** All words for a page: what the merchant gave, then the set of the page's language, or else English. */
export function labelsFor(given: GivenLabels, language: string): Labels {
	const set = setOf(language);
	const ofGiven = made.get(given) ?? {};
	made.set(given, ofGiven);
	// By set, not by language: there are few sets, and a page's language may come from its address.
	ofGiven[set] ??= { ...labels[set], ...Object.fromEntries(Object.entries(given).filter(isGiven)) };
	return ofGiven[set];
}

/** Words of one component over those of the site. */
export function mergeLabels(given: GivenLabels, own: GivenLabels | undefined): GivenLabels {
	return own ? { ...given, ...Object.fromEntries(Object.entries(own).filter(isGiven)) } : given;
}

/** Whether the page's words are English: its language is, or it has no set. */
export function isEnglish(language: string): boolean {
	return setOf(language) === 'en';
}

// A page writes many components.
const made = new WeakMap<GivenLabels, Partial<Record<keyof typeof labels, Labels>>>();

function isGiven([, label]: [string, unknown]): boolean {
	return label !== undefined;
}

/** The set of a BCP 47 tag. */
function setOf(language: string): keyof typeof labels {
	const [subtag = ''] = language.toLowerCase().split('-', 1);
	return Object.hasOwn(labels, subtag) ? (subtag as keyof typeof labels) : 'en';
}
