/**
 * JSON for the content of a script element: `<`, `>` and `&` as escapes, so that no text in it ends the script or opens a
 * comment, and U+2028 and U+2029, which are line breaks to older JavaScript.
 */
export function jsonForScript(value: unknown): string {
	return JSON.stringify(value).replace(
		/[<>&\u2028\u2029]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}
