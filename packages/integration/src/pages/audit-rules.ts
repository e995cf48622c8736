import type { ListFacts, ProductFacts, SchemaFacts, StarsFacts } from '../render/fragment.js';
import { isNode, type Node, type ProblemKind } from '../render/read-product.js';
import { isGiven } from '../render/render-review-schema.js';

interface RuleWords {
	readonly name: string;
	/** The duty of a page, as a sentence. */
	readonly demand: string;
	/** A clause about the problem: "1 page: <wrong>: <pages>." */
	readonly wrong: string;
	readonly remedy: string;
	/** `true` if search engines only recommend to keep the rule. @default false */
	readonly isRecommended?: boolean;
}

/** A rule about what components placed on a page. Builds and dev servers check it. */
export interface PlacementRule extends RuleWords {
	/** @default products of <ReviewSchema> */
	readonly about?: (product: PlacedProduct) => boolean;
	readonly isBroken: (product: PlacedProduct, page: readonly PlacedProduct[]) => boolean;
}

/** A rule about the markup of a finished page. Only the dev toolbar checks it: builds do not parse their pages. */
interface MarkupRule extends RuleWords {
	readonly judge: (markup: PageMarkup) => { readonly isAbout: boolean; readonly broken: readonly string[] };
}

/** A rule about values in the merchant's own product. Builds check that of a component, and the dev toolbar all of the page's. */
interface ProductRule extends RuleWords {
	readonly problem: ProblemKind;
}

/** The structured data of a finished page. */
export interface PageMarkup {
	readonly scripts: readonly {
		readonly name: string;
		readonly text: string;
		/** `undefined` if the text is not valid JSON. */
		readonly value: unknown;
	}[];
	/** Products that are not part of another node. */
	readonly products: readonly { readonly name: string; readonly node: Node }[];
	/** Types of the microdata items, such as `https://schema.org/Product`. */
	readonly microdata: readonly string[];
	readonly isNoindex: boolean;
}

export type PlacedProduct = ReturnType<typeof byProduct>[number];

export function byProduct(facts: readonly ProductFacts[]) {
	return [...Map.groupBy(facts, ({ pid }) => pid)].map(([pid, all]) => ({
		pid,
		schemas: all.filter((one) => one.component === 'ReviewSchema'),
		lists: all.filter((one) => 'shown' in one),
		stars: all.filter(isStars),
		offers: all.filter((one) => one.component === 'offers'),
		problems: all.flatMap((one) => (one.component === 'product' ? one.problems : [])),
		// What own markup shows is not known: it gets the benefit of the doubt.
		hasOwnMarkup: all.some((one) => one.component === 'own-markup'),
	}));
}

function isStars(one: ProductFacts): one is ProductFacts & StarsFacts {
	return one.component === 'StarRating' || one.component === 'RatingSummary';
}

const scriptsOf = ({ scripts }: PageMarkup) => scripts;
const productsOf = ({ products }: PageMarkup) => products;

/** Judges all parts of one kind. A page without any has nothing that the rule is about. */
function each<Part extends { readonly name: string }>(
	partsOf: (markup: PageMarkup) => readonly Part[],
	isKept: (part: Part) => boolean,
): MarkupRule['judge'] {
	return (markup) => {
		const parts = partsOf(markup);
		const broken = parts.filter((part) => !isKept(part)).map(({ name }) => name);
		return { isAbout: parts.length > 0, broken };
	};
}

/** Judges a page with products. */
function ofProducts(brokenOf: (markup: PageMarkup) => readonly string[]): MarkupRule['judge'] {
	return (markup) => {
		const isAbout = markup.products.length > 0;
		return { isAbout, broken: isAbout ? brokenOf(markup) : [] };
	};
}

/** Rules about what components placed on a page, in the order of the warnings. To add one, add an entry. */
const PLACEMENT_RULES = [
	{
		name: 'schema-without-reviews',
		demand: 'The page shows the reviews that its JSON-LD marks up.',
		isBroken: ({ schemas, lists, stars, hasOwnMarkup }) => {
			// A rating without reviews is shown by stars.
			const isShown = schemas.some(({ listed }) => listed > 0)
				? lists.length > 0
				: lists.length + stars.length > 0;
			return schemas.length > 0 && !isShown && !hasOwnMarkup;
		},
		wrong: '<ReviewSchema> marks up reviews that the page does not show',
		remedy: 'Add <ProductReviews> or <ReviewList> of the same product.',
	},
	{
		name: 'schema-lists-more',
		demand: 'The page shows as many reviews as its JSON-LD marks up.',
		isBroken: ({ schemas, lists }) =>
			lists.length > 0 && schemas.some((schema) => !lists.some(showsAllOf(schema))),
		wrong: '<ReviewSchema> marks up more reviews than the list of reviews shows',
		remedy: 'Give both the same `limit` and `sort`.',
	},
	{
		name: 'hidden-only',
		demand: 'Visitors can see the reviews that are in the source of the page.',
		about: ({ lists }) => lists.length > 0,
		isBroken: ({ schemas, lists, stars, hasOwnMarkup }) =>
			lists.length > 0 &&
			lists.every(isHidden) &&
			!hasOwnMarkup &&
			// Stars alone do not show the marked-up reviews.
			(schemas.length > 0 || stars.length === 0),
		wrong: 'reviews are in the source of the page, but nobody can see them',
		remedy:
			'Search engines treat that as hidden text: set `display="visible"` on <ProductReviews>. This is fine only if the widget of the service shows the same reviews.',
	},
	{
		name: 'low-ratings-hidden',
		demand: 'Reviews with low ratings are shown next to the average.',
		about: ({ lists }) => lists.length > 0,
		isBroken: ({ schemas, lists, stars, hasOwnMarkup }) =>
			schemas.length + stars.length > 0 &&
			lists.some(({ isSplitByRating }) => isSplitByRating) &&
			!lists.some((list) => !isHidden(list) && !list.isSplitByRating) &&
			!hasOwnMarkup,
		wrong: 'a filter leaves out reviews by rating, next to an average over all of them',
		remedy:
			'Consumer law forbids hiding low ratings: remove the rating from `filter` of <ReviewList> or <ReviewSection>. Visitors can choose a number of stars themselves.',
	},
	{
		name: 'counts-differ',
		demand: 'All counts of a product are the same.',
		about: (product) => isStated(product) || product.lists.length + product.stars.length > 0,
		isBroken: ({ schemas, lists, stars }) => {
			const counts = new Set([...schemas, ...lists, ...stars].flatMap(({ count }) => count ?? []));
			const listed = Math.max(0, ...schemas.map((schema) => schema.listed));
			return counts.size > 1 || [...counts].some((count) => listed > count);
		},
		wrong: 'the counts of a product contradict each other',
		remedy: 'Build again. If the warning stays, check which number of ratings the service sends.',
	},
	{
		name: 'schema-twice',
		demand: '<ReviewSchema> is used once for a product.',
		isBroken: ({ schemas }) => schemas.length > 1,
		wrong: '<ReviewSchema> is used twice for the same product',
		remedy: 'Remove one.',
	},
	{
		name: 'different-ids',
		demand: '<ReviewSchema> gives a product one `@id`.',
		isBroken: ({ schemas }) => new Set(schemas.flatMap(({ id }) => id ?? [])).size > 1,
		wrong: '<ReviewSchema> gives one product two different `@id`s',
		remedy: 'Give one the `@id` of the other as `nodeId`, or keep one of them.',
	},
	{
		name: 'several-products',
		demand: '<ReviewSchema> is used for one product.',
		isBroken: ({ schemas }, page) =>
			schemas.length > 0 && page.filter((other) => other.schemas.length > 0).length > 1,
		wrong: '<ReviewSchema> is used for more than one product',
		remedy:
			'Search engines expect one product per page: keep <ReviewSchema> for it, and use <StarRating> for the others.',
	},
	{
		name: 'offer-without-price',
		demand: 'Every offer of <ReviewSchema> has a price.',
		isBroken: ({ offers }) => offers.some(({ lacks }) => lacks.includes('price')),
		wrong: '<ReviewSchema> has an offer without a price',
		remedy:
			'Search engines do not show such an offer: add `price` to `product.offers`, or `lowPrice` if it summarizes several offers.',
	},
	{
		name: 'offer-without-currency',
		demand: 'Every offer of <ReviewSchema> has a currency.',
		isBroken: ({ offers }) => offers.some(({ lacks }) => lacks.includes('priceCurrency')),
		wrong: '<ReviewSchema> has an offer without a currency',
		remedy:
			"Search engines do not show such an offer: add `priceCurrency` to `product.offers`, such as priceCurrency: 'EUR'.",
	},
] as const satisfies readonly PlacementRule[];

export function isStated({ schemas, offers }: PlacedProduct): boolean {
	return schemas.length > 0 || offers.length > 0;
}

/** Reviews that the service left out of the one and not of the other are no fault of the page. */
function showsAllOf({ listed, sort }: SchemaFacts): (list: ListFacts) => boolean {
	return (list) => list.isAll || (list.sort === sort && listed <= list.shown);
}

function isHidden({ display }: ListFacts): boolean {
	return display === 'hidden';
}

/** Rules about the scripts and products in the structured data of a finished page. To add one, add an entry. */
const MARKUP_RULES = [
	{
		name: 'json-ld-valid',
		demand: 'Every JSON-LD script is valid JSON.',
		judge: each(scriptsOf, ({ value }) => value !== undefined),
		wrong: 'a JSON-LD script is not valid JSON',
		remedy: 'Write its content with JSON.stringify() and `set:html`.',
	},
	{
		name: 'json-ld-escaped',
		demand: 'No JSON-LD script contains a raw `<`.',
		judge: each(scriptsOf, ({ text }) => !text.includes('<')),
		wrong: 'a JSON-LD script contains a raw `<`, with which a text can end the script',
		remedy: 'Replace each `<` in the JSON with `\\u003c`.',
	},
	{
		name: 'one-product',
		demand: 'The JSON-LD describes one product.',
		judge: ofProducts(({ products }) => (products.length > 1 ? products.map(({ name }) => name) : [])),
		wrong: 'the JSON-LD describes several products',
		remedy: 'Give all nodes of one product the same `@id`, and describe each product on its own page.',
	},
	{
		name: 'product-complete',
		demand: 'A product has a name, and reviews, a rating or offers.',
		judge: each(productsOf, ({ node }) => isGiven(node['name']) && CONTENT.some((key) => isGiven(node[key]))),
		wrong: 'a product in the JSON-LD has no name, or nothing but a name',
		remedy: 'Add `name` to `product` of <ReviewSchema>.',
	},
	{
		name: 'listing-complete',
		demand: 'A product that is sold has an image, and its offers say whether it is available.',
		judge: each(
			({ products }) => products.filter(({ node }) => 'offers' in node),
			({ node }) =>
				isGiven(node['image']) &&
				offersOf(node).every((offer) => isGiven(offer['availability']) || 'lowPrice' in offer),
		),
		wrong: 'a product in the JSON-LD has offers, but no image, or nothing about availability',
		remedy: 'Add `image` to the product, and `availability` to each offer.',
		isRecommended: true,
	},
	{
		name: 'no-microdata',
		demand: 'Products and reviews are marked up once, in the JSON-LD.',
		judge: ofProducts(({ microdata }) => microdata.filter((type) => MARKED_UP_AGAIN.test(type))),
		wrong: 'the page also marks up products or reviews with microdata',
		remedy: 'Remove `itemscope`, `itemtype` and `itemprop`: search engines see two products.',
	},
	{
		name: 'indexed',
		demand: 'Search engines may list a page with structured data.',
		judge: ofProducts(({ isNoindex }) => (isNoindex ? ['noindex'] : [])),
		wrong: 'the page has structured data, and tells search engines not to list it',
		remedy: 'Remove `noindex` from <meta name="robots">, unless this page is not meant to be found.',
	},
] as const satisfies readonly MarkupRule[];

/** Properties of a product that search engines show: a product needs one of them. */
const CONTENT = ['offers', 'review', 'aggregateRating'];

/** Types of microdata that the JSON-LD already marks up. */
const MARKED_UP_AGAIN = /\/(?:Product|ProductGroup|Review|AggregateRating)$/;

function offersOf(product: Node): Node[] {
	return [product['offers']].flat().filter(isNode);
}

const PRODUCT_RULES = [
	{
		name: 'product-price',
		problem: 'price',
		demand: 'Prices are numbers above zero.',
		wrong: 'a price of the product is not a number above zero',
		remedy: 'Write it with a dot, without separators and without the currency, such as price: 1299.5.',
	},
	{
		name: 'product-currency',
		problem: 'currency',
		demand: 'Currencies are codes of ISO 4217.',
		wrong: 'a currency of the product is not a code of ISO 4217',
		remedy: "Write its three letters, such as priceCurrency: 'EUR'.",
	},
	{
		name: 'product-availability',
		problem: 'availability',
		demand: 'Availability is a value of schema.org.',
		wrong: 'the availability of an offer is not a value of schema.org',
		remedy:
			"Write one of its words, such as availability: 'InStock', 'OutOfStock', 'PreOrder' or 'BackOrder'.",
	},
	{
		name: 'product-condition',
		problem: 'condition',
		demand: 'The condition of an item is a value of schema.org.',
		wrong: 'the condition of an item is not a value of schema.org',
		remedy: "Write itemCondition: 'new', 'used', 'refurbished' or 'damaged'.",
	},
	{
		name: 'product-gtin',
		problem: 'gtin',
		demand: 'GTINs have a right check digit, and belong to products in general trade.',
		wrong: 'a GTIN of the product is not valid',
		remedy:
			'Write the 8, 12, 13 or 14 digits below the barcode. Leave it out if the maker gave the product none: numbers that begin with 2, 02, 04, 05, 981 to 984 or 99 are for use within a shop.',
	},
	{
		name: 'product-date',
		problem: 'date',
		demand: 'Dates are in ISO 8601.',
		wrong: 'a date of the product is not in ISO 8601',
		remedy: "Write the year first, such as priceValidUntil: '2026-12-31', or pass a `Date`.",
	},
	{
		name: 'product-address',
		problem: 'address',
		demand: 'Addresses of images and pages are absolute.',
		wrong: 'an address of an image or page is not absolute',
		remedy:
			'Begin it with https://, import the image, or begin it with a slash and set `site` in the Astro configuration.',
	},
	{
		name: 'product-value',
		problem: 'value',
		demand: 'Every value of the product can be written.',
		wrong: 'a value of the product cannot be written, and was left out',
		remedy: 'Check the calculation that it comes from.',
	},
] as const satisfies readonly ProductRule[];

/** Numbers of one product on pages and in feeds. */
export interface ProductForms {
	/** Numbers of ratings, by pages and feeds. */
	readonly counts: ReadonlySet<number>;
	/** Averages, by feeds. */
	readonly averages: ReadonlySet<number>;
	/** Most reviews that a page shows to people. */
	readonly shown: number;
	/** Reviews in the product ratings feed. */
	readonly fed: number;
}

/** A rule about pages and feeds together. Only builds check it, when all of them are written. */
interface FormsRule extends RuleWords {
	readonly areWrong: (forms: ProductForms) => boolean;
}

/** Different writers round averages differently. */
const ROUNDING = 0.01;

const FORMS_RULES = [
	{
		name: 'forms-differ',
		demand: 'Pages and feeds have the same numbers for a product.',
		areWrong: ({ counts, averages }) =>
			counts.size > 1 || Math.max(...averages) - Math.min(...averages) > ROUNDING,
		wrong: 'a page and a feed have different numbers for the same product',
		remedy:
			'They were fetched at different times: set `revalidate` to "ratings", or run "npx astro-product-reviews cache invalidate" with the product, and build again.',
	},
	{
		name: 'feed-lists-more',
		demand: 'Pages show every review that is in the product ratings feed.',
		areWrong: ({ shown, fed }) => fed > shown,
		wrong: 'the product ratings feed has reviews that no page shows',
		remedy: 'Raise the `limit` of the list, and filter no reviews: readers compare the feed with the page.',
	},
] as const satisfies readonly FormsRule[];

/** Returns the names of the rules that the forms of a product break. */
export function judgeForms(forms: ProductForms): AuditRule[] {
	return FORMS_RULES.filter(({ areWrong }) => areWrong(forms)).map(({ name }) => name);
}

/**
 * Every rule that pages may break, in the order of the warnings. Builds check those about placements, and the dev toolbar
 * checks all of them.
 * @see https://developers.google.com/search/docs/appearance/structured-data/sd-policies
 */
export const RULES = [...PLACEMENT_RULES, ...PRODUCT_RULES, ...MARKUP_RULES, ...FORMS_RULES] as const;

export type AuditRule = (typeof RULES)[number]['name'];
