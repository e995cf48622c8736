import {
	type CrawlerReviewsResponse,
	OPERATIONS,
	type StarRatingItem,
} from 'product-reviews-client/contract';
import { z } from 'zod';
import { products, questions, type RatingSummary, ratingSummary, reviews } from '../database/database.js';
import { atOrigin } from '../media/media-paths.js';
import type { Product, Review } from '../records.js';
import { answer, authorize, HttpError, parseJson, type Route, readJson } from '../server/http.js';
import { type Complete, crawlerHtml, crawlerJsonld, wireProductReviewData } from '../wire/wire.js';

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

const dataRequestBody = z.object({ productId: z.string().min(1) });

/** Operation 2: the published reviews of one product, their counts, media, questions and answers. */
export const productReviewData: Route = {
	...OPERATIONS.productReviewData,
	operation: 'productReviewData',
	pidsOf: ({ body }) => {
		const pid = dataRequestBody.safeParse(parseJson(body)).data?.productId;
		return pid === undefined ? [] : [pid];
	},
	handle: (call) => {
		const { database, facts } = call.service;
		authorize(call.headers.authorization, call.service);
		const body = dataRequestBody.safeParse(readJson(call));
		if (!body.success) throw new HttpError(400, 'The body must be {"productId": string}.');
		const { productId: pid } = body.data;
		const product = products.find(database, pid);
		if (!product) throw new HttpError(404, 'There is no product with this productId.');
		const published = reviews.list(database, { pid, status: 'published' });
		const data = wireProductReviewData(
			{
				product: productWithOrigin(product, call.origin),
				reviews: published.map((review) => reviewWithOrigin(review, call.origin)),
				summary: ratingSummary(database, pid),
				questions: questions.list(database, pid),
				nameOf: (other) => products.find(database, other)?.name ?? '',
			},
			facts,
		);
		return answer.json(200, data, { 'last-modified': new Date(product.changedAt).toUTCString() });
	},
};

/** A product with an absolute picture URL. */
function productWithOrigin(product: Product, origin: string): Product {
	return { ...product, imageUrl: atOrigin(product.imageUrl, origin) };
}

/** A review with absolute URLs of its pictures and videos. */
function reviewWithOrigin(review: Review, origin: string): Review {
	const resolve = (addresses: readonly string[]) => addresses.map((address) => atOrigin(address, origin));
	const { details } = review;
	return {
		...review,
		details: { ...details, images: resolve(details.images), videos: resolve(details.videos) },
	};
}

/** Operation 3: the published reviews of one product as html and structured data. `Authorization` is ignored. */
export const crawlerReviews: Route = {
	...OPERATIONS.crawlerReviews,
	operation: 'crawlerReviews',
	pidsOf: ({ query }) => query.getAll('pid').slice(0, 1),
	handle: ({ query, service: { database, facts } }) => {
		const pid = query.get('pid');
		if (!pid) throw new HttpError(400, 'The query parameter "pid" is missing.');
		if (!query.get('wsid')) throw new HttpError(400, 'The query parameter "wsid" is missing.');
		if (query.get('wsid') !== facts.wsid) throw new HttpError(404, 'There is no website with this wsid.');
		const product = products.find(database, pid);
		if (!product) throw new HttpError(404, 'There is no product with this pid.');
		const published = reviews.list(database, { pid, status: 'published' });
		const summary = ratingSummary(database, pid);
		const payload: Complete<CrawlerReviewsResponse> = {
			status: 200,
			pid,
			dataCount: { prtng: summary.count, avgrtng: summary.average },
			html: isWanted(query.get('ihtml')) ? crawlerHtml(product, published, facts) : '',
			jsonld: isWanted(query.get('ijsonld')) ? crawlerJsonld(product, published, summary, facts) : '',
		};
		return answer.json(200, payload, { 'last-modified': new Date(product.changedAt).toUTCString() });
	},
};

/** A flag is set if it is `true` or `1`; otherwise the part is left empty. */
function isWanted(flag: string | null): boolean {
	return flag === 'true' || flag === '1';
}
