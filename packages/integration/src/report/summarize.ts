import { amount, count, size } from '../text/words.js';
import type { BuildReport } from './build-report.js';

/**
 * The five lines that a build logs about its reviews at its end, each short enough for a terminal. None if no page and no
 * list asked for reviews, as in a build whose pages are all rendered on demand.
 */
export function summarize(report: BuildReport, file: string): string[] {
	const { totals, requests, pages, store } = report;
	const { products, fetched, unchanged, missing, stale, failed, unreadable = 0 } = totals;
	const { crawlerReviews, starRating, productReviewData } = requests.operations;
	const { incremental } = pages;
	if (products === 0 && requests.total === 0) return [];
	return [
		products === 0
			? `Only ratings in lists${origin(report)}`
			: `${count(products, 'product')}${origin(report)}: ${list([
					fetched > 0 && `${amount(fetched)} fetched`,
					unchanged > 0 && `${amount(unchanged)} unchanged`,
					missing > 0 && `${amount(missing)} without reviews`,
					stale > 0 && `${amount(stale)} stale`,
					failed > 0 && `${amount(failed)} failed`,
					unreadable > 0 && `${amount(unreadable)} unreadable`,
				])}`,
		requests.total === 0
			? 'No request to the service'
			: `${count(requests.total, 'request')} (${list([
					`${amount(crawlerReviews)} for reviews`,
					starRating > 0 && `${amount(starRating)} for ratings`,
					productReviewData > 0 && `${amount(productReviewData)} for review data`,
					requests.retries > 0 && `${amount(requests.retries)} tried again`,
				])}), ${size(requests.bytes)}`,
		`${count(pages.withReviews, 'page')} with reviews${
			incremental
				? `: ${amount(incremental.keyed - incremental.rendered)} of ${amount(incremental.keyed)} with a cacheKey reused, ${amount(incremental.changed)} changed`
				: ''
		}`,
		`Store: ${store.bytes === undefined ? 'in memory only' : size(store.bytes)}${
			store.pruned > 0 ? `, ${count(store.pruned, 'unused product')} pruned` : ''
		}`,
		`Report: ${file}`,
	];
}

/** How long the service took, or that nothing was asked of it. */
function origin({ fetchMs, totals }: BuildReport): string {
	if (fetchMs !== undefined) return ` in ${(fetchMs / 1_000).toFixed(1)} s`;
	return totals.unchanged === totals.products ? ' from the store' : '';
}

function list(parts: readonly (string | false)[]): string {
	return parts.filter(Boolean).join(', ');
}
