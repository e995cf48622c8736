import { isVisible } from '../text/clean-text.js';

/**
 * Names of authors must be shorter than this, in characters. Otherwise search engines treat the whole review as spam.
 */
const MAX_LENGTH = 100;

/** The name of an author, shortened for search engines; `undefined` if it has no visible character. */
export function authorName(author: string | undefined): string | undefined {
	if (author === undefined) return undefined;
	const name = author.length < MAX_LENGTH ? author : cut(author);
	return isVisible(name) ? name : undefined;
}

function cut(author: string): string {
	return [...author]
		.slice(0, MAX_LENGTH - 1)
		.join('')
		.trimEnd();
}
