/**
 * Escapes text for html, on one line: escapes `&`, `<`, `>` and both quotes, collapses white space, and removes control
 * characters.
 */
export function escapeHtml(text: string): string {
	return text
		.replace(/[\s\u2028\u2029]+/g, ' ')
		.replace(CONTROL, '')
		.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const CONTROL = /\p{Cc}/gu;
