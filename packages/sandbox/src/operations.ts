import type { CrawlerReviewsResponse, StarRatingItem } from 'product-reviews-client/contract';
import { z } from 'zod';
import { answer, type Call, HttpError, lastModified, parseJson, readJson } from './http.js';
import type { OperationRoute, Service } from './service.js';
import { type Complete, crawlerHtml, crawlerJsonld, wireProductData } from './wire.js';

function authorize({ headers: { authorization } }: Call, { tokens }: Service): void {
	const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
	if (token !== undefined && tokens.isValid(token)) return;
	const isMissing = authorization === undefined;
	const problem = isMissing
		? 'Send "Authorization: Bearer <ACCESS_TOKEN>".'
		: 'Unknown or expired access token.';
	throw new HttpError(401, problem, { 'www-authenticate': 'Bearer' });
}

function readBody<Body>(call: Call, schema: z.ZodType<Body>, shape: string): Body {
	const body = schema.safeParse(readJson(call));
	if (body.success) return body.data;
	throw new HttpError(400, `The body must be ${shape}.`);
}

/** The service documents no limit; this one forces callers to split lists. */
const MAX_IDS = 100;

const starRatingBody = z.object({ listProductId: z.array(z.string()) });

/** Operation 1: average and count of ratings for each known product of a list; unknown ids are omitted. */
export const starRating: OperationRoute = {
	operation: 'starRating',
	pidsOf: ({ body }) => starRatingBody.safeParse(parseJson(body)).data?.listProductId ?? [],
	handle(call, service) {
		authorize(call, service);
		const { listProductId: pids } = readBody(call, starRatingBody, '{"listProductId": [string, ...]}');
		if (pids.length > MAX_IDS)
			throw new HttpError(413, `listProductId has ${pids.length} ids; the maximum is ${MAX_IDS}.`);
		const { database } = service;
		const known = [...new Set(pids)].filter((pid) => database.product(pid));
		const data = known.map((pid): Complete<StarRatingItem> => {
			const { average, count } = database.ratings(pid);
			const full = Math.round(average);
			const stars = '★'.repeat(full) + '☆'.repeat(5 - full);
			const shown = `<span class="rvw-stars" title="${average}/5">${stars}</span> <span class="rvw-count">(${count})</span>`;
			const html = count === 0 ? '' : shown;
			const queCount = database.questions(pid).length;
			return { pid, avgrtng: average, prtng: count, html, isReqSyncWoo: false, queCount };
		});
		return answer.json(200, { success: true, data });
	},
};

const dataBody = z.object({ productId: z.string().min(1) });

/** Operation 2: the published reviews of one product, their counts, media, questions and answers. */
export const productReviewData: OperationRoute = {
	operation: 'productReviewData',
	pidsOf: ({ body }) => Object.values(dataBody.safeParse(parseJson(body)).data ?? {}),
	handle(call, service) {
		const { database, facts } = service;
		authorize(call, service);
		const { productId: pid } = readBody(call, dataBody, '{"productId": string}');
		const product = database.product(pid);
		if (!product) throw new HttpError(404, 'There is no product with this productId.');
		const data = wireProductData(database, product, facts, call.origin);
		return answer.json(200, data, lastModified(product.changedAt));
	},
};

/** Operation 3: the published reviews of one product as html and structured data. `Authorization` is ignored. */
export const crawlerReviews: OperationRoute = {
	operation: 'crawlerReviews',
	pidsOf: ({ query }) => query.getAll('pid').slice(0, 1),
	handle({ query }, { database, facts }) {
		const pid = query.get('pid');
		if (!pid) throw new HttpError(400, 'The query parameter "pid" is missing.');
		if (!query.get('wsid')) throw new HttpError(400, 'The query parameter "wsid" is missing.');
		if (query.get('wsid') !== facts.wsid) throw new HttpError(404, 'There is no website with this wsid.');
		const product = database.product(pid);
		if (!product) throw new HttpError(404, 'There is no product with this pid.');
		const published = database.reviews({ pid, status: 'published' });
		const summary = database.ratings(pid);
		// A flag is set if it is `true` or `1`; otherwise the part is left empty.
		const isWanted = (name: string) => ['true', '1'].includes(query.get(name) ?? '');
		const payload: Complete<CrawlerReviewsResponse> = {
			status: 200,
			pid,
			dataCount: { prtng: summary.count, avgrtng: summary.average },
			html: isWanted('ihtml') ? crawlerHtml(product, published, facts) : '',
			jsonld: isWanted('ijsonld') ? crawlerJsonld(product, published, summary, facts) : '',
		};
		return answer.json(200, payload, lastModified(product.changedAt));
	},
};
