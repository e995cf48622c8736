import { hasProductType, isNode, type Node } from '../render/render-review-schema.js';
import { plainLine } from '../text/words.js';

export interface GivenMarkup {
	readonly scripts: readonly string[];
	/** Types of its microdata items, such as `https://schema.org/Product`. */
	readonly microdata: readonly string[];
	readonly isNoindex: boolean;
}

interface MarkupScript {
	/** @example 'script 1' */
	readonly name: string;
	readonly text: string;
	/** `undefined` if the text is not valid JSON. */
	readonly value: unknown;
}

interface MarkupProduct {
	readonly name: string;
	readonly node: Node;
}

export interface PageMarkup extends Omit<GivenMarkup, 'scripts'> {
	readonly scripts: readonly MarkupScript[];
	/** Products that are not part of another node. Nodes with the same `@id` are merged, as search engines do. */
	readonly products: readonly MarkupProduct[];
}

/** Reads the structured data of a page. Never throws: what cannot be read breaks a rule. */
export function readMarkup({ scripts: texts, microdata, isNoindex }: GivenMarkup): PageMarkup {
	const scripts = texts.map((text, index) => ({ name: `script ${index + 1}`, text, value: parse(text) }));
	const products = scripts
		.flatMap(({ value }) => rootsOf(value))
		.filter((node) => hasProductType(typesOf(node)) && !('isVariantOf' in node));
	return {
		scripts,
		microdata,
		isNoindex,
		products: mergeById(products).map((node) => ({ name: nameOf(node), node })),
	};
}

/** Types of a node, without the address of the vocabulary. */
function typesOf(node: Node): string[] {
	return [node['@type']].flat().map((type) => String(type).replace(/^.*[/:]/, ''));
}

/** Nodes that stand alone: elements of lists and graphs, and what a page says that it is about. */
function rootsOf(value: unknown): Node[] {
	return [value]
		.flat()
		.flatMap((one) => (isNode(one) && '@graph' in one ? [one['@graph']].flat() : [one]))
		.filter(isNode)
		.flatMap((node) => [node, ...[node['mainEntity']].flat().filter(isNode)]);
}

function mergeById(nodes: readonly Node[]): Node[] {
	const merged = new Map<unknown, Node>();
	for (const node of nodes) {
		const id = node['@id'] ?? node;
		merged.set(id, { ...merged.get(id), ...node });
	}
	return [...merged.values()];
}

const MOST_LETTERS = 60;

function nameOf(node: Node): string {
	const name = node['name'] ?? node['@id'] ?? typesOf(node)[0];
	return `"${plainLine(String(name), MOST_LETTERS)}"`;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
