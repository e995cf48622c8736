import type { Status } from '../../outcomes/create-outcomes.js';
import { type Html, html } from '../../render/html.js';
import type { BuildReport } from '../../report/build-report.js';
import type { Totals } from '../../report/count-statuses.js';
import { amount } from '../../text/words.js';
import { section } from './parts.js';

/** What each state means, in the order in which they are shown. */
const STATES: readonly { readonly status: Status; readonly name: string; readonly meaning: string }[] = [
	{ status: 'fetched', name: 'fetched', meaning: 'the service sent reviews' },
	{ status: 'unchanged', name: 'unchanged', meaning: 'stored reviews are current' },
	{ status: 'missing', name: 'without reviews', meaning: 'the service has none' },
	{ status: 'stale', name: 'stale', meaning: 'the service failed, and stored reviews are shown' },
	{ status: 'failed', name: 'failed', meaning: 'the service failed, and nothing is stored' },
	{ status: 'unreadable', name: 'unreadable', meaning: 'the answer cannot be read, and nothing is stored' },
];

/** Products by state: a bar of their shares, and a table. */
export function statesSection({ totals, reviewData }: Pick<BuildReport, 'totals' | 'reviewData'>): Html {
	const hasData = reviewData.products > 0;
	const rows = STATES.filter(({ status }) => numberOf(totals, status) + numberOf(reviewData, status) > 0).map(
		({ status, name, meaning }) =>
			html`<tr><th scope="row"><span class="dot ${status}"></span>${name}<small>${meaning}</small></th><td class="number">${amount(numberOf(totals, status))}</td>${hasData && html`<td class="number">${amount(numberOf(reviewData, status))}</td>`}</tr>`,
	);
	if (rows.length === 0) {
		return section('states', 'Products by state', html`<p>No page and no list asked for reviews.</p>`);
	}
	return section(
		'states',
		'Products by state',
		shares(totals),
		html`<table><thead><tr><th scope="col">State</th><th scope="col" class="number">Reviews</th>${hasData && html`<th scope="col" class="number">Review data</th>`}</tr></thead><tbody>${rows}</tbody></table>`,
	);
}

function shares(totals: Totals): Html {
	let start = 0;
	const parts = STATES.map(({ status }) => {
		const width = totals.products === 0 ? 0 : (100 * numberOf(totals, status)) / totals.products;
		const part = html`<rect class="${status}" x="${start.toFixed(2)}" width="${width.toFixed(2)}" height="1"/>`;
		start += width;
		return part;
	});
	return html`<svg class="shares" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function numberOf(totals: Totals, status: Status): number {
	return totals[status] ?? 0;
}
