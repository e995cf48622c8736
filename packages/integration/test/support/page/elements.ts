import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';

/** One element of parsed html, as a test looks at it. */
export interface FoundElement {
	readonly tag: string;
	readonly attributes: Readonly<Record<string, string>>;
}

/** Everything that a parser finds in html: its elements in document order, its text, and how many comments. */
export function findElements(html: string): { elements: FoundElement[]; text: string; comments: number } {
	const elements: FoundElement[] = [];
	let text = '';
	let comments = 0;
	const waiting: DefaultTreeAdapterTypes.Node[] = [parseFragment(html)];
	for (let node = waiting.pop(); node; node = waiting.pop()) {
		if (defaultTreeAdapter.isTextNode(node)) text += node.value;
		if (defaultTreeAdapter.isCommentNode(node)) comments += 1;
		if (defaultTreeAdapter.isElementNode(node)) {
			const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
			elements.push({ tag: node.tagName, attributes });
		}
		if ('childNodes' in node) waiting.push(...node.childNodes.toReversed());
	}
	return { elements, text, comments };
}
