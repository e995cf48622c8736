/**
 * Text for html, in one line: `&`, `<`, `>` and both quotes escaped, every run of white space one space, control
 * characters left out.
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
