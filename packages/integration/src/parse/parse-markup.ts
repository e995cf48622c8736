import {
	type DefaultTreeAdapterMap,
	type DefaultTreeAdapterTypes,
	defaultTreeAdapter,
	html,
	Parser,
} from 'parse5';
import { ReviewPayloadError } from '../errors.js';
import { MAX_DEPTH, MAX_ELEMENTS } from './field-reader.js';

/**
 * Parses markup as a browser does. Elements are counted while they are created, because the parser repeats unclosed
 * formatting in every block, which can turn 30 KB of html into millions of elements. It is fed in pieces.
 * @param what names the markup at the start of a message.
 * @throws ReviewPayloadError if it creates more elements than {@link MAX_ELEMENTS}, or far more than one piece can contain.
 */
export function parseMarkup(markup: string, what: string): DefaultTreeAdapterTypes.DocumentFragment {
	let elements = 0;
	let maxNow = MAX_PER_PIECE;
	const treeAdapter: typeof defaultTreeAdapter = {
		...defaultTreeAdapter,
		createElement(tagName, namespaceURI, attributes) {
			elements += 1;
			if (elements > MAX_ELEMENTS || elements > maxNow) {
				throw new ReviewPayloadError(
					elements > MAX_ELEMENTS
						? `${what} creates more than ${MAX_ELEMENTS} elements.`
						: `${what} creates more than ${MAX_PER_PIECE} elements from ${PIECE} characters.`,
					'Check what the service sends for this product.',
				);
			}
			return defaultTreeAdapter.createElement(tagName, namespaceURI, attributes);
		},
	};
	const parser = Parser.getFragmentParser<DefaultTreeAdapterMap>(null, { treeAdapter });
	for (let start = 0; start === 0 || start < markup.length; start += PIECE) {
		maxNow = elements + MAX_PER_PIECE;
		parser.tokenizer.write(markup.slice(start, start + PIECE), start + PIECE >= markup.length);
	}
	return parser.getFragment();
}

/** Length of the pieces that the parser is fed, in UTF-16 code units. */
const PIECE = 16_384;

/** Most elements from one piece, which itself can contain 5,000. Unclosed formatting elements are repeated. */
const MAX_PER_PIECE = 40_000;

type ParentNode = DefaultTreeAdapterTypes.ParentNode;

export type Element = DefaultTreeAdapterTypes.Element;

/** Elements whose content is not visible as text, or that change how it is parsed. */
const DROPPED = new Set(
	'script style template noscript iframe object embed svg math xmp plaintext title textarea noembed noframes select option head frameset'.split(
		' ',
	),
);

/**
 * Walks the elements below `root` in document order. It is a loop, because nesting in untrusted html could overflow the stack
 * of a recursive walk. Dropped elements and those of other namespaces are skipped.
 * @param visit returns whether to descend into the element.
 * @throws ReviewPayloadError if elements are nested deeper than {@link MAX_DEPTH}.
 */
export function walkElements(root: ParentNode, visit: (element: Element) => boolean): void {
	const stack: { node: ParentNode; next: number }[] = [{ node: root, next: 0 }];
	for (let top = stack.at(-1); top; top = stack.at(-1)) {
		const child = top.node.childNodes[top.next++];
		if (!child) {
			stack.pop();
		} else if (defaultTreeAdapter.isElementNode(child) && isReadable(child) && visit(child)) {
			if (stack.length >= MAX_DEPTH) throw tooDeep();
			stack.push({ node: child, next: 0 });
		}
	}
}

/** The text below an element, except that of dropped elements. A `br` is a line break. */
export function textOf(element: ParentNode): string {
	const parts: string[] = [];
	const stack: { node: ParentNode; next: number }[] = [{ node: element, next: 0 }];
	for (let top = stack.at(-1); top; top = stack.at(-1)) {
		const child = top.node.childNodes[top.next++];
		if (!child) {
			stack.pop();
		} else if (defaultTreeAdapter.isTextNode(child)) {
			parts.push(child.value);
		} else if (defaultTreeAdapter.isElementNode(child) && isReadable(child)) {
			if (child.tagName === 'br') parts.push('\n');
			if (stack.length >= MAX_DEPTH) throw tooDeep();
			stack.push({ node: child, next: 0 });
		}
	}
	return parts.join('');
}

/** Value of an attribute; `undefined` if the element does not have it. */
export function attribute(element: Element, name: string): string | undefined {
	return element.attrs.find((candidate) => candidate.name === name)?.value;
}

/** The classes of an element. */
export function classes(element: Element): string[] {
	return attribute(element, 'class')?.split(/[\t\n\f\r ]+/) ?? [];
}

function isReadable(element: Element): boolean {
	return element.namespaceURI === html.NS.HTML && !DROPPED.has(element.tagName);
}

function tooDeep(): ReviewPayloadError {
	return new ReviewPayloadError(
		`The html of the reviews nests elements deeper than ${MAX_DEPTH} levels.`,
		'The service documents four levels. Check what it sends for this product.',
	);
}
