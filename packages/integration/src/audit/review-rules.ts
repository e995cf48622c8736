import { isGiven, isNode } from '../render/own-product.js';
import { type MarkupNode, typesOf } from './markup.js';
import { eachPart, firstNode, isCount, toNumber } from './markup-parts.js';
import type { MarkupRule } from './rule.js';

/** Rules about the ratings and reviews in the structured data of a finished page. To add one, add an entry. */
export const REVIEW_RULES = [
	{
		name: 'rating-in-range',
		demand: 'A rating is a number between the lowest and the highest rating.',
		judge: eachPart(({ ratings }) => ratings, isInRange),
		wrong: 'a rating in the JSON-LD is not a number within its scale',
		remedy:
			'Write `ratingValue` as a number with a dot. The scale is 1 to 5 unless the rating says otherwise.',
	},
	{
		name: 'rating-scale',
		demand: 'A rating says what the lowest and the highest rating are.',
		judge: eachPart(
			({ ratings }) => ratings,
			({ node }) => isGiven(node['bestRating']) && isGiven(node['worstRating']),
		),
		wrong: 'a rating in the JSON-LD does not say its scale',
		remedy: 'Add `bestRating` and `worstRating`.',
		isRecommended: true,
	},
	{
		name: 'rating-counted',
		demand: 'A rating counts at least one rating or review.',
		judge: eachPart(
			({ ratings }) => ratings,
			({ node }) => isCount(node['reviewCount']) || isCount(node['ratingCount']),
		),
		wrong: 'a rating in the JSON-LD does not say how many ratings it has, or says none',
		remedy: 'Leave out `aggregateRating` for a product without ratings.',
	},
	{
		name: 'rating-of-product',
		demand: 'Ratings and reviews are about a product, not about the business itself.',
		judge: eachPart(
			({ ratings, reviews }) => [...ratings, ...reviews],
			({ owner }) => !owner || !typesOf(owner).some((type) => BUSINESS.test(type)),
		),
		wrong: 'the JSON-LD rates the business',
		remedy: 'Remove its rating and reviews. Search engines ignore ratings of a business on its own site.',
	},
	{
		name: 'reviews-attributed',
		demand: 'Every review has an author with a name of fewer than 100 characters.',
		judge: eachPart(({ reviews }) => reviews, isAttributed),
		wrong: 'a review in the JSON-LD has no author, or one with a long name',
		remedy: 'Leave reviews without an author out of the JSON-LD.',
	},
	{
		name: 'reviews-rated',
		demand: 'Every review has a rating.',
		judge: eachPart(
			({ reviews }) => reviews,
			({ node }) => toNumber(firstNode(node['reviewRating'])?.['ratingValue']) !== undefined,
		),
		wrong: 'a review in the JSON-LD has no rating',
		remedy: 'Leave reviews without a rating out of the JSON-LD.',
	},
	{
		name: 'reviews-dated',
		demand: 'Every review has a date in ISO 8601.',
		judge: eachPart(
			({ reviews }) => reviews,
			({ node }) => ISO_DATE.test(String(node['datePublished'])),
		),
		wrong: 'a review in the JSON-LD has no date, or not in ISO 8601',
		remedy: 'The service did not send a usable date. Search engines accept the review without one.',
		isRecommended: true,
	},
	{
		name: 'reviews-placed',
		demand: 'What a review or rating is about is stated once: by its place, or by `itemReviewed`.',
		judge: eachPart(
			({ ratings, reviews }) => [...ratings, ...reviews],
			({ node, owner }) => (owner ? !('itemReviewed' in node) : isAboutSomething(node['itemReviewed'])),
		),
		wrong: 'a review or rating in the JSON-LD does not say what it is about, or says it twice',
		remedy: 'Put it into its product. `itemReviewed` is for reviews that stand alone.',
	},
	{
		name: 'reviews-own',
		demand: 'All reviews have the same publisher: the store itself.',
		judge: ({ reviews }) => {
			const publishers = new Set(reviews.flatMap(({ node }) => firstNode(node['publisher'])?.['name'] ?? []));
			return { isAbout: publishers.size > 0, broken: publishers.size > 1 ? [...publishers].map(String) : [] };
		},
		wrong: 'the JSON-LD has reviews of several publishers',
		remedy:
			'Search engines want reviews from this site only: name the store in the option `publishers` of productReviews().',
		isRecommended: true,
	},
] as const satisfies readonly MarkupRule[];

/** Types of businesses, whose ratings on their own site search engines ignore. */
const BUSINESS = /(?:Organization|Business|Store|Shop|Corporation|Restaurant|Hotel)$/;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
/** Names must be shorter, in characters. */
const LONGEST_NAME = 100;
/** The scale of a rating that does not state one. */
const DEFAULT_SCALE = { worst: 1, best: 5 };

function isInRange({ node }: MarkupNode): boolean {
	const value = toNumber(node['ratingValue']);
	const worst = toNumber(node['worstRating']) ?? DEFAULT_SCALE.worst;
	const best = toNumber(node['bestRating']) ?? DEFAULT_SCALE.best;
	return value !== undefined && value >= worst && value <= best;
}

function isAttributed({ node }: MarkupNode): boolean {
	const names = [node['author']].flat().map((author) => (isNode(author) ? author['name'] : author));
	return (
		names.length > 0 &&
		names.every((name) => typeof name === 'string' && name.trim() !== '' && name.length < LONGEST_NAME)
	);
}

function isAboutSomething(item: unknown): boolean {
	const node = firstNode(item);
	return node !== undefined && (isGiven(node['@id']) || (isGiven(node['@type']) && isGiven(node['name'])));
}
