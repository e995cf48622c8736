import { z } from 'zod';
import { Call, checkValidators, type ReadAnswer, type ReviewsRequest } from './call.js';
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
import { type ReviewsClientOptions, resolveOptions } from './options.js';
import type { CrawlerReviews, ProductReviewData, StarRating, Validators } from './records.js';
import { toCrawlerReviews, toProductReviewData, toStarRating } from './records.js';
import { TokenSource } from './secrets.js';
import { Sender } from './sender.js';
import type { RequestOptions } from './throttle.js';

export interface CrawlerReviewsRequestOptions extends RequestOptions {
	/** `true` to request the html. @default true */
	html?: boolean | undefined;
	/** `true` to request the JSON-LD. @default true */
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
	 * `maxListLength`. A part that the service refuses with 413 or 400 is halved.
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
	const { wsid, maxListLength, sendTokenForReviews } = settings;
	if (sendTokenForReviews && !tokens.isGiven) {
		throw new ReviewsConfigurationError(
			'The option sendTokenForReviews is on, but there is no token to send. Give the option token, too.',
			'PR_MISSING_TOKEN',
		);
	}
	const sender = new Sender(settings);
	const send = <Answer>(request: ReviewsRequest, read: ReadAnswer<Answer>) =>
		sender.send(request, (begun) => new Call(begun, read, settings, tokens));

	function requireToken(operation: string): void {
		if (tokens.isGiven) return;
		throw new ReviewsConfigurationError(
			`${operation} needs an access token, and the client was given none. Give it as the option token.`,
			'PR_MISSING_TOKEN',
		);
	}

	/** Adds the ratings of a list. If the service refuses it, a single faulty id is found after a few requests. */
	async function askOrHalve(
		list: readonly string[],
		requestOptions: RequestOptions,
		found: Map<string, StarRating>,
	): Promise<void> {
		try {
			const body = { listProductId: list };
			const answer = await send(
				{ ...requestOptions, operation: 'starRating', pids: list, body, authorize: true },
				(json, call) => parseAnswer(starRatingResponse, json, call),
			);
			if (typeof answer !== 'object') return;
			for (const item of answer.data) found.set(item.pid, toStarRating(item));
		} catch (error) {
			const isTooLong = error instanceof ReviewsHttpError && TOO_LONG_STATUSES.has(error.status);
			if (!isTooLong || list.length === 1) throw error;
			const middle = Math.ceil(list.length / 2);
			for (const half of [list.slice(0, middle), list.slice(middle)]) {
				await askOrHalve(half, requestOptions, found);
			}
		}
	}

	const client = {
		async getStarRatings(given: Iterable<string>, requestOptions: RequestOptions = {}) {
			const pids = [...given];
			pids.forEach(checkPid);
			const found = new Map<string, StarRating>();
			if (pids.length === 0) return found;
			requireToken('getStarRatings');
			const ids = [...new Set(pids.map((pid) => pid.toWellFormed()))];
			const lists = Array.from({ length: Math.ceil(ids.length / maxListLength) }, (_, index) =>
				ids.slice(index * maxListLength, (index + 1) * maxListLength),
			);
			// If one list fails, the whole call fails: the others must not continue in the background.
			const failed = new AbortController();
			const signal = AbortSignal.any([failed.signal, requestOptions.signal ?? []].flat());
			try {
				await Promise.all(lists.map((list) => askOrHalve(list, { ...requestOptions, signal }, found)));
			} catch (error) {
				failed.abort(error);
				throw error;
			}
			const ratings = pids.map((pid) => [pid, found.get(pid.toWellFormed())] as const);
			return new Map(ratings.filter((entry): entry is [string, StarRating] => entry[1] !== undefined));
		},
		async getProductReviewData(pid: string, requestOptions: RequestOptions = {}): Promise<ProductReviewData> {
			requireToken('getProductReviewData');
			checkPid(pid);
			const body = { productId: pid.toWellFormed() };
			const answer = await send(
				{ ...requestOptions, operation: 'productReviewData', pids: [pid], body, authorize: true },
				(json, call) => {
					const response = parseAnswer(productReviewDataResponse, json, call);
					const sent = (json as { data: unknown[] }).data.length;
					// One bad review does not invalidate the others. If all are bad, the message says what is wrong with them.
					if (response.data.length === 0 && sent > 0) parseAnswer(strictResponse, json, call);
					return toProductReviewData(pid, response, sent - response.data.length);
				},
			);
			return typeof answer === 'object'
				? answer
				: toProductReviewData(pid, productReviewDataResponse.parse({ data: [] }));
		},
		async getCrawlerReviews(
			pid: string,
			{ html = true, jsonld = true, known, ...requestOptions }: CrawlerReviewsRequestOptions = {},
		): Promise<CrawlerReviews | 'unchanged'> {
			checkPid(pid);
			const wanted = { html, jsonld };
			const parts = (['html', 'jsonld'] as const).filter((part) => wanted[part]);
			const query = [
				`wsid=${encodeURIComponent(wsid.toWellFormed())}`,
				`pid=${encodeURIComponent(pid.toWellFormed())}`,
				// The effect of a false flag is not documented, so unwanted parts are omitted.
				...parts.map((part) => `i${part}=true`),
			].join('&');
			const answer = await send(
				{
					...requestOptions,
					operation: 'crawlerReviews',
					pids: [pid],
					query,
					authorize: sendTokenForReviews,
					known: known && checkValidators(known),
				},
				(json, call, validators) => {
					const response = parseAnswer(crawlerReviewsResponse, json, call);
					// Reviews of another product must not reach a page, and a missing part is not the same as "no reviews".
					if (response.pid !== pid.toWellFormed()) {
						const other = call.show(response.pid, 80);
						throw call.responseError('wrong-product', `the answer is about another product, "${other}",`);
					}
					const missing = parts.find((part) => response[part] === undefined);
					if (missing) {
						throw call.responseError('missing-part', `the answer lacks ${missing}, which was requested,`);
					}
					return { ...toCrawlerReviews(pid, response), ...(validators && { validators }) };
				},
			);
			return answer ?? toCrawlerReviews(pid);
		},
		prioritize: sender.prioritize,
	};
	// The compiler cannot see that it returns 'unchanged' only if `known` is given.
	return Object.freeze(client as ReviewsClient);
}

/** "Content too large", and "bad request", which some services send for a list that is too long. */
const TOO_LONG_STATUSES: ReadonlySet<number> = new Set([413, 400]);

const strictResponse = z.object({ data: listOfAll(review) });

function checkPid(pid: string): void {
	if (typeof pid === 'string' && pid !== '') return;
	const found = pid === '' ? 'an empty string' : `of the type ${pid === null ? 'null' : typeof pid}`;
	throw new ReviewsConfigurationError(
		`A product ID must be a string with at least one character, but it is ${found}. Check the list of products.`,
		'PR_INVALID_PRODUCT_ID',
	);
}

/** @throws ReviewsResponseError that names at most three fields and repeats no values, because they are untrusted. */
function parseAnswer<Schema extends z.ZodType>(
	schema: Schema,
	json: unknown,
	call: Call<unknown>,
): z.output<Schema> {
	const { success, status } = (json ?? {}) as { readonly success?: unknown; readonly status?: unknown };
	const isRefused = typeof status === 'number' && status !== 200;
	if (success === false || isRefused) {
		const said = success === false ? 'success: false' : `status: ${status}`;
		throw call.responseError('unsuccessful', `the service answered 200, but its body says ${said}`);
	}
	const result = schema.safeParse(json);
	if (result.success) return result.data;
	const problems = result.error.issues
		.slice(0, MAX_ISSUES + 1)
		.map(({ path, message }, index) =>
			index < MAX_ISSUES ? call.show(`${path.join('.') || 'the body'}: ${message}`, 160) : 'and more',
		)
		.join('; ');
	throw call.responseError('schema', `the body is not what the service documents (${problems})`);
}
