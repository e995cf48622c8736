/** How much of an author's name pages show. */
export type AuthorForm = 'full' | 'first' | 'initials';

/**
 * Formats a name in any script. The first name is the first word, unchanged. In scripts without spaces, it is the first
 * word found by dictionary segmentation. Initials are those of at most four words.
 * @returns `undefined` if nothing is left.
 * @example formAuthor('Ada Lovelace', 'initials') // 'A. L.'
 */
export function formAuthor(name: string | undefined, form: AuthorForm): string | undefined {
	if (name === undefined || form === 'full') return name;
	const words = wordsOf(name);
	if (form === 'first') return words[0];
	const initials = words.flatMap((word) => initialOf(word) ?? []).slice(0, MOST_INITIALS);
	return initials.length > 0 ? initials.map((initial) => `${initial}.`).join(' ') : undefined;
}

const MOST_INITIALS = 4;

/** Words that contain a letter or a digit, without the commas and brackets around them. */
function wordsOf(name: string): string[] {
	return name
		.split(/\s+/)
		.flatMap((word) => (WITHOUT_SPACES.test(word) ? segmentsOf(word) : [word]))
		.map((word) => word.replace(AROUND, ''))
		.filter((word) => LETTER.test(word));
}

function segmentsOf(text: string): string[] {
	return Array.from(segmenter('word').segment(text), ({ segment }) => segment);
}

/** The first visible letter, with its accents. */
function initialOf(word: string): string | undefined {
	for (const { segment } of segmenter('grapheme').segment(word)) {
		if (LETTER.test(segment)) return segment.toLocaleUpperCase('und');
	}
	return undefined;
}

const segmenters: Partial<Record<'word' | 'grapheme', Intl.Segmenter>> = {};

/** Creating one takes milliseconds, and most sites show full names. */
function segmenter(granularity: 'word' | 'grapheme'): Intl.Segmenter {
	segmenters[granularity] ??= new Intl.Segmenter('und', { granularity });
	return segmenters[granularity];
}

const LETTER = /[\p{L}\p{N}]/u;
const AROUND = /^[\s,;:"'()<>[\]]+|[\s,;:"'()<>[\]]+$/g;
const WITHOUT_SPACES =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
