import { z } from 'zod';

/**
 * Schemas of single fields. Only required fields are strict. All others may be missing, null or of a wrong type without
 * invalidating the product's reviews: unreadable values become `undefined`.
 */

/** A product id. The service documents strings; a number is read as its decimal string. */
const productId = z.union([z.string().min(1), z.number().finite()]).transform((value) => String(value));

/** A required finite number. */
const requiredNumber = z.number().finite();

/** A required string; it may be empty. */
const requiredText = z.string();

/** A string that may be missing or null. */
const text = z.string().nullish().catch(undefined);

/** A timestamp as sent by the service: ISO 8601, or milliseconds since 1970 as a number. May be missing or null. */
const time = z.union([z.string(), z.number()]).nullish().catch(undefined);

/** A finite number that may be missing or null. */
const number = z.number().finite().nullish().catch(undefined);

/** A boolean that may be missing or null. */
const flag = z.boolean().nullish().catch(undefined);

/** A product id that may be missing or null. */
const optionalProductId = productId.nullish().catch(undefined);

/** Maximum number of items to read from a product's lists, in the service's order: reviews, media, questions. */
export const LONGEST_LIST = 10_000;

/** Maximum number of elements to read from a list within an item, such as the images, topics and tags of a review. */
const LONGEST_PART = 500;

/** Maximum number of languages to read. */
const MOST_LANGUAGES = 200;

/** A list of strings that may be missing or null. Other elements are dropped one by one. */
const textList = z
	.custom<unknown[]>(Array.isArray)
	.transform((items) => items.slice(0, LONGEST_PART).filter((item) => typeof item === 'string'))
	.nullish()
	.catch(undefined);

/** Values by language tag that may be missing or null. */
function byLanguage<Value extends z.ZodType>(value: Value) {
	return z
		.custom<Record<string, unknown>>(
			(given) => typeof given === 'object' && given !== null && !Array.isArray(given),
		)
		.transform((given) => Object.fromEntries(Object.entries(given).slice(0, MOST_LANGUAGES)))
		.pipe(z.record(z.string(), value))
		.nullish()
		.catch(undefined);
}

/**
 * A list of `item` that may be missing or null. Invalid elements are dropped one by one.
 * @param most maximum number of elements to read.
 */
function list<Item extends z.ZodType>(item: Item, most = LONGEST_PART) {
	return z
		.custom<unknown[]>(Array.isArray)
		.transform((items) =>
			items.slice(0, most).flatMap((given) => {
				// Checking for an object first costs a hundredth of parsing.
				const read = typeof given === 'object' && given !== null ? item.safeParse(given) : undefined;
				return read?.success ? [read.data as z.output<Item>] : [];
			}),
		)
		.nullish()
		.catch(undefined);
}

/** A topic over all reviews of a product (`dataCount.aitopics`). */
export const topic = z.looseObject({
	_id: text,
	wsid: text,
	pid: optionalProductId,
	key: text,
	/** The topic's name by language; `pt` and `en` are documented, but there may be others. */
	translations: byLanguage(text),
	total_count: number,
	positive_count: number,
	negative_count: number,
	neutral_count: number,
});

/** A sentence about one topic (`dataCount.topicsmry`). */
export const topicSummary = z.looseObject({ topic: text, text });

/** `dataCount` in the response of operation 2. Unknown fields are kept. */
export const countSummary = z.looseObject({
	pid: optionalProductId,
	wsid: text,
	avgrtng: number,
	prtng: number,
	/** Number of reviews with one star; `str2` to `str5` likewise. */
	str1: number,
	str2: number,
	str3: number,
	str4: number,
	str5: number,
	rcmnd: number,
	aitopics: list(topic),
	/** Summaries by language; `en` and `pt` are documented, but there may be others. */
	topicsmry: byLanguage(list(topicSummary)),
	isReqSyncWoo: flag,
});

export type CountSummary = z.output<typeof countSummary>;

/** A topic that the service found in one review, with its sentiment. */
export const reviewTopic = z.looseObject({ key: text, sentiment: text });

/** One element of `data` in the response of operation 2 (product review data). Unknown fields are kept. */
export const review = z.looseObject({
	_id: requiredText,
	pid: productId,
	rtng: requiredNumber,
	wsid: text,
	un: text,
	ct: text,
	st: text,
	cn: text,
	i: text,
	pn: text,
	pu: text,
	piu: text,
	rttl: text,
	rtxt: text,
	rvwst: number,
	shp: text,
	arrimg: textList,
	arrvdo: textList,
	irplyprvt: flag,
	itstmnl: flag,
	ivrfd: flag,
	ipin: flag,
	cntupvt: number,
	cntdwnvt: number,
	ircmnd: flag,
	arrcustque: textList,
	ipblshfb: flag,
	arrtag: textList,
	pgid: text,
	cdt: time,
	createdAt: time,
	udt: time,
	isdmy: flag,
	aitopics: list(reviewTopic),
	icntv: flag,
	cst1: text,
	cst2: text,
	cst3: text,
	rvwrimg: text,
	extsrc: text,
});

export type ReviewItem = z.output<typeof review>;

/** One element of `dataMedia` in the response of operation 2. Unknown fields are kept. */
export const mediaItem = z.looseObject({
	_id: text,
	wsid: text,
	un: text,
	mde: text,
	ct: text,
	st: text,
	cn: text,
	i: text,
	ti: text,
	pid: optionalProductId,
	pn: text,
	pu: text,
	piu: text,
	fa: text,
	rtng: number,
	rtxt: text,
	orgnlrtxt: text,
	cnid: textList,
	cst1: text,
	cst2: text,
	cst3: text,
	rvwst: number,
	shp: text,
	arrimg: textList,
	arrvdo: textList,
	arrvdoazr: textList,
	arrgrppid: textList,
	irplyprvt: flag,
	itstmnl: flag,
	ipin: flag,
	cntupvt: number,
	cntdwnvt: number,
	ircmnd: flag,
	istsupdeml: flag,
	csvid: text,
	arrcustque: textList,
	ipblshfb: flag,
	arrtag: textList,
	pgid: text,
	rvwrimg: text,
	extsrc: text,
	cdt: time,
	isdmy: flag,
	__v: number,
	createdAt: time,
	udt: time,
	ivrfd: flag,
	aitopics: list(reviewTopic),
});

export type MediaItem = z.output<typeof mediaItem>;

/** One element of `dataQueAns` in the response of operation 2. Unknown fields are kept. */
export const questionAnswer = z.looseObject({
	_id: text,
	wsid: text,
	que: text,
	ans: text,
	ia: flag,
	arrpid: list(z.looseObject({ pid: optionalProductId, pn: text })),
	cstnm: text,
	quedt: time,
	ansdt: time,
	src: text,
	cdt: time,
	udt: time,
	icntv: flag,
});

export type QuestionAnswer = z.output<typeof questionAnswer>;

/** One element of `data` in the response of operation 1 (star rating). Unknown fields are kept. */
export const starRatingItem = z.looseObject({
	pid: productId,
	/** Average rating. */
	avgrtng: requiredNumber,
	/** Number of ratings. */
	prtng: requiredNumber,
	/** Markup of the service's own stars; may be empty. */
	html: text,
	isReqSyncWoo: flag,
	/** Number of questions. */
	queCount: number,
});

export type StarRatingItem = z.output<typeof starRatingItem>;

/** The whole response of operation 1. */
export const starRatingResponse = z.looseObject({
	success: z.literal(true).nullish(),
	data: z.array(starRatingItem),
});

/**
 * The whole response of operation 3 (crawler-readable review html). `html` and `jsonld` are untrusted: they are input for
 * a parser, never markup to print. Each may be absent if it was not requested.
 */
export const crawlerReviewsResponse = z.looseObject({
	status: z.literal(200).nullish(),
	pid: productId,
	dataCount: z.looseObject({ prtng: requiredNumber, avgrtng: number }),
	html: z.string().nullish(),
	jsonld: z.string().nullish(),
});

export type CrawlerReviewsResponse = z.output<typeof crawlerReviewsResponse>;

/** The whole response of operation 2. Unknown fields are kept. */
export const productReviewDataResponse = z.looseObject({
	success: z.literal(true).nullish(),
	data: z.array(review),
	dataCount: countSummary.nullish().catch(undefined),
	dataMedia: list(mediaItem, LONGEST_LIST),
	dataQueAns: list(questionAnswer, LONGEST_LIST),
	dataCountQueAns: number,
});

export type ProductReviewDataResponse = z.output<typeof productReviewDataResponse>;

/** The three documented operations: method and path, relative to the base URL. */
export const OPERATIONS = {
	starRating: { method: 'POST', path: '/api/v1/getStarRating' },
	productReviewData: { method: 'POST', path: '/api/v1/getProductReviewData' },
	crawlerReviews: { method: 'GET', path: '/api/llmRvwHTML' },
} as const;

/** The name of one of the three operations. */
export type Operation = keyof typeof OPERATIONS;

/** The `id` of the service's JSON-LD script element. */
export const SCHEMA_SCRIPT_ID = 'ServiceReviewSchemaJson';
