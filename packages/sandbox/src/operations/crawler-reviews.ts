import { type CrawlerReviewsResponse, OPERATIONS } from 'product-reviews-client/contract';
import { products } from '../database/products.js';
import { ratingSummary } from '../database/rating-summary.js';
import { reviews } from '../database/reviews.js';
import { answer } from '../server/answer.js';
import { HttpError } from '../server/http-error.js';
import type { Route } from '../server/route.js';
import type { Complete } from '../wire/complete.js';
import { crawlerHtml } from '../wire/crawler-html.js';
import { crawlerJsonld } from '../wire/crawler-jsonld.js';

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
