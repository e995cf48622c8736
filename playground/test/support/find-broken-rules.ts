import { readNodes, type StatedNode } from './structured-data.ts';

/** Maximum length of an author's name, in characters; search engines reject longer ones. */
const MAX_AUTHOR_LENGTH = 99;

/** Checks the structured data of a page against rules that no validator checks. Returns a line for each broken rule. */
export function findBrokenRules(html: string): string[] {
	const tops = readNodes(html);
	const nodes = tops.flatMap((node) => [...nodesIn(node, String(node['@type']))]);
	return [
		...checkPage(tops, nodes),
		...nodes.flatMap(({ node, place }) =>
			[...(RULES[String(node['@type'])]?.(node) ?? [])].map((problem) => `${place}: ${problem}`),
		),
	];
}

interface PlacedNode {
	readonly node: StatedNode;
	/** Such as `Product.review[0].author`. */
	readonly place: string;
}

const RULES: Readonly<Record<string, (node: StatedNode) => Iterable<string>>> = {
	Product: checkProduct,
	AggregateRating: checkAggregateRating,
	Rating: checkRating,
	Review: checkReview,
};

function* checkPage(tops: readonly StatedNode[], nodes: readonly PlacedNode[]) {
	for (const { '@context': context } of tops) {
		if (!/^https?:\/\/schema\.org\/?$/.test(String(context))) yield `@context is ${context}`;
	}
	const products = nodes.filter(({ node }) => node['@type'] === 'Product').length;
	if (products > 1) yield `${products} products on one page`;
}

function* checkProduct({ aggregateRating, review }: StatedNode) {
	if (review === undefined) return;
	const listed = [review].flat().length;
	const counted = toNumber((aggregateRating as StatedNode | undefined)?.['reviewCount'] ?? 0);
	if (listed === 0) yield 'an empty list of reviews';
	if (!(listed <= counted)) yield `${listed} reviews listed, ${counted} counted`;
}

function* checkAggregateRating(node: StatedNode) {
	for (const name of ['reviewCount', 'ratingCount']) {
		const count = node[name];
		if (count !== undefined && !(Number.isInteger(count) && Number(count) >= 1)) yield `${name} is ${count}`;
	}
	yield* checkRating(node);
}

function* checkRating({ ratingValue, worstRating, bestRating }: StatedNode) {
	const value = toNumber(ratingValue);
	const isInside = value >= toNumber(worstRating) && value <= toNumber(bestRating);
	if (!isInside) yield `rated ${ratingValue} on a scale from ${worstRating} to ${bestRating}`;
}

function* checkReview({ author, datePublished }: StatedNode) {
	const name = (author as StatedNode | undefined)?.['name'];
	const length = typeof name === 'string' ? [...name.trim()].length : 0;
	if (length === 0 || length > MAX_AUTHOR_LENGTH) yield `an author with a name of ${length} characters`;
	if (datePublished !== undefined && !isPastDay(datePublished)) yield `published on ${datePublished}`;
}

/** Strictly `YYYY-MM-DD`, a day that exists, and not in the future. */
function isPastDay(text: unknown): boolean {
	if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const time = Date.parse(`${text}T00:00:00Z`);
	return time <= Date.now() && new Date(time).toISOString().startsWith(text);
}

/** Converts a number, or a number as text; anything else is `NaN`. */
function toNumber(value: unknown): number {
	return /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : Number.NaN;
}

/** A node and all of its descendants. */
function* nodesIn(value: unknown, place: string): Generator<PlacedNode> {
	if (Array.isArray(value)) {
		for (const [index, item] of value.entries()) yield* nodesIn(item, `${place}[${index}]`);
	} else if (typeof value === 'object' && value !== null) {
		yield { node: value as StatedNode, place };
		for (const [name, item] of Object.entries(value)) yield* nodesIn(item, `${place}.${name}`);
	}
}
