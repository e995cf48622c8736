import { cleanLine } from '../text/clean-text.js';

/** What went wrong for a log line: the error's message, printable, short and on one line. */
export function describeFailure(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	return cleanLine(message, MOST_LETTERS) ?? (error instanceof Error ? error.name : 'unknown error');
}

const MOST_LETTERS = 300;
