/** Maximum length of an id or path in a log line, in UTF-16 code units. */
const MAXIMUM_LENGTH = 120;

/**
 * Makes a text safe for a log line: shortens it, and removes control, format (such as right-to-left overrides) and line
 * characters, which could forge or hide lines.
 */
export function plainText(text: string): string {
	const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
	return plain.length > MAXIMUM_LENGTH ? `${plain.slice(0, MAXIMUM_LENGTH)}…` : plain;
}
