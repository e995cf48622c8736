/** Called when a text is cut, and when nothing readable is left of one. */
export type DropText = (part: 'text-cut' | 'text-unreadable') => void;

/**
 * Makes untrusted text printable. Control characters, noncharacters and lone surrogates are removed; line breaks of any kind
 * become `\n`; surrounding white space is trimmed; a text longer than `most` UTF-16 code units is cut between characters.
 * @param drop called when the text is cut, and when nothing readable is left of it.
 * @returns `undefined` if nothing in the text is visible.
 */
export function cleanText(text: string, most: number, drop: DropText = ignore): string | undefined {
	if (text.length <= most && SIMPLE_TEXT.test(text)) return text;
	return shorten(printable(text), most, text, drop);
}

/** {@link cleanText} on one line: every run of white space becomes one space. */
export function cleanLine(text: string, most: number, drop: DropText = ignore): string | undefined {
	if (text.length <= most && SIMPLE_LINE.test(text)) return text;
	return shorten(printable(text).replace(/\s+/g, ' '), most, text, drop);
}

/**
 * Untrusted text for one line of a log or a terminal. Nothing in it moves the cursor, breaks the line or reverses its
 * direction.
 * @param most UTF-16 code units; a longer text is cut.
 */
export function plainLine(text: string, most: number): string {
	return cleanLine(text.replace(LINE_BREAKS, ' ').replace(HIDDEN, ''), most) ?? '';
}

/**
 * JSON that can be printed on a terminal. JSON itself escapes only control characters below U+0020; this also escapes those
 * above, and everything that would reverse or hide text. It parses to the same value.
 * @param indent tab for people. @default one line
 */
export function printableJson(value: unknown, indent?: '\t'): string {
	return JSON.stringify(value, undefined, indent)
		.replace(UNPRINTABLE, escapeUnits)
		.replace(HIDDEN, escapeUnits);
}

/** Whether anything of a text is visible: more than white space, format characters and letters that are not drawn. */
export function isVisible(text: string): boolean {
	return VISIBLE.test(text);
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

// Most texts need no change: letters and signs of many languages, with single spaces. Testing for that is several times
// faster than finding nothing to replace. Format characters, surrogates and characters that are not drawn are excluded.
const SIMPLE =
	'!-~\\u00a1-\\u00ac\\u00ae-\\u034e\\u0350-\\u05ff\\u2010-\\u2027\\u3041-\\u3163\\u3165-\\ud7ff';
const SIMPLE_LINE = new RegExp(`^[${SIMPLE}]+(?: [${SIMPLE}]+)*$`);
const SIMPLE_TEXT = new RegExp(`^[${SIMPLE}](?:[${SIMPLE} \\n]*[${SIMPLE}])?$`);

const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

// HTML forbids these in a document: control characters other than white space, and noncharacters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}/gu;

/** Separators of lines, direction marks and zero-width spaces: they would break or reverse the rest of a line, or hide in it. */
const HIDDEN = /[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

// U+2800 is the braille pattern without a dot.
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The first `most` code units; one fewer if that would cut a surrogate pair. */
function cut(text: string, most: number): string {
	const last = text.charCodeAt(most - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

/** Every code unit as a JSON escape. */
function escapeUnits(text: string): string {
	const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
	return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function ignore(): void {}
