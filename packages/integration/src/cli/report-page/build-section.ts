import { type Html, html } from '../../render/html.js';
import type { BuildReport } from '../../report/build-report.js';
import { amount, size } from '../../text/words.js';
import { section, timeText } from './parts.js';

/** What the build cost: time, requests, pages, store. */
export function buildSection({ ms, fetchMs, requests, pages, store }: BuildReport): Html {
	const { crawlerReviews, productReviewData, starRating } = requests.operations;
	const { incremental } = pages;
	const facts: readonly (readonly [string, string] | false)[] = [
		['Build', timeText(ms)],
		fetchMs !== undefined && ['Until the last answer', timeText(fetchMs)],
		['Requests', amount(requests.total)],
		crawlerReviews > 0 && ['Requests for reviews', amount(crawlerReviews)],
		productReviewData > 0 && ['Requests for review data', amount(productReviewData)],
		starRating > 0 && ['Requests for ratings', amount(starRating)],
		requests.retries > 0 && ['Requests repeated', amount(requests.retries)],
		['Received', size(requests.bytes)],
		['Pages with reviews', amount(pages.withReviews)],
		incremental !== undefined && [
			'Pages reused',
			`${amount(incremental.keyed - incremental.rendered)} of ${amount(incremental.keyed)}`,
		],
		['Store', store.bytes === undefined ? 'in memory only' : size(store.bytes)],
		store.pruned > 0 && ['Unused products pruned', amount(store.pruned)],
	];
	const rows = facts.flatMap((fact) =>
		fact ? [html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`] : [],
	);
	return section('build', 'Build', html`<dl>${rows}</dl>`);
}
