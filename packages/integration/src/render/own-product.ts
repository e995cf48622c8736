/** Types of what a page sells. Search engines take ratings of a business on its own site for self-serving. */
const PRODUCT_TYPES = new Set([
	'Product',
	'ProductGroup',
	'ProductModel',
	'ProductCollection',
	'IndividualProduct',
	'SomeProducts',
	'Vehicle',
	'Car',
	'Motorcycle',
	'MotorizedBicycle',
	'BusOrCoach',
	'Drug',
	'DietarySupplement',
]);

/** A node of JSON-LD. */
export type Node = Readonly<Record<string, unknown>>;

/**
 * The page's own Product node as it is written: without values that the page does not have, which must not take the place
 * of those that the service has, and with the type of its offers.
 * @throws TypeError where it is no node, or no product.
 * @see https://developers.google.com/search/docs/appearance/structured-data/review-snippet (self-serving reviews)
 */
export function ownProduct(product: Node): Node {
	if (!isNode(product) || '@graph' in product) {
		const received = Array.isArray(product)
			? 'an array'
			: isNode(product)
				? 'a "@graph"'
				: `a value of type ${typeof product}`;
		throw new TypeError(
			`Expected \`product\` of <ReviewSchema> to be one Product node, received ${received}.`,
		);
	}
	const types = [product['@type']].flat().filter(isGiven).map(String);
	if (types.length > 0 && !types.some((type) => PRODUCT_TYPES.has(type.replace(VOCABULARY, '')))) {
		throw new TypeError(
			`Expected \`product\` of <ReviewSchema> to be a Product, received a node of "@type": "${types.join('", "')}". Search engines refuse ratings of a business on its own site.`,
		);
	}
	return withOfferType(Object.fromEntries(Object.entries(product).filter(([, value]) => isGiven(value))));
}

/** Whether a node needs no ratings to be of use to search engines. */
export function canStandAlone(product: Node): boolean {
	return 'name' in product && ['offers', 'review', 'aggregateRating'].some((key) => key in product);
}

const VOCABULARY = /^(?:https?:\/\/schema\.org\/|schema:)/;

/** Whether a value says anything. */
export function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

export function isNode(value: unknown): value is Node {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An offer without a type is no offer to a search engine; the type is all that is ever added to it. */
function withOfferType(product: Node): Node {
	const { offers } = product;
	if (offers === undefined) return product;
	return { ...product, offers: Array.isArray(offers) ? offers.map(toOffer) : toOffer(offers) };
}

function toOffer(offer: unknown): unknown {
	if (!isNode(offer) || isGiven(offer['@type']) || isReference(offer)) return offer;
	return { ...offer, '@type': 'lowPrice' in offer ? 'AggregateOffer' : 'Offer' };
}

/** Only names a node that is written elsewhere. */
export function isReference(node: Node): boolean {
	return Object.keys(node).every((key) => key === '@id');
}
