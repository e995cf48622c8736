import { cleanLine } from '../payload/clean-text.js';

/** Products that a warning names; the others are counted. */
const MOST_NAMED = 100;
const MOST_LETTERS = 60;

/** Product ids for a log line or a message: printable, short, the first `most` by name. */
export function nameProducts(pids: readonly string[], most = MOST_NAMED): string {
	const named = pids.slice(0, most).map(nameProduct).join(', ');
	const more = pids.length - most;
	return more > 0 ? `${named} and ${more.toLocaleString('en')} more` : named;
}

/** One product id, printable and short. */
export function nameProduct(pid: string): string {
	return `"${cleanLine(pid.replace(UNSEEN, ''), MOST_LETTERS) ?? ''}"`;
}

/** Marks of direction and zero-width spaces: they would turn the rest of the line around, or hide in it. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
