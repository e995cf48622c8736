import { isVisible } from '../text/clean-text.js';

/** Names of authors have to be shorter, in characters: search engines take the whole review for spam. */
const MAX_LENGTH = 100;

/** The name of an author as search engines take it; `undefined` where nothing of it is to be seen. */
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
