import { isGiven, isNode, type Node } from '../render/own-product.js';
import type { PageMarkup } from './markup.js';
import { eachPart, toNumber } from './markup-parts.js';
import type { MarkupRule } from './rule.js';

/** Rules about the scripts and products in the structured data of a finished page. To add one, add an entry. */
export const PRODUCT_RULES = [
	{
		name: 'json-ld-valid',
		demand: 'Every JSON-LD script is valid JSON.',
		judge: eachPart(
			({ scripts }) => scripts,
			({ value }) => value !== undefined,
		),
		wrong: 'a JSON-LD script is not valid JSON',
		remedy: 'Write its content with JSON.stringify() and `set:html`.',
	},
	{
		name: 'json-ld-escaped',
		demand: 'No JSON-LD script contains a raw `<`.',
		judge: eachPart(
			({ scripts }) => scripts,
			({ text }) => !text.includes('<'),
		),
		wrong: 'a JSON-LD script contains a raw `<`, with which a text can end the script',
		remedy: 'Replace each `<` in the JSON with `\\u003c`.',
	},
	{
		name: 'one-product',
		demand: 'The JSON-LD describes one product.',
		judge: ({ products }) => ({
			isAbout: products.length > 0,
			broken: products.length > 1 ? products.map(({ name }) => name) : [],
		}),
		wrong: 'the JSON-LD describes several products',
		remedy: 'Give all nodes of one product the same `@id`, and describe each product on its own page.',
	},
	{
		name: 'product-complete',
		demand: 'A product has a name, and reviews, a rating or offers.',
		judge: eachPart(
			({ products }) => products,
			({ node }) => isGiven(node['name']) && CONTENT.some((key) => isGiven(node[key])),
		),
		wrong: 'a product in the JSON-LD has no name, or nothing but a name',
		remedy: 'Add `name` to `product` of <ReviewSchema>.',
	},
	{
		name: 'offer-price',
		demand: 'The price of an offer is a number above zero.',
		judge: eachPart(offersIn, ({ node }) => {
			const price = node['price'] ?? node['lowPrice'];
			return !isGiven(price) || (toNumber(price) ?? 0) > 0;
		}),
		wrong: 'an offer in the JSON-LD has a price that is not a number above zero',
		remedy: 'Write `price` as a number with a dot, without the currency.',
	},
	{
		name: 'listing-complete',
		demand: 'A product that is sold has an image, and its offers say whether it is available.',
		judge: eachPart(
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
		judge: ({ microdata, products }) => ({
			isAbout: products.length > 0,
			broken: products.length > 0 ? microdata.filter((type) => MARKED_UP_AGAIN.test(type)) : [],
		}),
		wrong: 'the page also marks up products or reviews with microdata',
		remedy: 'Remove `itemscope`, `itemtype` and `itemprop`: search engines see two products.',
	},
	{
		name: 'indexed',
		demand: 'Search engines may list a page with structured data.',
		judge: ({ products, isNoindex }) => ({
			isAbout: products.length > 0,
			broken: products.length > 0 && isNoindex ? ['noindex'] : [],
		}),
		wrong: 'the page has structured data, and tells search engines not to list it',
		remedy: 'Remove `noindex` from <meta name="robots">, unless this page is not meant to be found.',
	},
] as const satisfies readonly MarkupRule[];

/** What search engines show of a product: it needs one of these. */
const CONTENT = ['offers', 'review', 'aggregateRating'];
/** What the JSON-LD already marks up. */
const MARKED_UP_AGAIN = /\/(?:Product|ProductGroup|Review|AggregateRating)$/;

function offersIn({ products }: PageMarkup): { name: string; node: Node }[] {
	return products.flatMap(({ name, node }) =>
		offersOf(node).map((offer) => ({ name: `offer of ${name}`, node: offer })),
	);
}

function offersOf(product: Node): Node[] {
	return [product['offers']].flat().filter(isNode);
}
