import type { OfferPart } from './facts.js';
import { isGiven, isNode, isReference, type Node } from './own-product.js';

/**
 * What search engines need in offers and do not find. An offer that refers to a node elsewhere, or is a URL, cannot be
 * checked and gets the benefit of the doubt.
 * @param offers the value of `offers` of a Product node: an offer, or several.
 * @see https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
 * @example missingOfferParts({ price: 19.9 }) // ['priceCurrency']
 */
export function missingOfferParts(offers: unknown): OfferPart[] {
	const written = [offers]
		.flat()
		.filter(isNode)
		.filter((offer) => !isReference(offer));
	return (['price', 'priceCurrency'] as const).filter((part) => written.some((offer) => !has(offer, part)));
}

const PROPERTIES: Readonly<Record<OfferPart, readonly string[]>> = {
	price: ['price', 'lowPrice'],
	priceCurrency: ['priceCurrency'],
};

function has(offer: Node, part: OfferPart): boolean {
	const specifications = [offer['priceSpecification']].flat().filter(isNode);
	if (specifications.some(isReference)) return true;
	return [offer, ...specifications].some((node) => PROPERTIES[part].some((name) => isGiven(node[name])));
}
