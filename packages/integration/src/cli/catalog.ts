import { plainLine } from '../base/words.js';
import { CommandError, type ErrorCode } from '../errors.js';
import catalog from './catalog.json' with { type: 'json' };

/**
 * Explains every code of an error or a warning of `astro-product-reviews`, `product-reviews-client` and
 * `product-reviews-webhook`, in the order of the documentation and in Markdown: problems of the project, those with the
 * service, and those of the cache, the commands and the receiver. A code is permanent: people search for it.
 */
export const ERROR_CATALOG: Readonly<
	Record<ErrorCode, { readonly title: string; readonly happened: string; readonly remedy: string }>
> = catalog;

/** Makes an error of a command whose hint is what the catalog says to do. */
export function commandError(code: ErrorCode, message: string, cause?: unknown): CommandError {
	return new CommandError(code, message, ERROR_CATALOG[code]?.remedy ?? '', { cause });
}

/** Says what happened, and what to do. @throws CommandError for a word that is no code. */
export function explain(word: string): string {
	const code = word.toUpperCase() as ErrorCode;
	const entry = Object.hasOwn(ERROR_CATALOG, code) ? ERROR_CATALOG[code] : undefined;
	if (entry) return `${code}: ${entry.title}.\n\n${entry.happened}\n\nWhat to do: ${entry.remedy}\n`;
	throw new CommandError(
		'PR_USAGE',
		`There is no error code "${plainLine(word, 100)}".`,
		'A code begins with PR_, and stands at the end of each error and warning.',
	);
}
