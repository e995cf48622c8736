import { isNode, type Node } from '../render/own-product.js';
import type { PageMarkup } from './markup.js';
import type { MarkupRule } from './rule.js';

/** Judges all parts of one kind. A page without any has nothing that the rule is about. */
export function eachPart<Part extends { readonly name: string }>(
	of: (markup: PageMarkup) => readonly Part[],
	isKept: (part: Part) => boolean,
): MarkupRule['judge'] {
	return (markup) => {
		const parts = of(markup);
		const broken = parts.filter((part) => !isKept(part)).map(({ name }) => name);
		return { isAbout: parts.length > 0, broken };
	};
}

/** The first node in a value, which may be a list. */
export function firstNode(value: unknown): Node | undefined {
	return [value].flat().find(isNode);
}

/** Whether a value is a whole number above zero. */
export function isCount(value: unknown): boolean {
	const count = toNumber(value);
	return count !== undefined && Number.isInteger(count) && count >= 1;
}

/** A number, or a string that is one: structured data has both. */
export function toNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
	return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}
