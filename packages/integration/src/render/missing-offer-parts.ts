import type { OfferPart } from './facts.js';
import { isGiven, isNode, isReference, listOf, type Node } from './own-product.js';

/**
 * What search engines need in offers and do not find. An offer that refers to a node elsewhere, or is a URL, cannot be
 * checked and gets the benefit of the doubt.
 * @param offers the value of `offers` of a Product node: an offer, or several.
 * @see https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
 * @example missingOfferParts({ price: 19.9 }) // ['priceCurrency']
 */
export function missingOfferParts(offers: unknown): OfferPart[] {
	const written = listOf(offers).filter((offer) => isNode(offer) && !isReference(offer)) as Node[];
	return PARTS.filter((part) => written.some((offer) => !has(offer, part)));
}

const PARTS = ['price', 'priceCurrency'] as const satisfies readonly OfferPart[];

const PROPERTIES: Readonly<Record<OfferPart, readonly string[]>> = {
	price: ['price', 'lowPrice'],
	priceCurrency: ['priceCurrency'],
};

function has(offer: Node, part: OfferPart): boolean {
	const isIn = (node: Node) => PROPERTIES[part].some((name) => isGiven(node[name]));
	if (isIn(offer)) return true;
	const specifications = listOf(offer['priceSpecification']).filter(isNode);
	return specifications.some((node) => isReference(node) || isIn(node));
}
