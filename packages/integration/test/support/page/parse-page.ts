import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import type { FoundElement } from './elements.js';
import { isAddressComment } from './our-markup.js';

/** An element of a page as a browser would find it. */
export interface PageElement extends FoundElement {
	readonly children: readonly PageElement[];
	/** Its text, without that of its children. */
	readonly ownText: string;
}

/** A whole page as a browser would find it. */
export interface ParsedPage {
	readonly html: PageElement;
	/** Without those that stand for components with nothing to show. */
	readonly comments: number;
}

/** Parses a whole page, as a browser does: what leaves the element it was put into is found where it went. */
export function parsePage(page: string): ParsedPage {
	const count = { comments: 0 };
	const [html] = toChildren(parse(page), count);
	if (!html) throw new Error('The page has no element.');
	return { html, comments: count.comments };
}

/** Every element below one, in document order. */
export function* elementsBelow(element: PageElement): Generator<PageElement> {
	for (const child of element.children) {
		yield child;
		yield* elementsBelow(child);
	}
}

/** Every element below one that has a class. */
export function withClass(element: PageElement, name: string): PageElement[] {
	return [...elementsBelow(element)].filter(({ attributes }) =>
		attributes['class']?.split(' ').includes(name),
	);
}

function toChildren(parent: DefaultTreeAdapterTypes.ParentNode, count: { comments: number }): PageElement[] {
	return parent.childNodes.flatMap((node) => {
		if (defaultTreeAdapter.isCommentNode(node) && !isAddressComment(node.data)) count.comments += 1;
		if (!defaultTreeAdapter.isElementNode(node)) return [];
		const children = toChildren(node, count);
		const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
		const texts = node.childNodes.filter((child) => defaultTreeAdapter.isTextNode(child));
		const ownText = texts.map(({ value }) => value).join('');
		return [{ tag: node.tagName, attributes, children, ownText }];
	});
}
