/**
 * Makes a stranger's text printable: no control characters, no noncharacters, no lone surrogates; line breaks of any
 * kind become `\n`; white space around it goes; a text longer than `most` UTF-16 code units is cut between characters.
 * Nothing left is `undefined`.
 */
export function cleanText(text: string, most: number): string | undefined {
	const printable = cut(text, most * 4)
		.toWellFormed()
		.replace(LINE_BREAKS, '\n')
		.replace(UNPRINTABLE, '')
		.trim();
	if (printable === '') return undefined;
	return printable.length > most ? `${cut(printable, most - 1).trimEnd()}…` : printable;
}

/** {@link cleanText} on one line: every run of white space is one space. */
export function cleanLine(text: string, most: number): string | undefined {
	return cleanText(cut(text, most * 4).replace(/\s+/g, ' '), most);
}

const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

// HTML forbids these in a document (control characters other than white space, noncharacters).
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Noncharacter_Code_Point}/gu;

/** The first `most` code units, one fewer where that would cut a surrogate pair. */
function cut(text: string, most: number): string {
	if (text.length <= most) return text;
	const last = text.charCodeAt(most - 1);
	return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}
