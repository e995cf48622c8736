import { type BuildReport, createReport, type ReportParts } from '../../../src/project/report.js';
import { createProductResults, RequestCounts } from '../../../src/reviews/results.js';

const BUILT_AT = Date.parse('2026-11-21T12:00:00Z');

export const NO_REQUESTS = new RequestCounts().totals;

/** The report of a build with these results, as it is read from its file. */
export function reportOf(
	fill: (results: ReportParts['results']) => void,
	parts: Partial<ReportParts> = {},
): BuildReport {
	const results = createProductResults();
	fill(results);
	const { products, ...report } = createReport({
		results,
		requests: NO_REQUESTS,
		ms: 9_000,
		fetchMs: 4_200,
		now: BUILT_AT,
		pages: { withReviews: 2 },
		cache: { bytes: 31_000_000, pruned: 0 },
		audit: { pages: 2, findings: [] },
		pagesOf: () => [],
		...parts,
	});
	return JSON.parse(JSON.stringify({ ...report, products: [...products] }));
}

export function variedReport(): BuildReport {
	return reportOf(fillVaried, {
		requests: {
			total: 46,
			retries: 3,
			bytes: 890_000,
			operations: { crawlerReviews: 43, productReviewData: 2, starRating: 1 },
		},
		pages: { withReviews: 41, incremental: { keyed: 40, changed: 3, rendered: 8 } },
		cache: { bytes: 31_000_000, pruned: 2 },
		pagesOf: (pid) => (pid === 'p-3' ? [] : [`/products/${pid}/`, '/', '/category/kitchen/', '/sale/']),
		audit: {
			pages: 41,
			findings: [
				{ rule: 'schema-without-reviews', page: '/products/p-9/', pids: ['p-9'] },
				{ rule: 'several-products', page: '/category/kitchen/', pids: ['p-1', 'p-2', 'p-3'] },
			],
		},
	});
}

function fillVaried({ reviews, 'review-data': data }: ReportParts['results']): void {
	for (let index = 0; index < 40; index++) {
		reviews.addRequest(`p-${index}`, 12 * 1.18 ** index, 20_000);
		reviews.settle(`p-${index}`, index % 4 === 0 ? 'unchanged' : 'fetched');
	}
	for (const pid of ['p-3', 'p-7']) reviews.settle(pid, 'missing');
	reviews.settle('p-11', 'stale', 'POST https://reviews.example/api/v1: 503 Service Unavailable');
	reviews.settle('p-13', 'failed', 'no answer within 10 s, in 5 attempts');
	reviews.settle('p-17', 'unreadable', 'the answer is not JSON');
	data.addRequest('p-1', 640, 90_000);
	data.settle('p-1', 'fetched');
	data.settle('p-2', 'stale', '502 Bad Gateway');
	reviews.addAnswer('p-4', { 'text-cut': 1, 'rating-unusable': 3 });
	reviews.addAnswer('p-5', { 'address-refused': 2 });
}
