/**
 * A text that is safe in one line of a log: control, format and surrogate characters are left out, and what is
 * longer than `maxLength` characters is cut.
 *
 * @example printable('p-1\u001b[31m', 80) // 'p-1[31m'
 */
export function printable(text: string, maxLength: number): string {
	const characters = [...text.slice(0, maxLength * 4).replace(UNPRINTABLE, '')];
	if (characters.length <= maxLength) return characters.join('');
	return `${characters.slice(0, maxLength - 1).join('')}…`;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
