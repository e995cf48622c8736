/**
 * JSON for the content of a script element: `<`, `>` and `&` as escapes, so that no text in it ends the script or opens a
 * comment, and U+2028 and U+2029, which are line breaks to older JavaScript.
 */
export function jsonForScript(value: unknown): string {
	return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => ESCAPES[character] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = {
	'<': '\\u003c',
	'>': '\\u003e',
	'&': '\\u0026',
	'\u2028': '\\u2028',
	'\u2029': '\\u2029',
};
