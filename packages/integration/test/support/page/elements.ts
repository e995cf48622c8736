import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parseFragment } from 'parse5';

export interface FoundElement {
	readonly tag: string;
	readonly attributes: Readonly<Record<string, string>>;
}

/** A node and all below it, in document order. With a loop, as a page that went wrong may be of any depth. */
export function* nodesOf(root: DefaultTreeAdapterTypes.Node): Generator<DefaultTreeAdapterTypes.Node> {
	const waiting = [root];
	for (let node = waiting.pop(); node; node = waiting.pop()) {
		yield node;
		if ('childNodes' in node) waiting.push(...node.childNodes.toReversed());
	}
}

export function toFound({ tagName, attrs }: DefaultTreeAdapterTypes.Element): FoundElement {
	return { tag: tagName, attributes: Object.fromEntries(attrs.map(({ name, value }) => [name, value])) };
}

/** Everything that a parser finds in html: its elements in document order, its text, and how many comments. */
export function findElements(html: string): { elements: FoundElement[]; text: string; comments: number } {
	const nodes = [...nodesOf(parseFragment(html))];
	return {
		elements: nodes.filter((node) => defaultTreeAdapter.isElementNode(node)).map(toFound),
		text: nodes.map((node) => (defaultTreeAdapter.isTextNode(node) ? node.value : '')).join(''),
		comments: nodes.filter((node) => defaultTreeAdapter.isCommentNode(node)).length,
	};
}

const ANYTHING = /^/;
const AUTO = /^auto$/;

/** The address of what a component writes: the product, encoded, and the key of the request. */
const ADDRESS = /^[^\s<>"&]+ [a-z0-9]{8}(?:\.[a-z]+)?$/;

const ROOTS = new Set(['div', 'section', 'details', 'span', 'script']);

/** Every element that our templates write, every attribute that it may have, and the values of that attribute. */
const OURS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
	div: {
		class: /^(?:pr-groups|product-reviews_\S+|review-(?:item|product|author|rating|title|body|date))$/,
		dir: AUTO,
		'data-id': ANYTHING,
		'data-block-handle': ANYTHING,
		'data-display': /^hidden$/,
		'aria-hidden': /^true$/,
	},
	a: { class: /^review-product-link$/, href: /^https?:\/\/[^\s<>"]+$/, tabindex: /^-1$/, dir: AUTO },
	section: { class: /^pr-product-reviews$/, 'aria-label': ANYTHING, 'data-display': /^visible$/ },
	details: { class: /^pr-product-reviews$/, 'aria-label': ANYTHING, 'data-display': /^details$/ },
	summary: { class: /^pr-summary$/ },
	h2: { class: /^pr-heading$/, dir: AUTO },
	h3: { class: /^pr-title$/, dir: AUTO },
	p: { class: /^pr-(?:summary|shown|head|body|meta)$/, dir: AUTO },
	ol: { class: /^pr-items$/, role: /^list$/ },
	li: { class: /^pr-item$/, 'data-stars': /^[0-5]$/, 'data-foreign': /^$/ },
	article: { class: /^pr-review$/ },
	span: {
		class: /^(?:pr-author|pr-star-rating|pr-value|pr-count|pr-summary-text)$/,
		dir: AUTO,
		role: /^img$/,
		'aria-hidden': /^true$/,
		'aria-label': /^\d(?:\.\d)? out of 5 stars$/,
	},
	bdi: {},
	svg: {
		class: /^pr-stars$/,
		width: /^5\.4em$/,
		height: /^1em$/,
		role: /^img$/,
		'aria-hidden': /^true$/,
		'aria-label': /^\d(?:\.\d)? out of 5 stars$/,
	},
	rect: { width: /^\d+(?:\.\d)?%$/ },
	label: { class: /^pr-expand$/ },
	input: { class: /^pr-toggle$/, type: /^checkbox$/ },
	time: { class: /^pr-date$/, datetime: /^\d{4}-\d{2}-\d{2}$/ },
};

/** Whether our templates may have written an element: no other attribute, and no other value of one. */
export function isOurs({ tag, attributes }: FoundElement): boolean {
	const known = Object.hasOwn(OURS, tag) ? OURS[tag] : undefined;
	return (
		known !== undefined &&
		Object.entries(attributes).every(
			([name, value]) =>
				(name === 'data-pr' && ROOTS.has(tag) && ADDRESS.test(value)) ||
				(Object.hasOwn(known, name) && known[name]?.test(value)),
		)
	);
}
