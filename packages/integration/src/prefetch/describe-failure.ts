import { ReviewsError } from 'product-reviews-client';
import { PayloadError } from '../errors.js';
import { cleanLine } from '../payload/clean-text.js';

/** What went wrong in a few words for a log line: printable, on one line, without address or token. */
export function describeFailure(error: unknown): string {
	if (error instanceof PayloadError) return error.message;
	if (error instanceof ReviewsError) return cleanLine(error.message, 300) ?? error.name;
	return cleanLine(error instanceof Error ? error.message : String(error), 300) ?? 'unknown error';
}
