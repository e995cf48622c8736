/** Html that is safe to output. Only the {@link html} template creates it. */
export class Html {
	readonly #text: string;

	constructor(text: string) {
		this.#text = text;
	}

	toString(): string {
		return this.#text;
	}
}

/** A value in a template. Text is escaped; `undefined` and `false` are omitted. */
export type Part = Html | string | number | false | undefined | readonly Part[];

/**
 * Makes html of text, in one place for all. Every value is escaped for both element content and quoted attributes. Only the
 * template's own output is inserted unescaped. Line breaks become character references, so a block stays on one line in
 * the page's source.
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
 * Writes the attributes that the merchant's page sets on a root element, such as `class`, `id` or `data-*`. Values of
 * `undefined`, `null` and `false` are omitted, as is `slot`, which Astro uses to place the component. `true` becomes an
 * attribute without a value, and `style` may be an object, as in Astro. Names are case-insensitive; the last one wins.
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

function escapeText(text: string): string {
	return SPECIAL.test(text) ? replaceEach(REFERENCES, text) : text;
}

const SPECIAL = /[&<>"'\n\r]/;

/** The ampersand comes first because the other references contain one. */
const REFERENCES = [
	['&', '&amp;'],
	['<', '&lt;'],
	['>', '&gt;'],
	['"', '&quot;'],
	["'", '&#39;'],
	['\n', '&#10;'],
	// A reference to a carriage return is an error in html, and no review text contains one.
	['\r', ''],
] as const;

/** The `id` of the script element with the JSON-LD, as the service documents it. */
export const SCHEMA_SCRIPT_ID = 'ServiceReviewSchemaJson';

/**
 * Writes JSON for the content of a script element. `<`, `>` and `&` are escaped so that no text ends the script or opens a
 * comment, and U+2028 and U+2029 because they are line breaks in older JavaScript.
 */
export function jsonForScript(value: unknown): string {
	return replaceEach(ESCAPES, JSON.stringify(value));
}

const ESCAPES = [
	['<', '\\u003c'],
	['>', '\\u003e'],
	['&', '\\u0026'],
	['\u2028', '\\u2028'],
	['\u2029', '\\u2029'],
] as const;

/** Replaces characters. Most texts have few of them, so to search for each in turn is faster than one expression for all. */
function replaceEach(replacements: readonly (readonly [string, string])[], text: string): string {
	let replaced = text;
	for (const [character, replacement] of replacements) {
		if (replaced.includes(character)) replaced = replaced.replaceAll(character, replacement);
	}
	return replaced;
}
