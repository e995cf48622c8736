import { type Html, html } from '../../render/html.js';
import type { ProductReport } from '../../report/build-report.js';
import { amount, count } from '../../text/words.js';
import { foreign, listed, pagesLine, section } from './parts.js';

const MOST_LISTED = 500;
const MOST_UNUSED = 50;

/** The pages of each product, those on most pages first; and the products that are on none. */
export function pagesSection(products: Iterable<ProductReport>): Html {
	const all = [...products];
	const used = all.filter(({ pages }) => pages.length > 0);
	const unused = all.filter(({ pages }) => pages.length === 0);
	used.sort((one, other) => other.pages.length - one.pages.length);
	return section('pages', 'Pages by product', usedTable(used), unusedList(unused));
}

function usedTable(used: readonly ProductReport[]): Html {
	if (used.length === 0) return html`<p>No page shows a product.</p>`;
	const { shown, more } = listed(
		used,
		MOST_LISTED,
		({ pid, pages }) =>
			html`<tr><td>${foreign('id', pid)}</td><td class="number">${amount(pages.length)}</td><td>${pagesLine(pages)}</td></tr>\n`,
	);
	return html`<table class="pages"><thead><tr><th scope="col">Product</th><th scope="col" class="number">Pages</th><th scope="col">Addresses</th></tr></thead><tbody>${shown}</tbody></table>${more}`;
}

function unusedList(unused: readonly ProductReport[]): Html {
	if (unused.length === 0) return html``;
	const { shown, more } = listed(unused, MOST_UNUSED, ({ pid }) => html`<li>${foreign('id', pid)}</li>`);
	return html`<h3>On no page</h3><p>No page shows reviews of ${count(unused.length, 'product')}.</p><ul class="ids">${shown}</ul>${more}`;
}
