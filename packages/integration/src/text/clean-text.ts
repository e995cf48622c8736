import { isVisible } from './is-visible.js';

/** Called where a text is cut, and where nothing was left of one. */
export type DropText = (part: 'text-cut' | 'text-unreadable') => void;

/**
 * Makes a stranger's text printable: no control characters, no noncharacters, no lone surrogates; line breaks of any
 * kind become `\n`; white space around it goes; a text longer than `most` UTF-16 code units is cut between characters.
 * A text in which nothing is to be seen is `undefined`.
 * @param drop is told where a text is cut, and where nothing was left of one.
 */
export function cleanText(text: string, most: number, drop: DropText = ignore): string | undefined {
	if (text.length <= most && SIMPLE_TEXT.test(text)) return text;
	return shorten(printable(text), most, text, drop);
}

/** {@link cleanText} on one line: every run of white space is one space. */
export function cleanLine(text: string, most: number, drop: DropText = ignore): string | undefined {
	if (text.length <= most && SIMPLE_LINE.test(text)) return text;
	return shorten(printable(text).replace(/\s+/g, ' '), most, text, drop);
}

function printable(text: string): string {
	return text.toWellFormed().replace(LINE_BREAKS, '\n').replace(UNPRINTABLE, '').trim();
}

function shorten(text: string, most: number, given: string, drop: DropText): string | undefined {
	if (!isVisible(text)) {
		if (given.trim() !== '') drop('text-unreadable');
		return undefined;
	}
	if (text.length <= most) return text;
	drop('text-cut');
	return `${cut(text, most - 1).trimEnd()}…`;
}

// Most texts are what comes out: letters of many languages and signs, spaces between them. To know that is several times
// faster than to find nothing to replace. Marks of format, surrogates and what is drawn as nothing are not among these.
const SIMPLE =
	'!-~\\u00a1-\\u00ac\\u00ae-\\u034e\\u0350-\\u05ff\\u2010-\\u2027\\u3041-\\u3163\\u3165-\\ud7ff';
const SIMPLE_LINE = new RegExp(`^[${SIMPLE}]+(?: [${SIMPLE}]+)*$`);
const SIMPLE_TEXT = new RegExp(`^[${SIMPLE}](?:[${SIMPLE} \\n]*[${SIMPLE}])?$`);

const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

// HTML forbids these in a document (control characters other than white space, noncharacters).
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}/gu;

/** The first `most` code units, one fewer where that would cut a surrogate pair. */
function cut(text: string, most: number): string {
	const last = text.charCodeAt(most - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

function ignore(): void {}
