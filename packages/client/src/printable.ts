/**
 * A text that is safe in one line of a log: secrets, control, format and surrogate characters are left out, and what is
 * longer than `maxLength` characters is cut.
 *
 * @param redact takes the secrets out of a text. It sees the whole text: half a secret would pass it. And it sees the text
 * without the characters that are left out, which may stand between those of a secret.
 * @example printable('p-1\u001b[31m', 80) // 'p-1[31m'
 */
export function printable(
	text: string,
	maxLength: number,
	redact: (text: string) => string = (same) => same,
): string {
	const clean = redact(redact(text).replace(UNPRINTABLE, ''));
	// A character is one or two code units.
	const characters = [...clean.slice(0, (maxLength + 1) * 2)];
	if (characters.length <= maxLength) return characters.join('');
	return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** {@link printable} without the secrets of one client. */
export type Show = (text: string, maxLength: number) => string;

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
