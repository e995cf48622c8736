import { z } from 'zod';
import {
	mediaItem,
	type Operation,
	productReviewDataResponse,
	questionAnswer,
	review,
	starRatingItem,
	starRatingResponse,
} from './contract/index.js';
import { LONGEST_LIST } from './contract/schemas.js';
import { ReviewsConfigurationError, ReviewsHttpError } from './errors/index.js';
import { printable } from './http/create-error.js';
import { createSender, type Send } from './http/create-sender.js';
import { createTokenSource } from './http/create-token-source.js';
import { eachInPieces } from './http/read-body.js';
import {
	type CrawlerReviewsRequestOptions,
	checkPid,
	getCrawlerReviews,
	MAX_ISSUES,
	type RequestOptions,
	readAnswer,
	schemaProblem,
} from './operations/operations.js';
import { type ReviewsClientOptions, resolveOptions } from './options/options.js';
import {
	type CrawlerReviews,
	noProductReviewData,
	type ProductReviewData,
	type StarRating,
	toProductReviewData,
	toStarRating,
} from './records/records.js';

/** The three operations of the review service. All share the client's queue, breaker, pauses and retry budget. */
export interface ReviewsClient {
	/**
	 * Average rating and count of each product (operation 1). Needs a token. Products unknown to the service are missing
	 * from the map. Duplicates are requested once, and an empty list sends no request. Long lists are sent in parts of
	 * `maxListLength`, four at a time. A part that the service refuses with 413 or 400 is halved.
	 *
	 * @throws ReviewsError if a part ultimately fails, or the reason of `signal`.
	 * @example (await client.getStarRatings(['p-1', 'p-2'])).get('p-1')?.average
	 */
	getStarRatings(pids: Iterable<string>, options?: RequestOptions): Promise<Map<string, StarRating>>;
	/**
	 * Reviews, counts, media and questions of one product (operation 2). Needs a token. A product that the service
	 * does not know (404) has no reviews.
	 *
	 * @throws ReviewsError, or the reason of `signal`.
	 * @example (await client.getProductReviewData('p-1')).reviews.length
	 */
	getProductReviewData(pid: string, options?: RequestOptions): Promise<ProductReviewData>;
	/**
	 * Crawler-readable reviews of one product (operation 3). A product that the service does not know (404) has no
	 * reviews. The result is untrusted markup: parse it, never output it.
	 *
	 * @throws ReviewsError, or the reason of `signal`.
	 * @example (await client.getCrawlerReviews('p-1', { html: false })).jsonld
	 */
	getCrawlerReviews(
		pid: string,
		options?: CrawlerReviewsRequestOptions & { known?: undefined },
	): Promise<CrawlerReviews>;
	/**
	 * The same, for a caller that has an earlier answer: `'unchanged'` if the service reports that it is still current.
	 *
	 * @throws ReviewsError, or the reason of `signal`.
	 * @example
	 * const now = await client.getCrawlerReviews('p-1', { known: earlier.validators });
	 * const reviews = now === 'unchanged' ? earlier : now;
	 */
	getCrawlerReviews(
		pid: string,
		options: CrawlerReviewsRequestOptions,
	): Promise<CrawlerReviews | 'unchanged'>;
	/**
	 * Moves a waiting request about a product to the front of the queue, ahead of all that were moved earlier. It stays
	 * ahead if it is requeued. Does nothing if no such request waits.
	 *
	 * @example client.prioritize('crawlerReviews', 'p-1')
	 */
	prioritize(operation: Operation, pid: string): void;
}

/**
 * Creates a client of the review service. Create one per process and share it: requests in flight, pauses and the retry
 * budget are tracked per client.
 *
 * @throws ReviewsConfigurationError for an invalid option.
 * @example
 * const client = createReviewsClient({ baseUrl: 'https://reviews.example', wsid: 'W-1001' });
 * const { jsonld } = await client.getCrawlerReviews('p-1');
 */
export function createReviewsClient(options: ReviewsClientOptions): ReviewsClient {
	const tokens = createTokenSource(options.token);
	const settings = resolveOptions(options, (text, most) => printable(text, most, tokens.redact));
	if (settings.authorizeCrawlerReviews && !tokens.given) {
		throw new ReviewsConfigurationError(
			'The option authorizeCrawlerReviews is on, but there is no token to send. Give the option token, too.',
			'PR_MISSING_TOKEN',
		);
	}
	const { send, prioritize } = createSender(settings, tokens);
	const client = {
		async getStarRatings(pids: Iterable<string>, requestOptions: RequestOptions = {}) {
			const list = [...pids];
			list.forEach(checkPid);
			if (list.length === 0) return new Map<string, StarRating>();
			requireToken(tokens.given, 'getStarRatings');
			return getStarRatings(send, list, settings.maxListLength, requestOptions);
		},
		async getProductReviewData(pid: string, requestOptions: RequestOptions = {}) {
			requireToken(tokens.given, 'getProductReviewData');
			return getProductReviewData(send, pid, requestOptions);
		},
		async getCrawlerReviews(pid: string, requestOptions: CrawlerReviewsRequestOptions = {}) {
			return getCrawlerReviews(send, settings, pid, requestOptions);
		},
		prioritize,
	};
	// The compiler cannot see that it returns 'unchanged' only if `known` is given.
	return Object.freeze(client as ReviewsClient);
}

/**
 * Rejects an operation that requires a token, before it is sent without one.
 *
 * @throws ReviewsConfigurationError if the client has no token.
 */
function requireToken(given: boolean, operation: string): void {
	if (given) return;
	throw new ReviewsConfigurationError(
		`${operation} needs an access token, and the client was given none. Give it as the option token.`,
		'PR_MISSING_TOKEN',
	);
}

/** The response, with unchecked items in its long lists. */
const envelope = productReviewDataResponse.extend({
	data: z.array(z.unknown()),
	dataMedia: z.unknown().optional(),
	dataQueAns: z.unknown().optional(),
});

/**
 * Requests reviews, counts, media and questions of one product (operation 2). A 404 with a JSON object as its body means
 * that there are no reviews.
 */
async function getProductReviewData(
	send: Send,
	pid: string,
	{ signal, priority, requeue }: RequestOptions,
): Promise<ProductReviewData> {
	checkPid(pid);
	const body = { productId: pid.toWellFormed() };
	const answer = await send(
		{ operation: 'productReviewData', pids: [pid], body, authorize: true, signal, priority, requeue },
		async (json) => {
			const given = readAnswer(envelope, json);
			const { reviews, unreadable } = withReadableReviews(given.data);
			const data = await readItems(review, reviews, 'data');
			const dataMedia = await readableItems(mediaItem, given.dataMedia);
			const dataQueAns = await readableItems(questionAnswer, given.dataQueAns);
			return { response: { ...given, data, dataMedia, dataQueAns }, unreadable };
		},
	);
	return answer ? toProductReviewData(pid, answer.response, answer.unreadable) : noProductReviewData(pid);
}

/**
 * Returns those of the first {@link LONGEST_LIST} reviews in a response of operation 2 that have all required fields,
 * so that one bad review does not invalidate the others. If none do, returns all, so that validation can report the
 * problem.
 *
 * It does not use the schema, which would take seconds, and gigabytes, to report the issues of a million reviews.
 */
function withReadableReviews(data: readonly unknown[]): {
	readonly reviews: readonly unknown[];
	/** Number of reviews that were left out. */
	readonly unreadable: number;
} {
	const reviews = data.slice(0, LONGEST_LIST).filter(isReadable);
	if (reviews.length === 0) return { reviews: data, unreadable: 0 };
	return { reviews, unreadable: data.length - reviews.length };
}

function isReadable(item: unknown): boolean {
	if (typeof item !== 'object' || item === null) return false;
	const { _id, pid, rtng } = item as Record<string, unknown>;
	const isProductId = typeof pid === 'string' ? pid !== '' : Number.isFinite(pid);
	return typeof _id === 'string' && isProductId && Number.isFinite(rtng);
}

/**
 * Requests average and count of every product in a list (operation 1), a few lists at a time.
 *
 * @returns ratings by requested id, in the same order; products unknown to the service are left out.
 */
async function getStarRatings(
	send: Send,
	pids: readonly string[],
	maxListLength: number,
	{ signal, ...pacing }: RequestOptions,
): Promise<Map<string, StarRating>> {
	const found = new Map<string, StarRating>();
	const queue = createListQueue([...new Set(pids.map((pid) => pid.toWellFormed()))], maxListLength);
	// If one list fails, the whole call fails: the others must not continue in the background.
	const failed = new AbortController();
	const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
	const workers = Array.from({ length: PARALLEL_LISTS }, async () => {
		for (let list = queue.next(); list; list = queue.next()) {
			for (const rating of await askOrHalve(list)) found.set(rating.pid, rating);
		}
	});
	let failure: { error: unknown } | undefined;
	await Promise.all(
		workers.map((worker) =>
			worker.catch((error: unknown) => {
				failure ??= { error };
				failed.abort(error);
			}),
		),
	);
	if (failure) throw failure.error;
	return inOrder(pids, found);

	async function askOrHalve(list: readonly string[]): Promise<StarRating[]> {
		try {
			return await ask(send, list, { ...pacing, signal: either });
		} catch (error) {
			const isTooLong = error instanceof ReviewsHttpError && TOO_LONG_STATUSES.has(error.status);
			if (!isTooLong || list.length === 1) throw error;
			queue.putBackHalved(list);
			return [];
		}
	}
}

/** Enough to fetch thousands of ids quickly without burdening the service. */
const PARALLEL_LISTS = 4;

/** "Content too large", and "bad request", which some services send for a list that is too long. */
const TOO_LONG_STATUSES: ReadonlySet<number> = new Set([413, 400]);

/** The response, with unchecked items. */
const starRatingEnvelope = starRatingResponse.extend({ data: z.array(z.unknown()) });

async function ask(send: Send, list: readonly string[], options: RequestOptions): Promise<StarRating[]> {
	const { signal, priority, requeue } = options;
	const body = { listProductId: list };
	const answer = await send(
		{ operation: 'starRating', pids: list, body, authorize: true, signal, priority, requeue },
		(json) => readItems(starRatingItem, readAnswer(starRatingEnvelope, json).data, 'data'),
	);
	return (answer ?? []).map(toStarRating);
}

function inOrder(pids: readonly string[], found: ReadonlyMap<string, StarRating>): Map<string, StarRating> {
	return new Map(
		pids.flatMap((pid) => {
			const rating = found.get(pid.toWellFormed());
			return rating ? [[pid, rating] as const] : [];
		}),
	);
}

/** Lists of product ids that have yet to be requested. */
interface ListQueue {
	/** The next list; `undefined` if there is none at the moment. */
	next(): readonly string[] | undefined;
	/** Puts back a list that the service rejected as too long. From then on, lists have at most half its length. */
	putBackHalved(list: readonly string[]): void;
}

/**
 * Splits ids into lists, and into shorter ones if the service rejects a list. Halves go first, so that a single faulty id
 * is found after a few requests and not after all of them.
 */
function createListQueue(pids: readonly string[], maxLength: number): ListQueue {
	const halves: (readonly string[])[] = [];
	let length = maxLength;
	let position = 0;
	return {
		next() {
			const half = halves.pop();
			if (half) return half;
			if (position >= pids.length) return undefined;
			const list = pids.slice(position, position + length);
			position += list.length;
			return list;
		},
		putBackHalved(list) {
			const middle = Math.ceil(list.length / 2);
			length = Math.min(length, middle);
			halves.push(list.slice(middle), list.slice(0, middle));
		},
	};
}

/** Parses the items one by one, in pieces. @throws TryProblem for invalid items, at the latest at the third issue. */
async function readItems<Schema extends z.ZodType>(
	schema: Schema,
	items: readonly unknown[],
	path: string,
): Promise<z.output<Schema>[]> {
	const read: z.output<Schema>[] = [];
	const issues: z.core.$ZodIssue[] = [];
	await eachInPieces(items, (item, index) => {
		const result = schema.safeParse(item);
		if (result.success) read.push(result.data);
		else
			for (const issue of result.error.issues) issues.push({ ...issue, path: [path, index, ...issue.path] });
		return issues.length < MAX_ISSUES;
	});
	if (issues.length > 0) throw schemaProblem(issues);
	return read;
}

/**
 * Returns the readable items among the first {@link LONGEST_LIST} of a list. Unreadable ones are dropped one by one.
 * @param given unchecked part of a response; the result is `undefined` if it is not a list.
 */
async function readableItems<Schema extends z.ZodType>(
	schema: Schema,
	given: unknown,
): Promise<z.output<Schema>[] | undefined> {
	if (!Array.isArray(given)) return undefined;
	const read: z.output<Schema>[] = [];
	await eachInPieces(given.slice(0, LONGEST_LIST), (item) => {
		// Checking for an object first costs a hundredth of parsing.
		const result = typeof item === 'object' && item !== null ? schema.safeParse(item) : undefined;
		if (result?.success) read.push(result.data);
		return true;
	});
	return read;
}
