import type { z } from 'zod';
import { type CrawlerReviewsResponse, crawlerReviewsResponse } from '../contract/index.js';
import { ReviewsConfigurationError } from '../errors/index.js';
import { responseProblem, type TryProblem } from '../http/create-error.js';
import type { Send } from '../http/create-sender.js';
import { checkValidators } from '../http/send-once.js';
import type { Priority } from '../pacing/create-queue.js';
import {
	type CrawlerReviews,
	noCrawlerReviews,
	toCrawlerReviews,
	type Validators,
} from '../records/records.js';

/**
 * Rejects invalid product ids before they are sent.
 *
 * @throws ReviewsConfigurationError for anything except a non-empty string.
 */
export function checkPid(pid: string): void {
	if (typeof pid === 'string' && pid !== '') return;
	const found = pid === '' ? 'an empty string' : `of the type ${pid === null ? 'null' : typeof pid}`;
	throw new ReviewsConfigurationError(
		`A product id must be a string with at least one character, but it is ${found}. Check the list of products.`,
		'PR_INVALID_PRODUCT_ID',
	);
}

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

/**
 * Validates the JSON of a response with its schema.
 *
 * @throws TryProblem for a response that reports a failure or lacks a required field. It names at most three fields and
 * repeats no values, because they are untrusted.
 */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
	const refusal = refusalOf(json);
	if (refusal)
		throw responseProblem('unsuccessful', `the service answered 200, but its body says ${refusal}`);
	const result = schema.safeParse(json);
	if (result.success) return result.data;
	throw schemaProblem(result.error.issues);
}

/** Describes validation issues in an error message. */
export function schemaProblem(issues: readonly z.core.$ZodIssue[]): TryProblem {
	const more = issues.length > MAX_ISSUES ? '; and more' : '';
	return responseProblem('schema', (show) => {
		const shown = issues
			.slice(0, MAX_ISSUES)
			.map(({ path, message }) => show(`${path.join('.') || 'the body'}: ${message}`, 160));
		return `the body is not what the service documents (${shown.join('; ')}${more})`;
	});
}

/** Maximum number of issues in a message. Reading stops once it is reached. */
export const MAX_ISSUES = 3;

function refusalOf(json: unknown): string | undefined {
	if (typeof json !== 'object' || json === null) return undefined;
	if ('success' in json && json.success === false) return 'success: false';
	if ('status' in json && typeof json.status === 'number' && json.status !== 200) {
		return `status: ${json.status}`;
	}
	return undefined;
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

/**
 * Requests the crawler-readable reviews of one product (operation 3). A 404 with a JSON object as its body means that
 * there are no reviews. With `known`, the result may be `'unchanged'`.
 */
export async function getCrawlerReviews(
	send: Send,
	settings: { wsid: string; authorizeCrawlerReviews: boolean },
	pid: string,
	{ html = true, jsonld = true, known, signal, priority, requeue }: CrawlerReviewsRequestOptions,
): Promise<CrawlerReviews | 'unchanged'> {
	checkPid(pid);
	const sentPid = pid.toWellFormed();
	const query = [
		`wsid=${encodeURIComponent(settings.wsid.toWellFormed())}`,
		`pid=${encodeURIComponent(sentPid)}`,
		// The effect of a false flag is not documented, so unwanted parts are omitted.
		...(html ? ['ihtml=true'] : []),
		...(jsonld ? ['ijsonld=true'] : []),
	].join('&');
	const answer = await send<CrawlerReviews>(
		{
			operation: 'crawlerReviews',
			pids: [pid],
			query,
			known: known && checkValidators(known),
			authorize: settings.authorizeCrawlerReviews,
			signal,
			priority,
			requeue,
		},
		(json, validators) => {
			const read = checked(readAnswer(crawlerReviewsResponse, json), { pid: sentPid, html, jsonld });
			return { ...toCrawlerReviews(read), pid, ...(validators && { validators }) };
		},
	);
	return answer ?? noCrawlerReviews(pid);
}

/** Reviews of another product must not reach a page, and a missing part must not be taken for "no reviews". */
function checked(
	answer: CrawlerReviewsResponse,
	wanted: { pid: string; html: boolean; jsonld: boolean },
): CrawlerReviewsResponse {
	if (answer.pid !== wanted.pid) {
		const { pid } = answer;
		throw responseProblem(
			'wrong-product',
			(show) => `the answer is about another product, "${show(pid, 80)}",`,
		);
	}
	for (const part of ['html', 'jsonld'] as const) {
		if (wanted[part] && answer[part] === undefined) {
			throw responseProblem('missing-part', `the answer lacks ${part}, which was requested,`);
		}
	}
	return answer;
}
