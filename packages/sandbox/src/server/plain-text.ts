/** The longest id or path that a line shows, in UTF-16 code units. */
const MAXIMUM_LENGTH = 120;

/**
 * A text as a line of a log may show it: cut off, and without control, format (right-to-left overrides among them) and
 * line characters, which could forge or hide lines.
 */
export function plainText(text: string): string {
	const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
	return plain.length > MAXIMUM_LENGTH ? `${plain.slice(0, MAXIMUM_LENGTH)}…` : plain;
}
