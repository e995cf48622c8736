import { isVisible } from './words.js';

/** Part of an author's name that pages show. */
export type AuthorForm = 'full' | 'first-name' | 'initials';

/**
 * Formats a name in any script. The first name is the first word, unchanged. In scripts without spaces, it is the first
 * word found by dictionary segmentation. Initials are those of at most four words.
 * @returns `undefined` if nothing is left.
 * @example formAuthor('Ada Lovelace', 'initials') // 'A. L.'
 */
export function formAuthor(name: string | undefined, form: AuthorForm): string | undefined {
	if (name === undefined || form === 'full') return name;
	const words = wordsOf(name);
	if (form === 'first-name') return words[0];
	const initials = words.flatMap((word) => initialOf(word) ?? []).slice(0, MAX_INITIALS);
	return initials.length > 0 ? initials.map((initial) => `${initial}.`).join(' ') : undefined;
}

/**
 * Returns the first name and the initial, which is as much of a name as product feeds take.
 * @returns `undefined` if nothing is left.
 * @example shortAuthor('Ada Lovelace') // 'Ada L.'
 */
export function shortAuthor(name: string | undefined): string | undefined {
	const [, plain, last] = PLAIN_NAME.exec(name ?? '') ?? [];
	if (plain !== undefined) return last === undefined ? plain : `${plain} ${last.toUpperCase()}.`;
	const [first, ...others] = wordsOf(name ?? '');
	const initial = initialOf(others.at(-1) ?? '');
	return initial === undefined ? first : `${first} ${initial}.`;
}

/** Most names: the first word, and the letter that the last one begins with. */
const PLAIN_NAME = /^([A-Za-z]+)(?: (?:[A-Za-z]+ )*([A-Za-z])[A-Za-z]*)?$/;

type Authored = readonly { readonly author?: string | undefined }[];

interface AuthoredData {
	readonly reviews: Authored;
	readonly media?: Authored;
	readonly questions?: Authored;
	readonly schema?: { readonly reviews: Authored } | undefined;
}

export function formAuthors<Data extends AuthoredData>(data: Data, form: AuthorForm = 'full'): Data {
	if (form === 'full') return data;
	const formed = (list: Authored) => list.map((item) => ({ ...item, author: formAuthor(item.author, form) }));
	const { reviews, media, questions, schema } = data;
	return {
		...data,
		reviews: formed(reviews),
		...(media && { media: formed(media) }),
		...(questions && { questions: formed(questions) }),
		...(schema && { schema: { ...schema, reviews: formed(schema.reviews) } }),
	};
}

const MAX_INITIALS = 4;

/** Returns the words that contain a letter or a digit, without the commas and brackets around them. */
function wordsOf(name: string): string[] {
	return name
		.split(/\s+/)
		.flatMap((word) => (WITHOUT_SPACES.test(word) ? segmentsOf(word, 'word') : [word]))
		.map((word) => word.replace(AROUND, ''))
		.filter((word) => LETTER.test(word));
}

/** Letters that are written alike in all languages, one code unit each. */
const PLAIN_LETTER = /^[A-Za-zÀ-ÖØ-Þà-öø-þ](?!\p{M}|\p{Cf})/u;

function initialOf(word: string): string | undefined {
	// A thousand times as fast as to segment the word.
	if (PLAIN_LETTER.test(word)) return word.charAt(0).toUpperCase();
	return segmentsOf(word, 'grapheme')
		.find((segment) => LETTER.test(segment))
		?.toLocaleUpperCase('und');
}

const segmenters: Partial<Record<'word' | 'grapheme', Intl.Segmenter>> = {};

/** Splits a text into segments. Creating a segmenter takes milliseconds, and most sites show full names. */
function segmentsOf(text: string, granularity: 'word' | 'grapheme'): string[] {
	segmenters[granularity] ??= new Intl.Segmenter('und', { granularity });
	return Array.from(segmenters[granularity].segment(text), ({ segment }) => segment);
}

const LETTER = /[\p{L}\p{N}]/u;

const AROUND = /^[\s,;:"'()<>[\]]+|[\s,;:"'()<>[\]]+$/g;

const WITHOUT_SPACES =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

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
