import { isVisible } from './words.js';

/**
 * Removes e-mail addresses and phone numbers from a short text about a person. People type these into forms that ask for a name
 * or a place, and showing the text would publish them. A number of seven digits or more counts as a phone number; a date
 * such as 2026-11-20 does not.
 * @returns `undefined` if nothing else is visible.
 * @example withoutContactDetails('Ada <ada@shop.example>') // 'Ada'
 */
export function withoutContactDetails(text: string): string | undefined {
	if (!MAY_HOLD_SOME.test(text)) return text;
	const rest = text.replace(EMAIL, ' ').replace(PHONE, ' ');
	if (rest === text) return text;
	const line = rest.replace(EMPTY_BRACKETS, ' ').replace(/\s+/g, ' ').replace(LOOSE_ENDS, '');
	return isVisible(line) ? line : undefined;
}

const MAY_HOLD_SOME = /[@＠﹫]|\p{Nd}.*\p{Nd}/u;

// Both match only from the start of a word, a number or what is before it, so that the time grows only linearly with the length
// of a text.
const EMAIL =
	/(?<![^\s<>()[\]@＠﹫])[^\s<>()[\]@＠﹫]+(?:[@＠﹫][^\s<>()[\]]+|\s*[@＠﹫]\s*[^\s<>()[\]@＠﹫]+[.．][^\s<>()[\]@＠﹫]+)/gu;

const PHONE =
	/(?:(?<![+(＋])[+(＋]+|(?<!\p{Nd}))(?!\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}(?!\p{Nd}))\p{Nd}(?:[\s\p{Cf}\p{Pd}().+/]{0,3}\p{Nd}){6,}/gu;

const EMPTY_BRACKETS = /[<([]\s*[>)\]]/g;

const LOOSE_ENDS = /^[\s,;:|/\p{Pd}]+|(?:[\s,;:|/\p{Pd}]|(?<=\s)\.)+$/gu;
