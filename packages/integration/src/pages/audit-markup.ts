import { plainLine } from '../base/words.js';
import { isNode, type Node } from '../render/read-product.js';
import { hasProductType } from '../render/render-review-schema.js';

export interface GivenMarkup {
	readonly scripts: readonly string[];
	/** Types of the microdata items, such as `https://schema.org/Product`. */
	readonly microdata: readonly string[];
	readonly isNoindex: boolean;
}

export type PageMarkup = ReturnType<typeof readMarkup>;

/**
 * Reads the structured data of a page. Never throws: what cannot be read breaks a rule. The value of a script is `undefined`
 * if its text is not valid JSON. Products are those that are not part of another node.
 */
export function readMarkup({ scripts: texts, ...others }: GivenMarkup) {
	const scripts = texts.map((text, index) => ({ name: `script ${index + 1}`, text, value: parse(text) }));
	const nodes = scripts
		.flatMap(({ value }) => rootsOf(value))
		.filter((node) => hasProductType(typesOf(node)) && !('isVariantOf' in node));
	const products = mergeById(nodes).map((node) => ({ name: nameOf(node), node }));
	return { ...others, scripts, products };
}

/** Returns the types of a node, without the address of the vocabulary. */
function typesOf(node: Node): string[] {
	return [node['@type']].flat().map((type) => String(type).replace(/^.*[/:]/, ''));
}

/** Returns the nodes that stand alone: elements of lists and graphs, and what a page says that it is about. */
function rootsOf(value: unknown): Node[] {
	return [value]
		.flat()
		.flatMap((one) => (isNode(one) && '@graph' in one ? [one['@graph']].flat() : [one]))
		.filter(isNode)
		.flatMap((node) => [node, ...[node['mainEntity']].flat().filter(isNode)]);
}

/** Merges nodes with the same `@id`, as search engines do. */
function mergeById(nodes: readonly Node[]): Node[] {
	const merged = new Map<unknown, Node>();
	for (const node of nodes) {
		const id = node['@id'] ?? node;
		merged.set(id, { ...merged.get(id), ...node });
	}
	return [...merged.values()];
}

function nameOf(node: Node): string {
	const name = node['name'] ?? node['@id'] ?? typesOf(node)[0];
	return `"${plainLine(String(name), 60)}"`;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
