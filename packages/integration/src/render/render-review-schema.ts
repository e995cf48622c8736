import type { AggregateRatingLeaf, ProductLeaf, ReviewLeaf, WithContext } from 'schema-dts';
import { InvalidPropError } from '../errors.js';
import type { AggregateRating, ProductReviews, StatedReview } from '../parse/record.js';
import type { ProductId } from '../text/product-id.js';
import type { Component } from './component.js';
import {
	authorName,
	type Facts,
	formAuthors,
	jsonForScript,
	type OfferPart,
	SCHEMA_SCRIPT_ID,
} from './parts.js';
import { type ReviewOrder, selectReviews } from './select-reviews.js';

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
function ownProduct(product: Node): Node {
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
function canStandAlone(product: Node): boolean {
	return 'name' in product && ['offers', 'review', 'aggregateRating'].some((key) => key in product);
}

const VOCABULARY = /^(?:https?:\/\/schema\.org\/|schema:)/;

/** Whether a value is not empty. */
export function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

/** A value of JSON-LD, which may be one or several. */
function listOf(value: unknown): readonly unknown[] {
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
function isReference(node: Node): boolean {
	return Object.keys(node).every((key) => key === '@id');
}

/** Props of `<ReviewSchema>`. */
export interface ReviewSchemaProps {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
	/**
	 * The page's own Product node (name, image, offers, brand, sku, `@id` ...). It is kept unchanged, and gains
	 * `aggregateRating` and `review`. Without a `url`, it gets the page's address, and without an `@id`, its `url`. If
	 * the Astro configuration has no `site`, that is the product's address according to the service.
	 */
	product?: Readonly<Record<string, unknown>> | undefined;
	/**
	 * `'ProductGroup'` if the page sells variants that share these reviews. `product` then contains `productGroupID`,
	 * `variesBy` and `hasVariant`.
	 * @default the `@type` of `product`, or else 'Product'
	 */
	type?: 'Product' | 'ProductGroup' | undefined;
	/**
	 * The exact `@id` of a Product node that the page writes elsewhere. The rating and reviews are written as a node
	 * with the same `@id` and no address, and search engines merge the two. Nothing is written for a product without
	 * ratings.
	 * @example 'https://shop.example/products/kettle/#product'
	 */
	id?: string | undefined;
	/** Maximum number of reviews. The aggregate rating still counts all. @default all that the service sends */
	limit?: number | undefined;
	/** Which reviews come first. Use the same value as for `<ProductReviews>` on the same page. @default 'as-sent' */
	sort?: ReviewOrder | undefined;
}

/** What `<ReviewSchema>` states about a product, independent of the page's own node. */
export interface StatedReviews {
	readonly name: string | undefined;
	/** Absolute http(s) address of the product page. */
	readonly url: string | undefined;
	/** `undefined` for a product without ratings. */
	readonly rating: AggregateRating | undefined;
	/** JSON of a list of Review nodes, escaped for a script; empty if there are none. */
	readonly reviews: string;
	/** Number of these reviews. */
	readonly listed: number;
}

/** Which reviews are stated. */
export interface StatedSelection {
	readonly limit?: number | undefined;
	readonly sort?: ReviewOrder | undefined;
}

/**
 * Writes the reviews of a product as structured data.
 * @param publishers whose reviews are the store's own. Others are omitted. @default all are included
 * @throws TypeError for an invalid selection.
 */
export function stateReviews(
	{ aggregate, schema }: ProductReviews,
	{ limit, sort }: StatedSelection,
	publishers?: readonly string[],
): StatedReviews {
	const rating = schema && aggregate;
	const selected = rating ? selectReviews(schema.reviews.filter(isWritten(publishers)), sort, limit) : [];
	const nodes = selected.flatMap((review) => toReviewNode(review) ?? []);
	return {
		name: schema?.name,
		url: schema?.url,
		rating,
		reviews: nodes.length > 0 ? jsonForScript(nodes) : '',
		listed: nodes.length,
	};
}

/** Only reviews that search engines accept count towards the limit. */
function isWritten(publishers: readonly string[] | undefined): (review: StatedReview) => boolean {
	const own = publishers && new Set(publishers.map(normalize));
	return ({ author, rating, publisher }) =>
		authorName(author) !== undefined &&
		rating !== undefined &&
		(!own || publisher === undefined || own.has(normalize(publisher)));
}

function normalize(name: string): string {
	return name.trim().normalize('NFC').toLowerCase();
}

/** The service's rating scale, stated for search engines. */
const RATING_BOUNDS = { bestRating: '5', worstRating: '1' } as const;

/**
 * A review as a schema.org node. `undefined` without an author or a rating: search engines reject such a review, and one
 * may cost the whole product its stars. Pages still show it.
 * @see https://developers.google.com/search/docs/appearance/structured-data/review-snippet
 */
function toReviewNode({ author, rating, publisher, body, date }: StatedReview): ReviewLeaf | undefined {
	const name = authorName(author);
	if (name === undefined || rating === undefined) return undefined;
	const node: ReviewLeaf = {
		'@type': 'Review',
		author: { '@type': 'Person', name },
		reviewRating: { '@type': 'Rating', ratingValue: rating, ...RATING_BOUNDS },
	};
	if (publisher !== undefined) node.publisher = { '@type': 'Organization', name: publisher };
	if (body !== undefined) node.reviewBody = body;
	if (date !== undefined) node.datePublished = date;
	return node;
}
