import { OPERATIONS, type StarRatingItem } from 'product-reviews-client/contract';
import { z } from 'zod';
import { products } from '../database/products.js';
import { questions } from '../database/questions.js';
import { type RatingSummary, ratingSummary } from '../database/rating-summary.js';
import { answer } from '../server/answer.js';
import { authorize } from '../server/authorize.js';
import { HttpError } from '../server/http-error.js';
import { parseJson } from '../server/parse-json.js';
import { readJson } from '../server/read-json.js';
import type { Route } from '../server/route.js';
import type { Complete } from '../wire/complete.js';

/** Maximum number of ids in one request. The service documents no limit; this one forces callers to split lists. */
const MAXIMUM_IDS = 100;

const requestBody = z.object({ listProductId: z.array(z.string()) });

/** Operation 1: average and count of ratings for each known product of a list; unknown ids are omitted. */
export const starRating: Route = {
	...OPERATIONS.starRating,
	operation: 'starRating',
	pidsOf: (call) => requestBody.safeParse(parseJson(call.body)).data?.listProductId ?? [],
	handle: (call) => {
		const { service } = call;
		authorize(call.headers.authorization, service);
		const body = requestBody.safeParse(readJson(call));
		if (!body.success) throw new HttpError(400, 'The body must be {"listProductId": [string, ...]}.');
		const { listProductId } = body.data;
		if (listProductId.length > MAXIMUM_IDS) {
			throw new HttpError(
				413,
				`listProductId has ${listProductId.length} ids; the maximum is ${MAXIMUM_IDS}.`,
			);
		}
		const known = [...new Set(listProductId)].filter((pid) => products.find(service.database, pid));
		const data = known.map((pid) =>
			wireStarRating(pid, ratingSummary(service.database, pid), questions.count(service.database, pid)),
		);
		return answer.json(200, { success: true, data });
	},
};

/** Creates one element of `data` of operation 1. */
function wireStarRating(
	pid: string,
	summary: RatingSummary,
	questionCount: number,
): Complete<StarRatingItem> {
	return {
		pid,
		avgrtng: summary.average,
		prtng: summary.count,
		html: summary.count === 0 ? '' : starsHtml(summary),
		isReqSyncWoo: false,
		queCount: questionCount,
	};
}

function starsHtml({ average, count }: RatingSummary): string {
	const full = Math.round(average);
	const stars = '★'.repeat(full) + '☆'.repeat(5 - full);
	return `<span class="rvw-stars" title="${average}/5">${stars}</span> <span class="rvw-count">(${count})</span>`;
}
