import type { AggregateRatingLeaf, ProductLeaf, WithContext } from 'schema-dts';
import { InvalidPropError } from '../errors.js';
import type { AggregateRating } from '../parse/record.js';
import type { Component } from './component.js';
import type { Facts, OfferPart } from './facts.js';
import { formAuthors } from './form-authors.js';
import { jsonForScript } from './json-script.js';
import { canStandAlone, isGiven, isNode, isReference, listOf, type Node, ownProduct } from './own-product.js';
import type { ReviewSchemaProps } from './review-schema-props.js';
import { SCHEMA_SCRIPT_ID } from './schema-script-id.js';
import { type StatedReviews, stateReviews } from './state-reviews.js';
import { RATING_BOUNDS } from './to-review-node.js';

/**
 * The html of `<ReviewSchema>`: one JSON-LD script; empty if there is nothing to state.
 * @param reviews JSON of the node's reviews, escaped for a script; empty if there are none.
 */
export function renderReviewSchema(node: ProductNode | undefined, reviews = ''): string {
	if (!node) return '';
	const json = jsonForScript(node);
	const whole = reviews === '' ? json : `${json.slice(0, -1)},"review":${reviews}}`;
	return `<script type="application/ld+json" id="${SCHEMA_SCRIPT_ID}">${whole}</script>`;
}

/** `<ReviewSchema>` */
export const reviewSchema: Component<'reviews'> = {
	from: 'reviews',
	isAddressed: true,
	shared: ({ component, props: { sort, limit } }) => ({ component, props: { sort, limit } }),
	write(product, { props }, { author, publishers }) {
		if (!product) return { html: '', facts: [] };
		const { reviews, ...stated } = stateReviews(formAuthors(product, author), props, publishers);
		return { html: reviews, facts: [], stated };
	},
	finish(piece, request) {
		const stated = piece.stated && { ...piece.stated, reviews: piece.html };
		const node = toProductNode(stated, request.props, request.address);
		return { html: renderReviewSchema(node, stated?.reviews), facts: factsOf(node, stated, request) };
	},
};

type SchemaProps = Omit<ReviewSchemaProps, 'pid'>;

function factsOf(
	node: ProductNode | undefined,
	stated: StatedReviews | undefined,
	{ props: { sort = 'as-sent' } }: { readonly props: SchemaProps },
): Facts[] {
	if (!node) return [];
	const facts: Facts[] = [];
	const lacks = missingOfferParts(node['offers']);
	if (lacks.length > 0) facts.push({ component: 'offers', lacks });
	if (stated && node['aggregateRating']) {
		const listed = stated.listed || listOf(node['review'] ?? []).length;
		facts.push({ component: 'ReviewSchema', id: node['@id'], count: stated.rating?.count, listed, sort });
	}
	return facts;
}

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

/** Everything written about a product except its reviews: data from the service, and the rest of the page's own node. */
type ProductNode = Pick<WithContext<ProductLeaf>, '@context' | '@id' | 'name' | 'url' | 'aggregateRating'> &
	Readonly<Record<string, unknown>>;

/**
 * The Product node of `<ReviewSchema>`. `undefined` for a product without ratings, unless the page's own node can stand
 * alone. Nothing is made up for it.
 * @param address of the page. Used if the page's own node has no `url`. @default the service's address of the product
 * @throws TypeError for an invalid prop.
 */
export function toProductNode(
	stated: Omit<StatedReviews, 'listed'> | undefined,
	{ product, type: givenType, id: givenId }: Pick<ReviewSchemaProps, 'product' | 'type' | 'id'>,
	address?: string,
): ProductNode | undefined {
	const [type, id] = [givenType ?? undefined, givenId || undefined];
	if (type !== undefined && type !== 'Product' && type !== 'ProductGroup') {
		throw new InvalidPropError(`Expected \`type\` to be 'Product' or 'ProductGroup', received '${type}'.`);
	}
	const { name, rating, reviews } = stated ?? {};
	const own = product === undefined || product === null ? undefined : ownProduct(product);
	if (!rating && (id !== undefined || !own || !canStandAlone(own))) return undefined;
	const { review: ownReviews, ...others } = own ?? {};
	// The node's `@id` is its address, whatever its source.
	const url = others['url'] === undefined ? (address ?? stated?.url) : String(others['url']);
	return {
		'@context': 'https://schema.org',
		'@type': 'Product',
		...(id === undefined && url !== undefined && { '@id': url, url }),
		...(name !== undefined && { name }),
		...others,
		...(type !== undefined && { '@type': type }),
		...(id !== undefined && { '@id': id }),
		...(rating && { aggregateRating: toAggregateRating(rating) }),
		...(!reviews && ownReviews !== undefined && { review: ownReviews }),
	};
}

function toAggregateRating({ average, count }: AggregateRating): AggregateRatingLeaf {
	return { '@type': 'AggregateRating', ratingValue: average, reviewCount: count, ...RATING_BOUNDS };
}
