import { cleanLine } from './clean-text.js';

/**
 * A stranger's text for one line of a log or a terminal: nothing in it moves the cursor, breaks the line or turns it
 * around.
 * @param most UTF-16 code units; a longer text is cut.
 */
export function plainLine(text: string, most: number): string {
	return cleanLine(text.replace(UNSEEN, ''), most) ?? '';
}

/** Marks of direction and zero-width spaces: they would turn the rest of the line around, or hide in it. */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
