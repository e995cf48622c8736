import { ERROR_CATALOGUE, type ErrorCode } from '../errors/catalogue.js';
import { CommandError } from '../errors.js';
import { plainLine } from '../text/words.js';
import type { CommandLine } from './options.js';

/**
 * Explains an error code: what happened, and what to do.
 * @throws CommandError for another word.
 */
export function explain({ args: [word = ''] }: CommandLine): string[] {
	const code = word.toUpperCase() as ErrorCode;
	const entry = Object.hasOwn(ERROR_CATALOGUE, code) ? ERROR_CATALOGUE[code] : undefined;
	if (!entry) {
		throw new CommandError(
			'PR_USAGE',
			`There is no error code "${plainLine(word, 100)}".`,
			'A code begins with PR_, and stands at the end of each error and warning.',
		);
	}
	return [`${code}: ${entry.title}.\n\n${entry.happened}\n\nWhat to do: ${entry.remedy}\n`];
}
