import { type CrawlerReviewsResponse, crawlerReviewsResponse } from '../contract/index.js';
import { checkValidators } from '../http/check-validators.js';
import type { Send } from '../http/create-sender.js';
import { responseProblem } from '../http/try-failure.js';
import { type CrawlerReviews, noCrawlerReviews, toCrawlerReviews } from '../records/crawler-reviews.js';
import type { Validators } from '../records/validators.js';
import { checkPid } from './check-pid.js';
import { readAnswer } from './read-answer.js';
import type { RequestOptions } from './request-options.js';

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
