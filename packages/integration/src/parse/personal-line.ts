import { cleanLine } from '../text/clean-text.js';
import { withoutContactDetails } from './contact-details.js';
import type { Drop } from './dropped-parts.js';

/** A line that says who somebody is, such as a name: printable, of at most `most` UTF-16 code units, without contact details. */
export function personalLine(text: string | undefined, most: number, drop: Drop): string | undefined {
	const line = text === undefined ? undefined : cleanLine(text, most, drop);
	if (line === undefined) return undefined;
	const rest = withoutContactDetails(line);
	if (rest !== line) drop('contact-details-removed');
	return rest;
}
