import { hasProductType, isNode, type Node } from '../render/render-review-schema.js';
import { plainLine } from '../text/words.js';

/** What a browser reads from a finished page. */
export interface GivenMarkup {
	/** Texts of its JSON-LD scripts. */
	readonly scripts: readonly string[];
	/** Types of its microdata items, such as `https://schema.org/Product`. */
	readonly microdata: readonly string[];
	/** Whether the page asks search engines not to list it. */
	readonly isNoindex: boolean;
}

/** One JSON-LD script. */
interface MarkupScript {
	/** @example 'script 1' */
	readonly name: string;
	readonly text: string;
	/** `undefined` if the text is not valid JSON. */
	readonly value: unknown;
}

/** A node somewhere in the JSON-LD. */
export interface MarkupNode {
	/** For messages. @example 'review 2 of "Kettle"' */
	readonly name: string;
	readonly node: Node;
	/** The node that it is a property of; `undefined` if it stands alone. */
	readonly owner: Node | undefined;
}

/** The structured data of a page. */
export interface PageMarkup extends Omit<GivenMarkup, 'scripts'> {
	readonly scripts: readonly MarkupScript[];
	/** Products that are not part of another node. Nodes with the same `@id` are merged, as search engines do. */
	readonly products: readonly MarkupNode[];
	/** Every aggregate rating. */
	readonly ratings: readonly MarkupNode[];
	/** Every review. */
	readonly reviews: readonly MarkupNode[];
}

/** Depth at which nodes are no longer read. Reviews are three levels deep. */
const MOST_DEPTH = 64;

/** Reads the structured data of a page. Never throws: what cannot be read breaks a rule. */
export function readMarkup({ scripts: texts, microdata, isNoindex }: GivenMarkup): PageMarkup {
	const scripts = texts.map((text, index) => ({ name: `script ${index + 1}`, text, value: parse(text) }));
	const roots = scripts.flatMap(({ value }) => rootsOf(value));
	const found = [...walk(roots)];
	const products = roots.filter((node) => hasProductType(typesOf(node)) && !('isVariantOf' in node));
	return {
		scripts,
		microdata,
		isNoindex,
		products: mergeById(products).map((node) => ({ name: nameOf(node), node, owner: undefined })),
		ratings: named(found.filter(isOf('AggregateRating', ['aggregateRating'])), () => 'rating'),
		reviews: named(found.filter(isOf('Review', ['review', 'reviews'])), (number) => `review ${number}`),
	};
}

/** Whether something found is of a kind: by its property or, if it stands alone, by its type. */
function isOf(type: string, keys: readonly string[]): (found: Found) => boolean {
	return ({ key, node }) => (key === undefined ? typesOf(node).includes(type) : keys.includes(key));
}

/** @param nameIt returns the name of the nth of its owner. */
function named(found: readonly Found[], nameIt: (number: number) => string): MarkupNode[] {
	return [...Map.groupBy(found, ({ owner }) => owner)].flatMap(([owner, nodes]) =>
		nodes.map(({ node }, index) => ({
			node,
			owner,
			name: nameIt(index + 1) + (owner ? ` of ${nameOf(owner)}` : ''),
		})),
	);
}

/** Types of a node, without the address of the vocabulary. */
export function typesOf(node: Node): string[] {
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

interface Found {
	readonly node: Node;
	/** The property of the owner. */
	readonly key: string | undefined;
	readonly owner: Node | undefined;
	readonly depth: number;
}

/** All nodes below these. A loop, because a recursive function could overflow the stack. */
function* walk(roots: readonly Node[]): Generator<Found> {
	const waiting: Found[] = roots.map((node) => ({ node, key: undefined, owner: undefined, depth: 0 }));
	for (let at = 0; at < waiting.length; at++) {
		const found = waiting[at] as Found;
		yield found;
		if (found.depth >= MOST_DEPTH) continue;
		for (const [key, value] of Object.entries(found.node)) {
			// What a page is about was already found as a node that stands alone.
			if (key === 'mainEntity' && found.depth === 0) continue;
			for (const node of [value].flat().filter(isNode)) {
				waiting.push({ node, key, owner: found.node, depth: found.depth + 1 });
			}
		}
	}
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
