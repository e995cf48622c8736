import { InvalidPropError } from '../errors.js';

/** Types of things that a page sells. Search engines treat ratings of a business on its own site as self-serving. */
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

/** A JSON-LD node. */
export type Node = Readonly<Record<string, unknown>>;

/**
 * The page's own Product node, ready to write. Empty values are removed, because they must not replace those of the
 * service, and a missing type of an offer is added.
 * @throws TypeError if it is not a node, or not a product.
 * @see https://developers.google.com/search/docs/appearance/structured-data/review-snippet (self-serving reviews)
 */
export function ownProduct(product: Node): Node {
	if (!isNode(product) || '@graph' in product) {
		const received = Array.isArray(product)
			? 'an array'
			: isNode(product)
				? 'a "@graph"'
				: `a value of type ${typeof product}`;
		throw new InvalidPropError(
			`Expected \`product\` of <ReviewSchema> to be one Product node, received ${received}.`,
		);
	}
	const types = listOf(product['@type']).filter(isGiven).map(String);
	if (types.length > 0 && !hasProductType(types)) {
		throw new InvalidPropError(
			`Expected \`product\` of <ReviewSchema> to be a Product, received a node of "@type": "${types.join('", "')}". Search engines refuse ratings of a business on its own site.`,
		);
	}
	return withOfferType(Object.fromEntries(Object.entries(product).filter(([, value]) => isGiven(value))));
}

/** Whether one of these types is that of something a page sells. */
export function hasProductType(types: readonly string[]): boolean {
	return types.some((type) => PRODUCT_TYPES.has(type.replace(VOCABULARY, '')));
}

/** Whether a node is useful to search engines without ratings. */
export function canStandAlone(product: Node): boolean {
	return 'name' in product && ['offers', 'review', 'aggregateRating'].some((key) => key in product);
}

const VOCABULARY = /^(?:https?:\/\/schema\.org\/|schema:)/;

/** Whether a value is not empty. */
export function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

/** A value of JSON-LD, which may be one or several. */
export function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [value];
}

export function isNode(value: unknown): value is Node {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Search engines ignore an offer without a type. Nothing else is added to it. */
function withOfferType(product: Node): Node {
	const { offers } = product;
	if (offers === undefined) return product;
	return { ...product, offers: Array.isArray(offers) ? offers.map(toOffer) : toOffer(offers) };
}

function toOffer(offer: unknown): unknown {
	if (!isNode(offer) || isGiven(offer['@type']) || isReference(offer)) return offer;
	return { ...offer, '@type': 'lowPrice' in offer ? 'AggregateOffer' : 'Offer' };
}

/** Whether a node only refers to a node elsewhere. */
export function isReference(node: Node): boolean {
	return Object.keys(node).every((key) => key === '@id');
}
