/** Text as html that says the same: what the service is to make of a stranger's text, and may forget to. */
export function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (character) => REFERENCES[character] ?? character);
}

const REFERENCES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** JSON that a script element can hold, whatever is in it. */
export function scriptJson(value: unknown): string {
	return JSON.stringify(value).replaceAll('<', '\\u003c');
}
