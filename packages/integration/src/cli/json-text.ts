/**
 * JSON that can be printed on a terminal: JSON escapes the control characters below U+0020 by itself, this those above
 * and what turns a line around. It is read as the same value.
 * @param indent tab where it is for people. @default one line
 */
export function jsonText(value: unknown, indent?: '\t'): string {
	return JSON.stringify(value, undefined, indent).replace(
		UNSEEN,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}

const UNSEEN = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
