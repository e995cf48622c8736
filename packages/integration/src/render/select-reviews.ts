import { InvalidPropError } from '../errors.js';
import { fullStars } from '../records/rating.js';
import type { Review } from '../records/record.js';
import { readChoice, readCount } from './props.js';

/** Selects the reviews that are shown. A review must meet every given condition. */
export interface ReviewFilter {
	/** Only these numbers of stars. Half stars are rounded up. */
	readonly stars?: number | readonly number[] | undefined;
	/** Minimum number of stars. */
	readonly minRating?: number | undefined;
	/** `true` for authors who bought the product, `false` for others. */
	readonly verified?: boolean | undefined;
	/** `true` for authors who recommend the product, `false` for others. */
	readonly recommends?: boolean | undefined;
	/** `true` for reviews that the merchant shows as testimonials, `false` for others. */
	readonly testimonial?: boolean | undefined;
	/** `true` for reviews with an image or a video, `false` for others. */
	readonly hasMedia?: boolean | undefined;
	/** `true` for reviews with a text, `false` for others. */
	readonly hasText?: boolean | undefined;
	/** Language of the text, as a BCP 47 tag: `'de'` is also that of `'de-AT'`. Reviews of an unknown language have none. */
	readonly language?: string | undefined;
	/** A tag that it has. */
	readonly tag?: string | undefined;
	/** The key of a topic that it mentions. */
	readonly topic?: string | undefined;
}

/** Returns whether a review is shown. */
export type ReviewTest = (review: Required<Review>) => boolean;

/** The order in which reviews are shown. `'as-sent'` is the service's own. */
export type ReviewOrder = 'newest' | 'highest' | 'lowest' | 'as-sent';

/** The order in which full reviews are shown. `'helpful'` starts with the most helpful ones. */
export type FullReviewOrder = ReviewOrder | 'helpful';

/** Selects the reviews that are shown, and their order. */
export interface ReviewSelection {
	/** The conditions that a review must meet, or a function that returns whether to show it. @default all reviews */
	filter?: ReviewFilter | ReviewTest | undefined;
	/** Reviews pinned by the merchant come first in every order. @default 'as-sent' */
	sort?: FullReviewOrder | undefined;
	/** Maximum number of reviews. `Infinity` shows all. The page grows by about 1 KB per review. @default 100 */
	limit?: number | undefined;
}

/** Reviews that are shown and marked up unless a page sets `limit`: readers can see what search engines are told. */
const DEFAULT_LIMIT = 100;

/**
 * Returns the reviews to show, in order, on all pages together. Reviews without the date or rating that the order needs come last. Ties keep the
 * service's order.
 * @param orders the known ones. @default all
 * @throws TypeError for an invalid selection.
 */
export function selectReviews<Sent extends Review>(
	reviews: readonly Sent[],
	{ filter, sort, limit }: ReviewSelection,
	orders: readonly FullReviewOrder[] = ORDERS,
): readonly Sent[] {
	const compare = COMPARE[readChoice('`sort`', sort ?? 'as-sent', orders, MEANINGS)];
	const most = readCount('`limit`', limit ?? DEFAULT_LIMIT);
	const wanted = filter ? reviews.filter(toTest(filter)) : reviews;
	const ordered = compare ? wanted.toSorted(compare) : wanted;
	if (!ordered.some(({ pinned }) => pinned)) return ordered.slice(0, most);
	const { pinned = [], others = [] } = Object.groupBy(ordered, (review) =>
		review.pinned ? 'pinned' : 'others',
	);
	return [...pinned, ...others].slice(0, most);
}

/** The part of a selection that one of several pages shows. */
export interface ReviewPaging {
	/**
	 * Number of reviews that are shown at first, and with each "more"; with `page`, on each page.
	 * @default 20
	 */
	perPage?: number | undefined;
	/** Number of the page that is shown, from 1, of a list with pages of its own. @default all are on one page */
	page?: number | undefined;
	/** Address of its pages, with `{page}` for the number. @example '/products/kettle/reviews/{page}/' */
	pageUrl?: string | undefined;
	/** Address of the first page, where that is another. @example '/products/kettle/' @default `pageUrl` with 1 */
	firstPageUrl?: string | undefined;
}

export const PAGING_PROPS = ['perPage', 'page', 'pageUrl', 'firstPageUrl'] as const;

/** A page of a list. */
export interface ListPage {
	readonly page: number;
	/** Number of pages. */
	readonly pages: number;
	/** Number of the first review on it, from 1. */
	readonly first: number;
	readonly urlOf: (page: number) => string;
}

/**
 * Returns the reviews of one page of a list; without `page`, what {@link selectReviews} does.
 * @throws TypeError for an invalid selection, or a page without an address.
 */
export function selectPage<Sent extends Review>(
	reviews: readonly Sent[],
	{ page: given, perPage, pageUrl, firstPageUrl, limit, ...selection }: ReviewSelection & ReviewPaging,
	orders?: readonly FullReviewOrder[],
): { readonly shown: readonly Sent[]; readonly place?: ListPage } {
	if (given === undefined) return { shown: selectReviews(reviews, { ...selection, limit }, orders) };
	if (typeof pageUrl !== 'string' || !pageUrl.includes('{page}')) {
		throw new InvalidPropError(
			`\`page\` needs \`pageUrl\`, the address of the pages with \`{page}\` for their number, such as '/products/kettle/reviews/{page}/'; received '${pageUrl}'.`,
		);
	}
	const all = selectReviews(reviews, { ...selection, limit: limit ?? Number.POSITIVE_INFINITY }, orders);
	const size = readPageSize(perPage);
	const page = readCount('`page`', given, 1);
	const start = (page - 1) * size;
	const urlOf = (number: number) =>
		number === 1 && firstPageUrl !== undefined ? firstPageUrl : pageUrl.replaceAll('{page}', String(number));
	return {
		shown: all.slice(start, start + size),
		place: { page, pages: countPages(all.length, size), first: start + 1, urlOf },
	};
}

export function readPageSize(perPage: number | undefined): number {
	return readCount('`perPage`', perPage ?? 20, 1);
}

/** Returns the number of pages: a product without reviews has one, too. */
export function countPages(reviews: number, perPage: number): number {
	return Math.max(1, Math.ceil(reviews / perPage));
}

/** Orders by the names that other packages have for them. */
const MEANINGS = { latest: 'newest', recent: 'newest', best: 'highest', worst: 'lowest' } as const;

const COMPARE: Record<FullReviewOrder, ((a: Review, b: Review) => number) | undefined> = {
	'as-sent': undefined,
	newest: (a, b) => (b.date ?? '').localeCompare(a.date ?? '', 'en'),
	highest: (a, b) => (b.rating ?? 0) - (a.rating ?? 0),
	lowest: (a, b) => (a.rating ?? Number.POSITIVE_INFINITY) - (b.rating ?? Number.POSITIVE_INFINITY) || 0,
	helpful: (a, b) =>
		(b.helpfulCount ?? 0) - (a.helpfulCount ?? 0) || (a.unhelpfulCount ?? 0) - (b.unhelpfulCount ?? 0),
};

const ORDERS = Object.keys(COMPARE) as FullReviewOrder[];

export const ORDERS_WITHOUT_VOTES = ORDERS.filter((order) => order !== 'helpful');

/** Makes a function of the prop `filter`. A misspelled condition is an error, because it would show everything. */
function toTest(filter: ReviewFilter | ReviewTest): (review: Review) => boolean {
	if (typeof filter === 'function') return filter as (review: Review) => boolean;
	if (typeof filter !== 'object') {
		throw new InvalidPropError(
			`expected \`filter\` to be a function or an object, received a value of type ${typeof filter}.`,
		);
	}
	const conditions = Object.entries(filter).filter(([, value]) => value !== undefined);
	const tests = conditions.map(([name, value]) => {
		const holds = CONDITIONS[readChoice('each key of `filter`', name, CONDITION_NAMES)];
		return (review: Review) => holds(review, value as never);
	});
	return (review) => tests.every((holds) => holds(review));
}

const CONDITIONS: {
	[Name in keyof ReviewFilter]-?: (review: Review, value: NonNullable<ReviewFilter[Name]>) => boolean;
} = {
	stars: ({ rating }, value) => [value].flat().includes(fullStars(rating)),
	minRating: ({ rating }, value) => rating !== undefined && rating >= value,
	verified: ({ verified }, value) => verified === value,
	recommends: ({ recommends = false }, value) => recommends === value,
	testimonial: ({ testimonial }, value) => testimonial === value,
	hasMedia: ({ images = [], videos = [] }, value) => images.length + videos.length > 0 === value,
	language: ({ language = '' }, value) => `${language}-`.toLowerCase().startsWith(`${value}-`.toLowerCase()),
	hasText: ({ body }, value) => (body !== undefined) === value,
	tag: ({ tags = [] }, value) => tags.includes(value),
	topic: ({ topics = [] }, value) => topics.some(({ key }) => key === value),
};

const CONDITION_NAMES = Object.keys(CONDITIONS) as (keyof ReviewFilter)[];

/**
 * Says whether a filter omits reviews by their rating. An object does so with `stars` or `minRating`. A function does so if
 * every review that it drops has a lower rating than every one that it keeps.
 */
export function isSplitByRating(
	filter: ReviewSelection['filter'] | null,
	reviews: readonly Review[],
): boolean {
	if (typeof filter !== 'function') return filter?.stars !== undefined || filter?.minRating !== undefined;
	const test = toTest(filter);
	const { kept = [], dropped = [] } = Object.groupBy(reviews, (review) =>
		test(review) ? 'kept' : 'dropped',
	);
	// A review without a rating was neither kept nor dropped because of it.
	const highest = Math.max(...dropped.map(({ rating }) => rating ?? Number.POSITIVE_INFINITY));
	return dropped.length > 0 && kept.every(({ rating }) => rating !== undefined && rating > highest);
}
