import { z } from 'zod';

/**
 * The service's wire format: one schema per documented resource, with the service's own field names. Listed are the fields
 * that `records.ts` gives a name; unknown fields are kept as they are. Only required fields are strict. Any other that is
 * missing, null or of a wrong type is read as nothing, and does not invalidate the product's reviews.
 */

/** A product ID. The service documents strings; a number is read as its decimal string. */
const productId = z.union([z.string().min(1), z.number()]).transform((value) => String(value));

const optionalProductId = productId.optional().catch(undefined);

/** An empty text is read as nothing. */
const text = z.string().min(1).optional().catch(undefined);

/** A timestamp as sent by the service: ISO 8601, or milliseconds since 1970 as a number. */
const time = z.union([z.string(), z.number()]).optional().catch(undefined);

const number = z.number().optional().catch(undefined);

const count = z.number().catch(0);

const flag = z.boolean().catch(false);

/** Of a product's lists, in the service's order: reviews, media, questions. */
const MAX_ITEMS = 10_000;
/** Of a list within an item, such as the images, topics and tags of a review. */
const MAX_PARTS = 500;
const MAX_LANGUAGES = 200;

/** A list of strings. Other elements are dropped one by one. */
const textList = z
	.custom<unknown[]>(Array.isArray)
	.transform((items) => items.slice(0, MAX_PARTS).filter((item) => typeof item === 'string'))
	.catch([]);

/** Describes a list of objects. Invalid ones are dropped one by one. */
function listOfValid<Item extends z.ZodType>(item: Item, max: number) {
	return z.custom<unknown[]>(Array.isArray).transform((items) =>
		items.slice(0, max).flatMap((given) => {
			// Checking for an object first costs a hundredth of parsing.
			const read = typeof given === 'object' && given !== null ? item.safeParse(given) : undefined;
			return read?.success ? [read.data as z.output<Item>] : [];
		}),
	);
}

/**
 * Describes a list whose items must all be valid. Reading ends soon after the first that is not: a million issues of a
 * million items would take gigabytes.
 */
export function listOfAll<Item extends z.ZodType>(item: Item) {
	return z.custom<unknown[]>(Array.isArray).transform((items, context) => {
		const read: z.output<Item>[] = [];
		for (const [index, given] of items.entries()) {
			const result = item.safeParse(given);
			if (result.success) read.push(result.data);
			for (const issue of result.error?.issues ?? []) {
				context.issues.push({ ...issue, input: given, path: [index, ...issue.path] } as z.core.$ZodRawIssue);
			}
			if (context.issues.length > MAX_ISSUES) break;
		}
		return read;
	});
}

/** In a message. */
export const MAX_ISSUES = 3;

/** Values by language tag; `en` and `pt` are documented, but there may be others. */
function byLanguage<Value extends z.ZodType>(value: Value) {
	return z
		.custom<object>((given) => typeof given === 'object' && given !== null && !Array.isArray(given))
		.transform((given) => Object.fromEntries(Object.entries(given).slice(0, MAX_LANGUAGES)))
		.pipe(z.record(z.string(), value))
		.catch({});
}

/** Describes several fields of a kind. */
function fields<Schema extends z.ZodType, Name extends string>(schema: Schema, ...names: Name[]) {
	return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}

/** `dataCount.aitopics`: topics over all reviews of a product. */
const topic = z.looseObject({
	key: z.string().min(1),
	translations: byLanguage(text),
	...fields(count, 'total_count', 'positive_count', 'negative_count', 'neutral_count'),
});

/** `dataCount.topicsmry`: sentences about topics. */
const topicSummary = z.looseObject({ topic: z.string().min(1), text: z.string().min(1) });

/** `dataCount` in the response of operation 2. */
export const countSummary = z.looseObject({
	pid: optionalProductId,
	...fields(count, 'avgrtng', 'prtng'),
	/** Number of reviews with one star, and so on. */
	...fields(count, 'str1', 'str2', 'str3', 'str4', 'str5'),
	rcmnd: number,
	aitopics: listOfValid(topic, MAX_PARTS).catch([]),
	topicsmry: byLanguage(listOfValid(topicSummary, MAX_PARTS).catch([])),
});

export type CountSummary = z.output<typeof countSummary>;

/** One element of `data` in the response of operation 2 (product review data). */
export const review = z.looseObject({
	_id: z.string(),
	pid: productId,
	rtng: z.number(),
	...fields(text, 'un', 'ct', 'st', 'cn', 'pn', 'pu', 'piu', 'rttl', 'rtxt', 'extsrc'),
	...fields(textList, 'arrimg', 'arrvdo', 'arrcustque', 'arrtag'),
	...fields(flag, 'itstmnl', 'ivrfd', 'ipin'),
	...fields(count, 'cntupvt', 'cntdwnvt'),
	...fields(time, 'cdt', 'createdAt'),
	ircmnd: z.boolean().optional().catch(undefined),
	aitopics: listOfValid(z.looseObject({ key: z.string().min(1), sentiment: text }), MAX_PARTS).catch([]),
});

export type ReviewItem = z.output<typeof review>;

/** One element of `dataMedia` in the response of operation 2. */
export const mediaItem = z.looseObject({
	pid: optionalProductId,
	rtng: number,
	...fields(text, '_id', 'un', 'ti', 'rtxt'),
	...fields(textList, 'arrimg', 'arrvdo'),
	ivrfd: flag,
	...fields(time, 'cdt', 'createdAt'),
});

export type MediaItem = z.output<typeof mediaItem>;

/** One element of `dataQueAns` in the response of operation 2. */
export const questionAnswer = z.looseObject({
	...fields(text, '_id', 'que', 'ans', 'cstnm'),
	arrpid: listOfValid(z.looseObject({ pid: productId, pn: text }), MAX_PARTS).catch([]),
	...fields(time, 'quedt', 'ansdt'),
});

export type QuestionAnswer = z.output<typeof questionAnswer>;

/** The whole response of operation 2. */
export const productReviewDataResponse = z.looseObject({
	success: z.literal(true).nullish(),
	/** Reviews without an id, a product ID or a rating are dropped. */
	data: listOfValid(review, MAX_ITEMS),
	dataCount: countSummary.catch(countSummary.parse({})),
	dataMedia: listOfValid(mediaItem, MAX_ITEMS).catch([]),
	dataQueAns: listOfValid(questionAnswer, MAX_ITEMS).catch([]),
	dataCountQueAns: number,
});

export type ProductReviewDataResponse = z.output<typeof productReviewDataResponse>;

/** One element of `data` in the response of operation 1 (star rating). */
export const starRatingItem = z.looseObject({
	pid: productId,
	avgrtng: z.number(),
	prtng: z.number(),
	queCount: number,
});

export type StarRatingItem = z.output<typeof starRatingItem>;

export const starRatingResponse = z.looseObject({
	success: z.literal(true).nullish(),
	data: listOfAll(starRatingItem),
});

/**
 * The whole response of operation 3 (crawler-readable review html). `html` and `jsonld` are untrusted: they are input for
 * a parser, never markup to print. Each may be absent if it was not requested.
 */
export const crawlerReviewsResponse = z.looseObject({
	status: z.literal(200).nullish(),
	pid: productId,
	dataCount: z.looseObject({ prtng: z.number(), avgrtng: count }),
	html: z.string().nullish(),
	jsonld: z.string().nullish(),
});

export type CrawlerReviewsResponse = z.output<typeof crawlerReviewsResponse>;

/** The three documented operations: method and path, relative to the base URL. */
export const OPERATIONS = {
	starRating: { method: 'POST', path: '/api/v1/getStarRating' },
	productReviewData: { method: 'POST', path: '/api/v1/getProductReviewData' },
	crawlerReviews: { method: 'GET', path: '/api/llmRvwHTML' },
} as const;

export type Operation = keyof typeof OPERATIONS;

/** The `id` of the service's JSON-LD script element. */
export const SCHEMA_SCRIPT_ID = 'ServiceReviewSchemaJson';
