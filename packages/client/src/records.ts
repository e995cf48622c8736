import type {
	CountSummary,
	CrawlerReviewsResponse,
	MediaItem,
	ProductReviewDataResponse,
	QuestionAnswer,
	ReviewItem,
	StarRatingItem,
} from './contract.js';

/**
 * Formats a timestamp as `YYYY-MM-DD` in UTC: ISO 8601 (a time without a zone counts as UTC), or milliseconds since 1970, as
 * a number or as 12 to 15 digits. Returns `undefined` for anything else, including days that do not exist: no date is
 * better than a wrong one.
 *
 * @example toDate('2026-11-20T23:30:00-05:00') // '2026-11-21'
 */
export function toDate(value: string | number | null | undefined): string | undefined {
	const time =
		typeof value === 'number' ? value : typeof value === 'string' ? readTime(value.trim()) : undefined;
	const date = new Date(time ?? Number.NaN);
	const year = date.getUTCFullYear();
	return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : undefined;
}

const ISO_8601 =
	/^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2})?(?:[.,]\d+)?(?:[Zz]|([+-]\d{2}):?(\d{2})?)?)?$/;

function readTime(value: string): number | undefined {
	if (/^\d{12,15}$/.test(value)) return Number(value);
	const [, day, minutes = '00:00', seconds = ':00', zoneHours, zoneMinutes = '00'] =
		ISO_8601.exec(value) ?? [];
	// The built-in parser accepts 31 February as 3 March.
	const midnight = new Date(`${day}T00:00Z`);
	if (midnight.getUTCDate() !== Number(day?.slice(8))) return undefined;
	const zone = zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`;
	return Date.parse(`${day}T${minutes}${seconds}${zone}`);
}

/** Validators for conditional requests (RFC 9110, 8.8), to be stored with the response they belong to. */
export interface Validators {
	/** An entity tag as sent: `"a1"` or `W/"a1"`. */
	readonly etag?: string | undefined;
	/** An HTTP date as sent. */
	readonly lastModified?: string | undefined;
}

/** Average rating, in stars, and number of ratings of one product (operation 1). */
export type StarRating = ReturnType<typeof toStarRating>;

export function toStarRating(item: StarRatingItem) {
	return {
		pid: item.pid,
		average: item.avgrtng,
		count: item.prtng,
		/** Number of questions, if the service sends it. */
		questionCount: item.queCount,
		source: item,
	};
}

/**
 * One review (operation 2). Only fields whose meaning is clear from the service's documentation have a name. The `source`
 * of this and every other record is the item as the service sent it, including unknown fields. All text is untrusted.
 */
export type Review = ReturnType<typeof toReview>;

function toReview(item: ReviewItem) {
	return {
		...toContribution(item),
		id: item._id,
		pid: item.pid,
		rating: item.rtng,
		title: item.rttl,
		city: item.ct,
		state: item.st,
		country: item.cn,
		productName: item.pn,
		productUrl: item.pu,
		productImageUrl: item.piu,
		tags: item.arrtag,
		customQuestions: item.arrcustque,
		topics: item.aitopics.map(({ key, sentiment }) => ({ key, sentiment })),
		pinned: item.ipin,
		testimonial: item.itstmnl,
		/** `true` if the author recommends the product; `undefined` if unknown. */
		recommends: item.ircmnd,
		helpfulCount: item.cntupvt,
		unhelpfulCount: item.cntdwnvt,
		/** Source that the review was imported from, if there is one. */
		externalSource: item.extsrc,
		source: item,
	};
}

/** Images and videos of one review (operation 2). URLs and texts are untrusted. */
export type Media = ReturnType<typeof toMedia>;

function toMedia(item: MediaItem) {
	return {
		...toContribution(item),
		id: item._id,
		rating: item.rtng,
		title: item.ti,
		source: item,
	};
}

function toContribution(item: ReviewItem | MediaItem) {
	return {
		author: item.un,
		body: item.rtxt,
		/** Date of the review, `YYYY-MM-DD` in UTC. */
		date: toDate(item.cdt) ?? toDate(item.createdAt),
		images: item.arrimg,
		videos: item.arrvdo,
		verified: item.ivrfd,
	};
}

/** A question about a product and its answer (operation 2). All text is untrusted. */
export type Question = ReturnType<typeof toQuestion>;

function toQuestion(item: QuestionAnswer) {
	return {
		id: item._id,
		question: item.que,
		answer: item.ans,
		/** `YYYY-MM-DD` in UTC. */
		askedOn: toDate(item.quedt),
		/** `YYYY-MM-DD` in UTC. */
		answeredOn: toDate(item.ansdt),
		author: item.cstnm,
		products: item.arrpid.map(({ pid, pn }) => ({ pid, name: pn })),
		source: item,
	};
}

/** Counts over all reviews of a product (operation 2). */
export type ReviewSummary = ReturnType<typeof toReviewSummary>;

function toReviewSummary(summary: CountSummary) {
	return {
		average: summary.avgrtng,
		count: summary.prtng,
		distribution: {
			1: summary.str1,
			2: summary.str2,
			3: summary.str3,
			4: summary.str4,
			5: summary.str5,
		},
		/** Number of reviews that recommend the product, as the service sends it. */
		recommendCount: summary.rcmnd,
		topics: summary.aitopics.map(toTopic),
		/** By language tag. */
		topicSummaries: summary.topicsmry,
		source: summary,
	};
}

/** A topic over all reviews of a product, with the number of its mentions by sentiment. */
export type Topic = ReturnType<typeof toTopic>;

function toTopic(topic: CountSummary['aitopics'][number]) {
	return {
		key: topic.key,
		/** By language tag. */
		names: Object.fromEntries(Object.entries(topic.translations).filter(([, name]) => name)),
		total: topic.total_count,
		positive: topic.positive_count,
		negative: topic.negative_count,
		neutral: topic.neutral_count,
	};
}

/** Everything the service holds about the reviews of one product (operation 2). All text is untrusted. */
export type ProductReviewData = ReturnType<typeof toProductReviewData>;

export function toProductReviewData(
	pid: string,
	{ data, dataCount, dataMedia, dataQueAns, dataCountQueAns }: ProductReviewDataResponse,
	unreadableReviews = 0,
) {
	return {
		pid,
		reviews: data.map(toReview),
		/** Number of reviews that were left out because they lack an id, a product or a rating. */
		unreadableReviews,
		summary: toReviewSummary(dataCount),
		media: dataMedia.map(toMedia),
		questions: dataQueAns.map(toQuestion),
		/** Number of questions, which may be more than are in `questions`. */
		questionCount: dataCountQueAns ?? dataQueAns.length,
	};
}

/** The crawler-readable reviews of one product as the service sent them (operation 3): untrusted text. */
export interface CrawlerReviews {
	readonly pid: string;
	/** Count and average over all ratings of the product. `average` is 0 if the service sent none. */
	readonly aggregate: { readonly count: number; readonly average: number };
	/** Html of the reviews; empty if it was not requested. Never print it: parse it. */
	readonly html: string;
	/** A `script` element with JSON-LD; empty for a product without a published review. Never print it: parse it. */
	readonly jsonld: string;
	/** For the option `known` of the next request; omitted if the service sent none that are usable. */
	readonly validators?: Validators;
}

/** @param response `undefined` for a product that the service does not know. */
export function toCrawlerReviews(pid: string, response?: CrawlerReviewsResponse): CrawlerReviews {
	return {
		pid,
		aggregate: { count: response?.dataCount.prtng ?? 0, average: response?.dataCount.avgrtng ?? 0 },
		html: response?.html ?? '',
		jsonld: response?.jsonld ?? '',
	};
}
