/** Html that is safe to print: made by the {@link html} template only. */
export class Html {
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	toString(): string {
		return this.#text;
	}
}

/** What may stand in a template: text is escaped, `undefined` and `false` are nothing. */
export type Part = Html | string | number | false | undefined | readonly Part[];

/**
 * The one place where text becomes html. Every value is escaped for an element's content and for a quoted attribute
 * alike; only what this template made goes in as it is. A line break becomes a character reference, so that a block
 * stays on one line in the page's source.
 *
 * @example html`<p title="${title}">${body}</p>`.toString()
 */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
	let text = strings[0] ?? '';
	for (let index = 0; index < parts.length; index++) {
		text += write(parts[index]) + (strings[index + 1] ?? '');
	}
	return new Html(text);
}

/**
 * Attributes of a root element that the merchant's page gives, such as `class`, `id` or `data-*`. Values of `undefined`,
 * `null` and `false` are left out, `true` is an attribute without a value.
 */
export function attributes(values: Readonly<Record<string, unknown>>): Html {
	const written = Object.entries(values).flatMap(([name, value]) => {
		if (value === undefined || value === null || value === false || !ATTRIBUTE_NAME.test(name)) return [];
		return value === true ? [` ${name}`] : [` ${name}="${escapeText(String(value))}"`];
	});
	return new Html(written.join(''));
}

const ATTRIBUTE_NAME = /^[a-z_:][-\w:.]*$/i;

function write(part: Part): string {
	if (part instanceof Html) return part.toString();
	if (part === undefined || part === false) return '';
	if (typeof part === 'object') return part.map(write).join('');
	return escapeText(String(part));
}

function escapeText(text: string): string {
	return text.replace(/[&<>"'\n\r]/g, (character) => ESCAPES[character] ?? '');
}

const ESCAPES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
	'\n': '&#10;',
	'\r': '&#13;',
};
