import { type CrawlerReviewsResponse, crawlerReviewsResponse } from '../contract/index.js';
import { checkValidators } from '../http/check-validators.js';
import type { Send } from '../http/create-sender.js';
import { responseProblem } from '../http/try-failure.js';
import { type CrawlerReviews, noCrawlerReviews, toCrawlerReviews } from '../records/crawler-reviews.js';
import type { Validators } from '../records/validators.js';
import { checkPid } from './check-pid.js';
import { readAnswer } from './read-answer.js';
import type { RequestOptions } from './request-options.js';

/** What `getCrawlerReviews` is to bring. */
export interface CrawlerReviewsRequestOptions extends RequestOptions {
	/** Whether the html is wanted. @default true */
	html?: boolean | undefined;
	/** Whether the JSON-LD is wanted. @default true */
	jsonld?: boolean | undefined;
	/**
	 * `validators` of an earlier answer about this product with the same `html` and `jsonld`. Where the service says that
	 * it is still current, the result is `'unchanged'`. What is no entity tag and no HTTP date is not sent.
	 */
	known?: Validators | undefined;
}

/**
 * Asks for the crawler-readable reviews of one product (operation 3). A 404 with a JSON
 * object for a body means: no reviews. With `known` the answer
 * may be `'unchanged'`.
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
		// What a false flag does is not documented, so an unwanted part is left out.
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

/** Reviews of another product must not reach a page, and a missing part must not pass for "no reviews". */
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
			throw responseProblem('missing-part', `the answer lacks ${part}, which was asked for,`);
		}
	}
	return answer;
}
