/**
 * Makes a text safe for a log line: removes secrets and control, format and surrogate characters, and cuts it to
 * `maxLength` characters.
 *
 * @param redact removes the secrets. It runs before the cut, because it would not recognize half a secret, and once more
 * after the other characters are removed, because those may split a secret.
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
