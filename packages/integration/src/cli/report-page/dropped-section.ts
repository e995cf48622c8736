import type { DroppedParts } from '../../parse/dropped-parts.js';
import { type Html, html } from '../../render/html.js';
import { sumOfParts } from '../../report/add-parts.js';
import type { ProductReport } from '../../report/build-report.js';
import { describeParts } from '../../report/describe-dropped.js';
import { amount, count } from '../../text/words.js';
import { foreign, listed, section } from './parts.js';

const MOST_LISTED = 100;

/** A product with parts that could not be used. */
export interface DroppedOf {
	readonly pid: string;
	readonly parts: DroppedParts;
}

export function droppedOf(products: Iterable<ProductReport>): DroppedOf[] {
	const found: DroppedOf[] = [];
	for (const { pid, dropped } of products) if (dropped) found.push({ pid, parts: dropped });
	return found;
}

/** Parts of answers that could not be used: by reason, and by product. */
export function droppedSection(dropped: readonly DroppedOf[]): Html {
	if (dropped.length === 0) return html``;
	const reasons = describeParts(sumOfParts(dropped))
		.sort((one, other) => other.times - one.times)
		.map(({ what, times }) => html`<tr><td>${what}</td><td class="number">${amount(times)}</td></tr>`);
	const { shown, more } = listed(
		dropped,
		MOST_LISTED,
		({ pid, parts }) =>
			html`<li><b>${foreign('id', pid)}</b> <span class="muted">${inWords(parts)}</span></li>`,
	);
	return section(
		'dropped',
		'Dropped parts',
		html`<p>Parts of what the service sent for ${count(dropped.length, 'product')} could not be used.</p>`,
		html`<table><thead><tr><th scope="col">What</th><th scope="col" class="number">Times</th></tr></thead><tbody>${reasons}</tbody></table>`,
		html`<h3>By product</h3><ul class="lines">${shown}</ul>${more}`,
	);
}

function inWords(parts: DroppedParts): string {
	return describeParts(parts)
		.map(({ what, times }) => (times === 1 ? what : `${what} (${amount(times)})`))
		.join(', ');
}
