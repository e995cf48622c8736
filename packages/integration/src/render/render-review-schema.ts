import type { AggregateRatingLeaf, ProductLeaf, ReviewLeaf, WithContext } from 'schema-dts';
import type { ProductId } from '../base/product-id.js';
import { isVisible, nearest } from '../base/words.js';
import { InvalidPropError } from '../errors.js';
import type { AggregateRating } from '../records/rating.js';
import type { StatedReview } from '../records/record.js';
import { checkProduct } from './check-product.js';
import type { Component, Facts, OfferPart } from './fragment.js';
import { jsonForScript, SCHEMA_SCRIPT_ID } from './html.js';
import { readChoice } from './props.js';
import { isNode, type Node, type ProductProblem, readProduct, withoutVocabulary } from './read-product.js';
import { ORDERS_WITHOUT_VOTES, type ReviewOrder, selectReviews } from './select-reviews.js';

/** Props of `<ReviewSchema>`. */
export interface ReviewSchemaProps {
	/** Product ID at the review service. A number is read as its decimal string. */
	pid: ProductId;
	/**
	 * The page's own Product node (name, image, offers, brand, sku, `@id` ...), with dates, imported images and other values as
	 * your code has them. It gains `aggregateRating` and `review`. Without a `url`, it gets the page's address, and without an `@id`, its `url`. If
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
	nodeId?: string | undefined;
	/** Maximum number of reviews. `Infinity` lists all, and the aggregate rating counts all in any case. @default 100 */
	limit?: number | undefined;
	/** Order of the reviews. Use the same value as for `<ProductReviews>` on the same page. @default 'as-sent' */
	sort?: ReviewOrder | undefined;
}

type SchemaProps = Omit<ReviewSchemaProps, 'pid'>;

const PROPS = ['product', 'type', 'nodeId', 'limit', 'sort'];

/** Says what a prop is called. Others are left alone: Astro adds some, such as `data-astro-cid-...`. */
function assertProps(props: object): void {
	for (const name of Object.keys(props)) {
		const meant = name === 'id' ? 'nodeId' : PROPS.includes(name) ? undefined : nearest(name, PROPS);
		if (meant) throw new InvalidPropError(`there is no prop \`${name}\`. Did you mean \`${meant}\`?`);
	}
}

export const reviewSchema: Component<'reviews'> = {
	from: 'reviews',
	isAddressed: true,
	read(props, place) {
		const { product, problems } = readProduct(props['product'], place);
		return { props: { ...props, product }, ...(problems.length > 0 && { problems }) };
	},
	write(product, props, { ownPublishers, address, problems = [] }) {
		assertProps(props);
		const { sort, limit }: SchemaProps = props;
		const rating = product?.schema && product.aggregate;
		const sent: readonly StatedReview[] = rating ? (product.schema?.reviews ?? []) : [];
		// Of those that readers see, in the same order.
		const reviews = selectReviews(sent, { sort, limit }, ORDERS_WITHOUT_VOTES)
			.filter(isAccepted(ownPublishers))
			.map(toReviewNode);
		const { name, url } = product?.schema ?? {};
		const stated = product && { name, url, rating, listed: reviews.length };
		const node = toProductNode(stated, props, address);
		if (!node) return { html: '', facts: [] };
		const json = jsonForScript(reviews.length > 0 ? { ...node, review: reviews } : node);
		return {
			html: `<script type="application/ld+json" id="${SCHEMA_SCRIPT_ID}">${json}</script>`,
			facts: factsOf(node, stated, props, problems),
		};
	},
};

interface StatedProduct {
	readonly name: string | undefined;
	readonly url: string | undefined;
	readonly rating: AggregateRating | undefined;
	readonly listed: number;
}

function factsOf(
	node: Node,
	stated: StatedProduct | undefined,
	{ product, sort = 'as-sent' }: SchemaProps,
	unreadable: readonly ProductProblem[],
): Facts[] {
	const lacks = missingOfferParts(node['offers']);
	const facts: Facts[] = lacks.length > 0 ? [{ component: 'offers', lacks }] : [];
	const problems = [...unreadable, ...checkProduct(product)];
	if (problems.length > 0) facts.push({ component: 'product', problems });
	if (stated && node['aggregateRating']) {
		const listed = stated.listed || listOf(node['review'] ?? []).length;
		const id = node['@id'] as string | undefined;
		facts.push({ component: 'ReviewSchema', id, count: stated.rating?.count, listed, sort });
	}
	return facts;
}

/** Everything written about a product except its reviews: data from the service, and the rest of the page's own node. */
type ProductNode = Pick<WithContext<ProductLeaf>, '@context' | '@id' | 'name' | 'url' | 'aggregateRating'> &
	Node;

/**
 * Makes the Product node of `<ReviewSchema>`. Returns `undefined` for a product without ratings, unless the page's own node
 * can stand alone. Nothing is made up for it.
 * @param address of the page. Used if the page's own node has no `url`. @default the service's address of the product
 * @throws TypeError for an invalid prop.
 */
function toProductNode(
	stated: StatedProduct | undefined,
	{ product, type: givenType, nodeId }: SchemaProps,
	address: string | undefined,
): ProductNode | undefined {
	const type = givenType && readChoice('`type`', givenType, ['Product', 'ProductGroup']);
	const id = nodeId || undefined;
	const { name, rating, listed } = stated ?? {};
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
		...(type && { '@type': type }),
		...(id !== undefined && { '@id': id }),
		...(rating && { aggregateRating: toAggregateRating(rating) }),
		...(!listed && ownReviews !== undefined && { review: ownReviews }),
	};
}

const RATING_BOUNDS = { bestRating: '5', worstRating: '1' } as const;

function toAggregateRating({ average, count }: AggregateRating): AggregateRatingLeaf {
	return { '@type': 'AggregateRating', ratingValue: average, reviewCount: count, ...RATING_BOUNDS };
}

/** Types of things that a page sells. */
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

/** Other types whose ratings search engines show. Those of a business or an organization on its own site are self-serving. */
const RATED_TYPES = [
	...['Audiobook', 'Book', 'Course', 'CreativeWorkSeason', 'CreativeWorkSeries', 'Episode', 'Event'],
	...['Game', 'HowTo', 'MediaObject', 'MobileApplication', 'Movie', 'MusicPlaylist', 'MusicRecording'],
	...['Recipe', 'SoftwareApplication', 'VideoGame', 'WebApplication'],
];

const SELF_SERVING = /(?:Organization|Business|Store|Shop|Restaurant|Hotel|Corporation)$/;

export function hasProductType(types: readonly string[]): boolean {
	return types.some((type) => PRODUCT_TYPES.has(withoutVocabulary(type)));
}

/**
 * Prepares the page's own Product node. Empty values are removed, because they must not replace those of the
 * service, and a missing type of an offer is added: search engines ignore an offer without one.
 * @throws TypeError if it is not a node, or not a product.
 * @see https://developers.google.com/search/docs/appearance/structured-data/review-snippet (types, self-serving reviews)
 */
function ownProduct(product: Node): Node {
	if (!isNode(product) || '@graph' in product) {
		const given = Array.isArray(product) ? 'an array' : `a value of type ${typeof product}`;
		const received = isNode(product) ? 'a "@graph"' : given;
		throw new InvalidPropError(`expected \`product\` to be one Product node, received ${received}.`);
	}
	const types = listOf(product['@type']).filter(isGiven).map(String);
	const isRated = types.some((type) => RATED_TYPES.includes(withoutVocabulary(type)));
	if (types.length > 0 && !isRated && !hasProductType(types)) {
		const meant = nearest(types[0] ?? '', [...PRODUCT_TYPES, ...RATED_TYPES]);
		const advice = types.some((type) => SELF_SERVING.test(type))
			? 'Search engines refuse ratings of a business on its own site.'
			: `Search engines show ratings of products, and of the types ${RATED_TYPES.join(', ')}.`;
		throw new InvalidPropError(
			`expected \`product\` to be a Product, received a node of "@type": "${types.join('", "')}".${meant ? ` Did you mean "${meant}"?` : ''} ${advice}`,
		);
	}
	const node: Node = Object.fromEntries(Object.entries(product).filter(([, value]) => isGiven(value)));
	const { offers } = node;
	if (offers === undefined) return node;
	return { ...node, offers: Array.isArray(offers) ? offers.map(toOffer) : toOffer(offers) };
}

function toOffer(offer: unknown): unknown {
	if (!isNode(offer) || isGiven(offer['@type']) || isReference(offer)) return offer;
	return { ...offer, '@type': 'lowPrice' in offer ? 'AggregateOffer' : 'Offer' };
}

function canStandAlone(product: Node): boolean {
	return 'name' in product && ['offers', 'review', 'aggregateRating'].some((key) => key in product);
}

export function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null && value !== '';
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [value];
}

/** Says whether a node only refers to a node elsewhere. */
function isReference(node: Node): boolean {
	return Object.keys(node).every((key) => key === '@id');
}

const OFFER_PARTS: Readonly<Record<OfferPart, readonly string[]>> = {
	price: ['price', 'lowPrice'],
	priceCurrency: ['priceCurrency'],
};

/**
 * Names the properties that search engines need in offers and do not find. An offer that refers to a node elsewhere, or is a
 * URL, cannot be checked and gets the benefit of the doubt.
 * @param offers the value of `offers` of a Product node: an offer, or several.
 * @see https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
 * @example missingOfferParts({ price: 19.9 }) // ['priceCurrency']
 */
export function missingOfferParts(offers: unknown): OfferPart[] {
	const written = listOf(offers).filter(isNode);
	const parts = Object.keys(OFFER_PARTS) as OfferPart[];
	return parts.filter((part) => written.some((offer) => !isReference(offer) && !has(offer, part)));
}

function has(offer: Node, part: OfferPart): boolean {
	const isIn = (node: Node) => OFFER_PARTS[part].some((name) => isGiven(node[name]));
	const specifications = listOf(offer['priceSpecification']).filter(isNode);
	return isIn(offer) || specifications.some((node) => isReference(node) || isIn(node));
}

type AcceptedReview = StatedReview & { readonly author: string; readonly rating: number };

/**
 * Says whether search engines accept a review, with an author and a rating; only such reviews count towards the limit. One
 * that search engines reject may cost the whole product its stars. Pages still show it.
 * @param publishers whose reviews are the store's own. Others are omitted. @default all are included
 * @see https://developers.google.com/search/docs/appearance/structured-data/review-snippet
 */
function isAccepted(
	publishers: readonly string[] | undefined,
): (review: StatedReview) => review is AcceptedReview {
	const own = publishers && new Set(publishers.map(normalize));
	return (review): review is AcceptedReview =>
		review.author !== undefined &&
		isVisible(shortened(review.author)) &&
		review.rating !== undefined &&
		(!own || review.publisher === undefined || own.has(normalize(review.publisher)));
}

function normalize(name: string): string {
	return name.trim().normalize('NFC').toLowerCase();
}

function toReviewNode(review: AcceptedReview): ReviewLeaf {
	const { author, rating, publisher, body, date, editedDate, language } = review;
	const node: ReviewLeaf = {
		'@type': 'Review',
		author: { '@type': 'Person', name: shortened(author) },
		reviewRating: { '@type': 'Rating', ratingValue: rating, ...RATING_BOUNDS },
	};
	if (publisher !== undefined) node.publisher = { '@type': 'Organization', name: publisher };
	if (body !== undefined) node.reviewBody = body;
	if (date !== undefined) node.datePublished = date;
	if (editedDate !== undefined) node.dateModified = editedDate;
	if (language !== undefined) node.inLanguage = language;
	return node;
}

/** Characters of an author's name, at least one too many. Search engines treat a review with so many as spam. */
const TOO_LONG = 100;

function shortened(author: string): string {
	if (author.length < TOO_LONG) return author;
	const characters = [...author].slice(0, TOO_LONG - 1);
	return characters.join('').trimEnd();
}
