import type { ListFacts, OffersFacts, ProductFacts, SchemaFacts, StarsFacts } from '../render/parts.js';
import type { PlacedProduct, PlacementRule } from './rule.js';

/** Rules about what components placed on a page, in the order of the warnings. To add one, add an entry. */
export const PLACEMENT_RULES = [
	{
		name: 'schema-without-reviews',
		demand: 'The page shows the reviews that its JSON-LD marks up.',
		about: isStated,
		find: each(
			({ schemas, lists, hasOwnMarkup }) => schemas.length > 0 && lists.length === 0 && !hasOwnMarkup,
		),
		wrong: '<ReviewSchema> marks up reviews that the page does not show',
		remedy: 'Add <ProductReviews> or <ReviewList> of the same product.',
	},
	{
		name: 'schema-lists-more',
		demand: 'The page shows as many reviews as its JSON-LD marks up.',
		about: isStated,
		find: each(
			({ schemas, lists }) => lists.length > 0 && schemas.some((schema) => !lists.some(showsAllOf(schema))),
		),
		wrong: '<ReviewSchema> marks up more reviews than the list of reviews shows',
		remedy: 'Give both the same `limit` and `sort`.',
	},
	{
		name: 'hidden-only',
		demand: 'Visitors can see the reviews that are in the source of the page.',
		about: isListed,
		find: each(
			({ schemas, lists, stars, hasOwnMarkup }) =>
				lists.length > 0 &&
				lists.every(isHidden) &&
				!hasOwnMarkup &&
				// Stars alone do not show the marked-up reviews.
				(schemas.length > 0 || stars.length === 0),
		),
		wrong: 'reviews are in the source of the page, but nobody can see them',
		remedy:
			'Search engines treat that as hidden text: set `display="visible"` on <ProductReviews>. This is fine only if the widget of the service shows the same reviews.',
	},
	{
		name: 'low-ratings-hidden',
		demand: 'Reviews with low ratings are shown next to the average.',
		about: isListed,
		find: each(
			({ schemas, lists, stars, hasOwnMarkup }) =>
				schemas.length + stars.length > 0 &&
				lists.some(({ isSplitByRating }) => isSplitByRating) &&
				!lists.some((list) => !isHidden(list) && !list.isSplitByRating) &&
				!hasOwnMarkup,
		),
		wrong: 'a filter leaves out reviews by rating, next to an average over all of them',
		remedy:
			'Consumer law forbids hiding low ratings: remove the rating from `filter` of <ReviewList> or <ReviewSection>. Visitors can choose a number of stars themselves.',
	},
	{
		name: 'counts-differ',
		demand: 'All counts of a product are the same.',
		about: isShown,
		find: each(({ schemas, lists, stars }) => {
			const counts = new Set([...schemas, ...lists, ...stars].flatMap(({ count }) => count ?? []));
			const listed = Math.max(0, ...schemas.map((schema) => schema.listed));
			return counts.size > 1 || [...counts].some((count) => listed > count);
		}),
		wrong: 'the counts of a product contradict each other',
		remedy: 'Build again. If the warning stays, check what the service sends as "dataCount".',
	},
	{
		name: 'schema-twice',
		demand: '<ReviewSchema> is used once for a product.',
		about: isStated,
		find: each(({ schemas }) => schemas.length > 1),
		wrong: '<ReviewSchema> is used twice for the same product',
		remedy: 'Remove one.',
	},
	{
		name: 'different-ids',
		demand: '<ReviewSchema> gives a product one `@id`.',
		about: isStated,
		find: each(({ schemas }) => new Set(schemas.flatMap(({ id }) => id ?? [])).size > 1),
		wrong: '<ReviewSchema> gives one product two different `@id`s',
		remedy: 'Give both the same `id`, or keep one of them.',
	},
	{
		name: 'several-products',
		demand: '<ReviewSchema> is used for one product.',
		about: isStated,
		find: (page) => {
			const stated = page.filter(({ schemas }) => schemas.length > 0);
			return stated.length > 1 ? stated : [];
		},
		wrong: '<ReviewSchema> is used for more than one product',
		remedy:
			'Search engines expect one product per page: keep <ReviewSchema> for it, and use <StarRating> for the others.',
	},
	{
		name: 'offer-without-price',
		demand: 'Every offer of <ReviewSchema> has a price.',
		about: isStated,
		find: each(({ offers }) => offers.some(({ lacks }) => lacks.includes('price'))),
		wrong: '<ReviewSchema> has an offer without a price',
		remedy:
			'Search engines do not show such an offer: add `price` to `product.offers`, or `lowPrice` if it summarizes several offers.',
	},
	{
		name: 'offer-without-currency',
		demand: 'Every offer of <ReviewSchema> has a currency.',
		about: isStated,
		find: each(({ offers }) => offers.some(({ lacks }) => lacks.includes('priceCurrency'))),
		wrong: '<ReviewSchema> has an offer without a currency',
		remedy:
			"Search engines do not show such an offer: add `priceCurrency` to `product.offers`, such as priceCurrency: 'EUR'.",
	},
] as const satisfies readonly PlacementRule[];

/** Groups what is known about a page by product. */
export function byProduct(facts: readonly ProductFacts[]): PlacedProduct[] {
	const products = new Map<string, ReturnType<typeof nothingOf>>();
	for (const one of facts) {
		const placed = products.get(one.pid) ?? nothingOf(one.pid);
		products.set(one.pid, placed);
		if (one.component === 'ReviewSchema') placed.schemas.push(one);
		else if (one.component === 'offers') placed.offers.push(one);
		else if (one.component === 'own-markup') placed.hasOwnMarkup = true;
		else if ('shown' in one) placed.lists.push(one);
		else placed.stars.push(one);
	}
	return [...products.values()];
}

function nothingOf(pid: string) {
	const nothing: { schemas: SchemaFacts[]; lists: ListFacts[]; stars: StarsFacts[]; offers: OffersFacts[] } =
		{
			schemas: [],
			lists: [],
			stars: [],
			offers: [],
		};
	return { pid, ...nothing, hasOwnMarkup: false };
}

function isStated({ schemas, offers }: PlacedProduct): boolean {
	return schemas.length > 0 || offers.length > 0;
}

function isListed({ lists }: PlacedProduct): boolean {
	return lists.length > 0;
}

function isShown(product: PlacedProduct): boolean {
	return isStated(product) || isListed(product) || product.stars.length > 0;
}

function each(isBroken: (product: PlacedProduct) => boolean): PlacementRule['find'] {
	return (page) => page.filter(isBroken);
}

/** Reviews that the service left out of the one and not of the other are no fault of the page. */
function showsAllOf({ listed, sort }: SchemaFacts): (list: ListFacts) => boolean {
	return (list) => list.isAll || (list.sort === sort && listed <= list.shown);
}

function isHidden({ display }: ListFacts): boolean {
	return display === 'hidden';
}
