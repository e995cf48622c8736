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
 * `null` and `false` are left out, and so is `slot`, with which Astro places the component; `true` is an attribute without a value, and `style` may be an object as in Astro. Names
 * in upper and lower case are the same attribute: the last one counts.
 */
export function attributes(values: Readonly<Record<string, unknown>>): Html {
	const written = new Map<string, string>();
	for (const [name, value] of Object.entries(values)) {
		const key = name.toLowerCase();
		if (value === undefined || value === null || value === false || !ATTRIBUTE_NAME.test(name)) continue;
		if (key === 'slot') continue;
		written.set(key, value === true ? ` ${key}` : ` ${key}="${escapeText(attributeText(key, value))}"`);
	}
	return new Html([...written.values()].join(''));
}

function attributeText(name: string, value: unknown): string {
	if (name !== 'style' || typeof value !== 'object') return String(value);
	return Object.entries(value as object)
		.map(
			([property, setting]) =>
				`${property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${setting}`,
		)
		.join(';');
}

const ATTRIBUTE_NAME = /^[a-z_:][-\w:.]*$/i;

function write(part: Part): string {
	if (typeof part === 'string') return escapeText(part);
	if (part instanceof Html) return part.toString();
	if (part === undefined || part === false) return '';
	if (typeof part === 'number') return String(part);
	let text = '';
	for (const one of part) text += write(one);
	return text;
}

/** Most texts hold nothing to escape, and the others little: one search each is faster than a look at every character. */
function escapeText(text: string): string {
	if (!SPECIAL.test(text)) return text;
	let escaped = text;
	for (const [character, reference] of REFERENCES) {
		if (escaped.includes(character)) escaped = escaped.replaceAll(character, reference);
	}
	return escaped;
}

const SPECIAL = /[&<>"'\n\r]/;

/** The ampersand is first, since the others bring one. */
const REFERENCES = [
	['&', '&amp;'],
	['<', '&lt;'],
	['>', '&gt;'],
	['"', '&quot;'],
	["'", '&#39;'],
	['\n', '&#10;'],
	// A reference to a carriage return is an error in html, and no text of a review holds one.
	['\r', ''],
] as const;
