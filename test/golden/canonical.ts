import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

/**
 * A page as a tree, a line for each element and text. The order of attributes does not count, JSON is an object, and styles are
 * left out: they are looked at in a browser.
 */
export function pageLines(html: string): string {
	const lines: string[] = [];
	const write = (node: Node, depth: number) => {
		const line = describe(node);
		if (line) lines.push('\t'.repeat(depth) + line);
		if ('childNodes' in node && !isJson(node)) for (const child of node.childNodes) write(child, depth + 1);
	};
	for (const child of parse(html).childNodes) write(child, 0);
	return lines.join('\n');
}

function describe(node: Node): string | undefined {
	if ('value' in node) return node.value.trim() && JSON.stringify(node.value);
	if ('data' in node) return `<!--${node.data}-->`;
	if (!('attrs' in node)) return node.nodeName;
	if (node.tagName === 'style' || node.attrs.some(({ value }) => value === 'stylesheet')) return undefined;
	const attributes = node.attrs
		.map(({ name, value }) => ` ${name}=${JSON.stringify(steady(value))}`)
		.toSorted()
		.join('');
	const text = node.childNodes.map((child) => ('value' in child ? child.value : '')).join('');
	return `<${node.tagName}${attributes}>${isJson(node) ? jsonLines(JSON.parse(text)) : ''}`;
}

function isJson(node: Node): boolean {
	return 'attrs' in node && node.attrs.some(({ name, value }) => name === 'type' && value.endsWith('json'));
}

/** Keys whose values differ from one run to the next, or with the version. */
const OF_A_RUN = /^(?:version|ms|\w+Ms|seconds|bytes|\w+At|digest|key|account|length)$/;

/** Lists in the order in which a build came to their parts. */
const UNORDERED = new Set(['products', 'pages', 'findings', 'kept']);

/** An object with its keys in order, without what differs from one run to the next. */
export function jsonLines(value: unknown): string {
	return JSON.stringify(value, withSortedKeys, '\t');
}

function withSortedKeys(key: string, value: unknown): unknown {
	if (typeof value === 'string') return steady(value);
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) {
		if (!UNORDERED.has(key)) return value;
		const texts = value.map((part) => jsonLines(part)).toSorted();
		return texts.map((text) => JSON.parse(text));
	}
	const entries = Object.entries(value).filter(([key]) => !OF_A_RUN.test(key));
	return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A text without what differs from one run to the next, or with the version of Astro or Node. */
export function steady(text: string): string {
	return text
		.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1')
		.replace(/(?:\b\d+(?:\.\d+)? (?:m?s|min) to )?\b\d+(?:\.\d+)? (?:m?s|min)\b(?= ago|$)/gm, 'some time')
		.replace(/\b\d+(?:\.\d+)? (?:KB|MB|bytes)\b/g, 'some bytes')
		.replace(/^(?:Astro )?v?\d+\.\d+\.\d+$/gm, 'a version')
		.replace(/(?<=version )\d+\.\d+\.\d+/g, 'x')
		.replace(/(?:'sha256-[\w+/=]+' ?)+/g, "'sha256' ")
		.replace(/(?<=\/_astro\/[^"]*\.)[\w-]{8}(?=\.\w+$)/, 'hash');
}
