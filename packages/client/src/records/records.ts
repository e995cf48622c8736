import type {
	CountSummary,
	CrawlerReviewsResponse,
	MediaItem,
	ProductReviewDataResponse,
	QuestionAnswer,
	ReviewItem,
	StarRatingItem,
} from '../contract/index.js';

/** Returns a non-empty text; null, missing and empty texts become `undefined`. */
function orUndefined(value: string | null | undefined): string | undefined {
	return value === null || value === '' ? undefined : value;
}

/** Returns the list, or an empty one. */
function orEmpty<Item>(value: readonly Item[] | null | undefined): readonly Item[] {
	return value ?? [];
}

/**
 * Formats a timestamp as `YYYY-MM-DD` in UTC, regardless of the machine's time zone.
 *
 * Accepts ISO 8601 (a time without a zone counts as UTC) and milliseconds since 1970, as a number or as 12 to 15 digits:
 * shorter strings of digits are seconds, or no time at all. Returns `undefined` for anything else, including days that do
 * not exist: no date is better than a wrong one.
 *
 * @example toDate('2026-11-20T23:30:00-05:00') // '2026-11-21'
 */
export function toDate(value: string | number | null | undefined): string | undefined {
	// Most dates have this format. Creating Date objects for them takes longer than reading the rest of a review.
	if (typeof value === 'string' && DATE_ONLY.test(value)) {
		return exists(value) && value >= '0001' ? value : undefined;
	}
	const time =
		typeof value === 'number' ? value : typeof value === 'string' ? readTime(value.trim()) : undefined;
	const date = new Date(time ?? Number.NaN);
	if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) {
		return undefined;
	}
	return date.toISOString().slice(0, 10);
}

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

const DAY = '(\\d{4}-\\d{2}-\\d{2})';

const TIME = '[Tt ](\\d{2}:\\d{2})(:\\d{2})?(?:[.,]\\d+)?';

const ZONE = '(?:[Zz]|([+-]\\d{2}):?(\\d{2})?)?';

const ISO_8601 = new RegExp(`^${DAY}(?:${TIME}${ZONE})?$`);

function readTime(value: string): number | undefined {
	if (/^\d{12,15}$/.test(value)) return Number(value);
	const [, day, minutes = '00:00', seconds = ':00', zoneHours, zoneMinutes = '00'] =
		ISO_8601.exec(value) ?? [];
	if (day === undefined || !exists(day)) return undefined;
	const zone = zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`;
	return Date.parse(`${day}T${minutes}${seconds}${zone}`);
}

const SHORT_MONTHS: ReadonlySet<number> = new Set([4, 6, 9, 11]);

/** The built-in parser accepts 31 February as 3 March. */
function exists(day: string): boolean {
	const [month, date] = [Number(day.slice(5, 7)), Number(day.slice(8))];
	if (month < 1 || month > 12 || date < 1) return false;
	if (date <= 28) return true;
	if (month !== 2) return date <= (SHORT_MONTHS.has(month) ? 30 : 31);
	const year = Number(day.slice(0, 4));
	const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
	return isLeap && date === 29;
}

/**
 * Validators for conditional requests (RFC 9110, 8.8). They are plain strings, to be stored with the response they belong
 * to.
 */
export interface Validators {
	/** An entity tag as sent: `"a1"` or `W/"a1"`. */
	readonly etag?: string | undefined;
	/** An HTTP date as sent. */
	readonly lastModified?: string | undefined;
}

/** Average rating and number of ratings of one product (operation 1). */
export interface StarRating {
	/** Product id. */
	readonly pid: string;
	/** Average rating, in stars. */
	readonly average: number;
	/** Number of ratings. */
	readonly count: number;
	/** Number of questions, if the service sends it. */
	readonly questionCount: number | undefined;
	/** The item as the service sent it, including unknown fields. Contains untrusted text. */
	readonly source: StarRatingItem;
}

/** Converts an item of operation 1 to the names used by the rest of the code. */
export function toStarRating(item: StarRatingItem): StarRating {
	return {
		pid: item.pid,
		average: item.avgrtng,
		count: item.prtng,
		questionCount: item.queCount ?? undefined,
		source: item,
	};
}

/** Images and videos of one review (operation 2). URLs and texts are untrusted. */
export interface Media {
	readonly id: string | undefined;
	readonly author: string | undefined;
	/** Rating in stars. */
	readonly rating: number | undefined;
	readonly title: string | undefined;
	readonly body: string | undefined;
	/** `YYYY-MM-DD` in UTC. */
	readonly date: string | undefined;
	readonly images: readonly string[];
	readonly videos: readonly string[];
	readonly verified: boolean;
	/** The item as the service sent it, including unknown fields. */
	readonly source: MediaItem;
}

/** Converts a media item of operation 2 to the names used by the rest of the code. */
function toMedia(item: MediaItem): Media {
	return {
		id: orUndefined(item._id),
		author: orUndefined(item.un),
		rating: item.rtng ?? undefined,
		title: orUndefined(item.ti),
		body: orUndefined(item.rtxt),
		date: toDate(item.cdt) ?? toDate(item.createdAt),
		images: orEmpty(item.arrimg),
		videos: orEmpty(item.arrvdo),
		verified: item.ivrfd ?? false,
		source: item,
	};
}

/** A question about a product and its answer (operation 2). All text is untrusted. */
export interface Question {
	readonly id: string | undefined;
	readonly question: string | undefined;
	readonly answer: string | undefined;
	/** `YYYY-MM-DD` in UTC. */
	readonly askedOn: string | undefined;
	/** `YYYY-MM-DD` in UTC. */
	readonly answeredOn: string | undefined;
	/** Name of the customer who asked. */
	readonly author: string | undefined;
	readonly products: readonly { readonly pid: string; readonly name: string | undefined }[];
	/** The item as the service sent it, including unknown fields. */
	readonly source: QuestionAnswer;
}

/** Converts a question of operation 2 to the names used by the rest of the code. */
function toQuestion(item: QuestionAnswer): Question {
	return {
		id: orUndefined(item._id),
		question: orUndefined(item.que),
		answer: orUndefined(item.ans),
		askedOn: toDate(item.quedt),
		answeredOn: toDate(item.ansdt),
		author: orUndefined(item.cstnm),
		products: orEmpty(item.arrpid).flatMap(({ pid, pn }) => (pid ? [{ pid, name: orUndefined(pn) }] : [])),
		source: item,
	};
}

/** A topic over all reviews of a product, with its mentions by sentiment. */
export interface Topic {
	readonly key: string;
	/** The topic's name by language tag; `en` and `pt` are documented, but there may be others. */
	readonly names: Readonly<Record<string, string>>;
	readonly total: number;
	readonly positive: number;
	readonly negative: number;
	readonly neutral: number;
}

/** Counts over all reviews of a product (operation 2). */
export interface ReviewSummary {
	/** Average rating in stars. */
	readonly average: number;
	/** Number of ratings. */
	readonly count: number;
	/** Number of reviews by stars. */
	readonly distribution: Readonly<Record<1 | 2 | 3 | 4 | 5, number>>;
	/** Number of reviews that recommend the product, as the service sends it. */
	readonly recommendCount: number | undefined;
	readonly topics: readonly Topic[];
	/** Summaries of topics by language tag. */
	readonly topicSummaries: Readonly<Record<string, readonly { topic: string; text: string }[]>>;
	/** The summary as the service sent it, including unknown fields. */
	readonly source: CountSummary;
}

/** Converts `dataCount` of operation 2 to the names used by the rest of the code. */
function toReviewSummary(summary: CountSummary): ReviewSummary {
	return {
		average: summary.avgrtng ?? 0,
		count: summary.prtng ?? 0,
		distribution: {
			1: summary.str1 ?? 0,
			2: summary.str2 ?? 0,
			3: summary.str3 ?? 0,
			4: summary.str4 ?? 0,
			5: summary.str5 ?? 0,
		},
		recommendCount: summary.rcmnd ?? undefined,
		topics: orEmpty(summary.aitopics).flatMap(toTopic),
		topicSummaries: toTopicSummaries(summary.topicsmry),
		source: summary,
	};
}

function toTopic(topic: NonNullable<CountSummary['aitopics']>[number]): Topic[] {
	if (!topic.key) return [];
	const names = Object.entries(topic.translations ?? {}).flatMap(([language, name]) =>
		name ? [[language, name] as const] : [],
	);
	return [
		{
			key: topic.key,
			names: Object.fromEntries(names),
			total: topic.total_count ?? 0,
			positive: topic.positive_count ?? 0,
			negative: topic.negative_count ?? 0,
			neutral: topic.neutral_count ?? 0,
		},
	];
}

function toTopicSummaries(summaries: CountSummary['topicsmry']): ReviewSummary['topicSummaries'] {
	const entries = Object.entries(summaries ?? {}).map(([language, items]) => [
		language,
		orEmpty(items).flatMap(({ topic, text }) => {
			const said = orUndefined(text);
			return topic && said ? [{ topic, text: said }] : [];
		}),
	]);
	return Object.fromEntries(entries);
}

/**
 * One review (operation 2). Only fields whose meaning is clear from the service's documentation have a name here; all
 * others, including future ones, are in `source`. All text is untrusted.
 */
export interface Review {
	readonly id: string;
	readonly pid: string;
	/** Rating in stars. */
	readonly rating: number;
	readonly author: string | undefined;
	readonly title: string | undefined;
	readonly body: string | undefined;
	/** When the review was written, `YYYY-MM-DD` in UTC. */
	readonly date: string | undefined;
	readonly city: string | undefined;
	readonly state: string | undefined;
	readonly country: string | undefined;
	readonly productName: string | undefined;
	readonly productUrl: string | undefined;
	readonly productImageUrl: string | undefined;
	readonly images: readonly string[];
	readonly videos: readonly string[];
	readonly tags: readonly string[];
	readonly customQuestions: readonly string[];
	readonly topics: readonly { readonly key: string; readonly sentiment: string | undefined }[];
	readonly verified: boolean;
	readonly pinned: boolean;
	readonly testimonial: boolean;
	/** Whether the author recommends the product; `undefined` if unknown. */
	readonly recommends: boolean | undefined;
	readonly helpfulCount: number;
	readonly unhelpfulCount: number;
	/** Where the review was imported from, if it was. */
	readonly externalSource: string | undefined;
	/** The review as the service sent it, including unknown fields. */
	readonly source: ReviewItem;
}

/** Converts a review of operation 2 to the names used by the rest of the code. */
function toReview(item: ReviewItem): Review {
	return {
		id: item._id,
		pid: item.pid,
		rating: item.rtng,
		author: orUndefined(item.un),
		title: orUndefined(item.rttl),
		body: orUndefined(item.rtxt),
		date: toDate(item.cdt) ?? toDate(item.createdAt),
		city: orUndefined(item.ct),
		state: orUndefined(item.st),
		country: orUndefined(item.cn),
		productName: orUndefined(item.pn),
		productUrl: orUndefined(item.pu),
		productImageUrl: orUndefined(item.piu),
		images: orEmpty(item.arrimg),
		videos: orEmpty(item.arrvdo),
		tags: orEmpty(item.arrtag),
		customQuestions: orEmpty(item.arrcustque),
		topics: orEmpty(item.aitopics).flatMap(({ key, sentiment }) =>
			key ? [{ key, sentiment: orUndefined(sentiment) }] : [],
		),
		verified: item.ivrfd ?? false,
		pinned: item.ipin ?? false,
		testimonial: item.itstmnl ?? false,
		recommends: item.ircmnd ?? undefined,
		helpfulCount: item.cntupvt ?? 0,
		unhelpfulCount: item.cntdwnvt ?? 0,
		externalSource: orUndefined(item.extsrc),
		source: item,
	};
}

/** The crawler-readable reviews of one product as the service sent them (operation 3): untrusted text. */
export interface CrawlerReviews {
	/** Product id, as requested. */
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

/** Converts a response of operation 3 to the names used by the rest of the code. */
export function toCrawlerReviews(response: CrawlerReviewsResponse): CrawlerReviews {
	return {
		pid: response.pid,
		aggregate: { count: response.dataCount.prtng, average: response.dataCount.avgrtng ?? 0 },
		html: response.html ?? '',
		jsonld: response.jsonld ?? '',
	};
}

/** The result for a product that the service does not know: no reviews. */
export function noCrawlerReviews(pid: string): CrawlerReviews {
	return { pid, aggregate: { count: 0, average: 0 }, html: '', jsonld: '' };
}

/** Everything the service holds about the reviews of one product (operation 2). All text is untrusted. */
export interface ProductReviewData {
	readonly pid: string;
	readonly reviews: readonly Review[];
	/** Number of reviews that were left out because they lack an id, a product or a rating. */
	readonly unreadableReviews: number;
	/** Counts over all reviews. */
	readonly summary: ReviewSummary;
	readonly media: readonly Media[];
	readonly questions: readonly Question[];
	/** Number of questions, which may be more than are in `questions`. */
	readonly questionCount: number;
}

/** Converts a response of operation 2 to the names used by the rest of the code. */
export function toProductReviewData(
	pid: string,
	response: ProductReviewDataResponse,
	unreadableReviews = 0,
): ProductReviewData {
	const questions = orEmpty(response.dataQueAns).map(toQuestion);
	return {
		pid,
		reviews: response.data.map(toReview),
		unreadableReviews,
		summary: toReviewSummary(response.dataCount ?? {}),
		media: orEmpty(response.dataMedia).map(toMedia),
		questions,
		questionCount: response.dataCountQueAns ?? questions.length,
	};
}

/** The result for a product that the service does not know: no reviews, no questions. */
export function noProductReviewData(pid: string): ProductReviewData {
	return {
		pid,
		reviews: [],
		unreadableReviews: 0,
		summary: toReviewSummary({}),
		media: [],
		questions: [],
		questionCount: 0,
	};
}
