import { z } from 'zod';
import type { Call, Priority } from './call.js';
import {
	crawlerReviewsResponse,
	listOfAll,
	MAX_ISSUES,
	type Operation,
	productReviewDataResponse,
	review,
	starRatingResponse,
} from './contract.js';
import { ReviewsConfigurationError, ReviewsHttpError } from './errors.js';
import { checkValidators } from './exchange.js';
import {
	missingPart,
	nothingToAuthorizeWith,
	productIdInvalid,
	tokenMissing,
	undocumented,
	unsuccessful,
	wrongProduct,
} from './messages.js';
import { type ReviewsClientOptions, resolveOptions } from './options.js';
import {
	type CrawlerReviews,
	type ProductReviewData,
	type StarRating,
	toCrawlerReviews,
	toProductReviewData,
	toStarRating,
	type Validators,
} from './records.js';
import { TokenSource } from './secrets.js';
import { Sender } from './sender.js';

/** Options of every operation. */
export interface RequestOptions {
	/** Ends the operation, even while it waits for its turn. It then throws the signal's reason. */
	signal?: AbortSignal | undefined;
	/**
	 * `'low'` for unknown products, such as ids from URLs that anyone may have made up. Such requests are sent when no
	 * others wait, and their failures never stop others from being sent.
	 * @default 'normal'
	 */
	priority?: Priority | undefined;
	/**
	 * Whether a request whose tries have all failed is sent once more, after all that wait. For programs that request
	 * many products and can wait, because among many, one is likely to fail several times in a row. It has no effect if
	 * the client's `retries` is 0. `deadline` applies to each turn.
	 * @default false
	 */
	requeue?: boolean | undefined;
}

/** Options of `getCrawlerReviews`. */
export interface CrawlerReviewsRequestOptions extends RequestOptions {
	/** Whether to request the html. @default true */
	html?: boolean | undefined;
	/** Whether to request the JSON-LD. @default true */
	jsonld?: boolean | undefined;
	/**
	 * `validators` of an earlier response for this product with the same `html` and `jsonld`. If the service reports
	 * that it is still current, the result is `'unchanged'`. Invalid entity tags and HTTP dates are not sent.
	 */
	known?: Validators | undefined;
}

/** The three operations of the review service. All share the client's queue, circuit breaker and pauses. */
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
 * Creates a client of the review service. Create one per process and share it: requests in flight, pauses and failures
 * are tracked per client.
 *
 * @throws ReviewsConfigurationError for an invalid option.
 * @example
 * const client = createReviewsClient({ baseUrl: 'https://reviews.example', wsid: 'W-1001' });
 * const { jsonld } = await client.getCrawlerReviews('p-1');
 */
export function createReviewsClient(options: ReviewsClientOptions): ReviewsClient {
	const tokens = new TokenSource(options.token);
	const settings = resolveOptions(options, tokens.show);
	const { wsid, maxListLength, authorizeCrawlerReviews } = settings;
	if (authorizeCrawlerReviews && !tokens.isGiven) {
		throw new ReviewsConfigurationError(nothingToAuthorizeWith, 'PR_MISSING_TOKEN');
	}
	const sender = new Sender(settings, tokens);
	const requireToken = (operation: string) => {
		if (!tokens.isGiven) throw new ReviewsConfigurationError(tokenMissing(operation), 'PR_MISSING_TOKEN');
	};
	const client = {
		async getStarRatings(pids: Iterable<string>, requestOptions: RequestOptions = {}) {
			const list = [...pids];
			list.forEach(checkPid);
			if (list.length === 0) return new Map<string, StarRating>();
			requireToken('getStarRatings');
			return await getStarRatings(sender, list, maxListLength, requestOptions);
		},
		async getProductReviewData(
			pid: string,
			{ signal, priority, requeue }: RequestOptions = {},
		): Promise<ProductReviewData> {
			requireToken('getProductReviewData');
			checkPid(pid);
			const body = { productId: pid.toWellFormed() };
			const answer = await sender.send(
				{ operation: 'productReviewData', pids: [pid], body, authorize: true, signal, priority, requeue },
				(json, call) => readProductReviewData(pid, json, call),
			);
			return typeof answer === 'object'
				? answer
				: toProductReviewData(pid, productReviewDataResponse.parse({ data: [] }));
		},
		async getCrawlerReviews(
			pid: string,
			{ html = true, jsonld = true, known, signal, priority, requeue }: CrawlerReviewsRequestOptions = {},
		): Promise<CrawlerReviews | 'unchanged'> {
			checkPid(pid);
			const query = [
				`wsid=${encodeURIComponent(wsid.toWellFormed())}`,
				`pid=${encodeURIComponent(pid.toWellFormed())}`,
				// The effect of a false flag is not documented, so unwanted parts are omitted.
				...(html ? ['ihtml=true'] : []),
				...(jsonld ? ['ijsonld=true'] : []),
			].join('&');
			const conditions = { known: known && checkValidators(known), signal, priority, requeue };
			const answer = await sender.send(
				{
					operation: 'crawlerReviews',
					pids: [pid],
					query,
					authorize: authorizeCrawlerReviews,
					...conditions,
				},
				(json, call, validators) => {
					const response = readCrawlerReviews(pid, { html, jsonld }, json, call);
					return { ...response, ...(validators && { validators }) };
				},
			);
			return answer ?? toCrawlerReviews(pid);
		},
		prioritize: sender.prioritize,
	};
	// The compiler cannot see that it returns 'unchanged' only if `known` is given.
	return Object.freeze(client as ReviewsClient);
}

/**
 * Rejects invalid product ids before they are sent.
 *
 * @throws ReviewsConfigurationError for anything except a non-empty string.
 */
function checkPid(pid: string): void {
	if (typeof pid === 'string' && pid !== '') return;
	const found = pid === '' ? 'an empty string' : `of the type ${pid === null ? 'null' : typeof pid}`;
	throw new ReviewsConfigurationError(productIdInvalid(found), 'PR_INVALID_PRODUCT_ID');
}

/**
 * Requests average and count of every product in a list (operation 1), a few lists at a time.
 *
 * @returns ratings by requested id, in the same order; products unknown to the service are left out.
 */
async function getStarRatings(
	sender: Sender,
	pids: readonly string[],
	maxListLength: number,
	options: RequestOptions,
): Promise<Map<string, StarRating>> {
	const ids = [...new Set(pids.map((pid) => pid.toWellFormed()))];
	const found = new Map<string, StarRating>();
	// If one list fails, the whole call fails: the others must not continue in the background.
	const failed = new AbortController();
	const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
	let length = maxListLength;
	let position = 0;
	const takeList = () => {
		const list = ids.slice(position, position + length);
		position += list.length;
		return list;
	};

	/** Lists get shorter after one that was too long. A single faulty id is found after a few requests. */
	async function askOrHalve(list: readonly string[]): Promise<void> {
		try {
			const request = {
				...options,
				operation: 'starRating',
				pids: list,
				body: { listProductId: list },
				authorize: true,
				signal,
			} as const;
			const answer = await sender.send(request, (json, call) => parseAnswer(starRatingResponse, json, call));
			if (typeof answer !== 'object') return;
			for (const item of answer.data) found.set(item.pid, toStarRating(item));
		} catch (error) {
			const isTooLong = error instanceof ReviewsHttpError && TOO_LONG_STATUSES.has(error.status);
			if (!isTooLong || list.length === 1) throw error;
			const middle = Math.ceil(list.length / 2);
			length = Math.min(length, middle);
			await askOrHalve(list.slice(0, middle));
			await askOrHalve(list.slice(middle));
		}
	}
	const workers = Array.from({ length: PARALLEL_LISTS }, async () => {
		try {
			for (let list = takeList(); list.length > 0; list = takeList()) await askOrHalve(list);
		} catch (error) {
			failed.abort(error);
			throw error;
		}
	});
	await Promise.all(workers);
	return new Map(
		pids.flatMap((pid) => {
			const rating = found.get(pid.toWellFormed());
			return rating ? [[pid, rating] as const] : [];
		}),
	);
}

/** Enough to fetch thousands of ids quickly without burdening the service. */
const PARALLEL_LISTS = 4;

/** "Content too large", and "bad request", which some services send for a list that is too long. */
const TOO_LONG_STATUSES: ReadonlySet<number> = new Set([413, 400]);

function readProductReviewData(pid: string, json: unknown, call: Call): ProductReviewData {
	const response = parseAnswer(productReviewDataResponse, json, call);
	const sent = (json as { data: unknown[] }).data.length;
	// One bad review does not invalidate the others. If all are bad, the message says what is wrong with them.
	if (response.data.length === 0 && sent > 0) parseAnswer(strictResponse, json, call);
	return toProductReviewData(pid, response, sent - response.data.length);
}

const strictResponse = z.object({ data: listOfAll(review) });

/** Reviews of another product must not reach a page, and a missing part must not be taken for "no reviews". */
function readCrawlerReviews(
	pid: string,
	wanted: { readonly html: boolean; readonly jsonld: boolean },
	json: unknown,
	call: Call,
): CrawlerReviews {
	const response = parseAnswer(crawlerReviewsResponse, json, call);
	if (response.pid !== pid.toWellFormed()) {
		throw call.responseError('wrong-product', wrongProduct(call.show(response.pid, 80)));
	}
	for (const part of ['html', 'jsonld'] as const) {
		if (wanted[part] && response[part] === undefined) {
			throw call.responseError('missing-part', missingPart(part));
		}
	}
	return toCrawlerReviews(pid, response);
}

/**
 * Validates the JSON of a response with its schema.
 *
 * @throws ReviewsResponseError for a response that reports a failure or lacks a required field. It names at most three
 * fields and repeats no values, because they are untrusted.
 */
function parseAnswer<Schema extends z.ZodType>(schema: Schema, json: unknown, call: Call): z.output<Schema> {
	const refusal = refusalOf(json);
	if (refusal) throw call.responseError('unsuccessful', unsuccessful(refusal));
	const result = schema.safeParse(json);
	if (result.success) return result.data;
	const { issues } = result.error;
	const shown = issues
		.slice(0, MAX_ISSUES)
		.map(({ path, message }) => call.show(`${path.join('.') || 'the body'}: ${message}`, 160));
	throw call.responseError('schema', undocumented(shown, issues.length > MAX_ISSUES));
}

function refusalOf(json: unknown): string | undefined {
	if (typeof json !== 'object' || json === null) return undefined;
	if ('success' in json && json.success === false) return 'success: false';
	if ('status' in json && typeof json.status === 'number' && json.status !== 200) {
		return `status: ${json.status}`;
	}
	return undefined;
}
