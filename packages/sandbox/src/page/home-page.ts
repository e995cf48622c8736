import type { ProductOverview } from '../database/products.js';
import { escapeHtml } from '../wire/escape-html.js';
import { notice, type PublishedReview } from './notice.js';
import { PAGE_STYLE } from './page-style.js';

/** Content of the home page. */
export interface HomePage {
	readonly products: readonly ProductOverview[];
	readonly wsid: string;
	readonly storeName: string;
	/** The review that was just published with the form. */
	readonly published: PublishedReview | undefined;
	/** Initial product id of the form. */
	readonly chosen: string;
	/** Host and port of each registered webhook; the rest of its URL may contain a key. */
	readonly webhookHosts: readonly string[];
}

/** Larger catalogues are cut off here; `/__sandbox/products` has the whole list. */
const MAXIMUM_ROWS = 500;

/** Renders the page at `/`: an introduction, the products with their counts, and a form that needs no JavaScript. */
export function homePage({ products, wsid, storeName, published, chosen, webhookHosts }: HomePage): string {
	const shown = products.slice(0, MAXIMUM_ROWS);
	const rest = products.length - shown.length;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Review sandbox of ${escapeHtml(storeName)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<p class="kicker">product-reviews-sandbox</p>
<h1>Reviews of ${escapeHtml(storeName)}</h1>
<p>A hosted product-review service on your own machine, for development and tests. Website id
<code>${escapeHtml(wsid)}</code>; requests so far: <a href="/__requests">/__requests</a>.</p>
</header>
<main>
${published ? notice(published) : ''}
<section aria-labelledby="write">
<h2 id="write">Write a review</h2>
${form(shown, chosen)}
</section>
<section aria-labelledby="products">
<h2 id="products">Products <small>${products.length}</small></h2>
<div class="scroll"><table>
<thead><tr><th>Id</th><th>Name</th><th class="number">Average</th><th class="number">Published</th>
<th class="number">Not published</th><th><span class="hidden">Actions</span></th></tr></thead>
<tbody>
${shown.map(row).join('\n')}
</tbody>
</table></div>
${rest > 0 ? `<p>${rest} more at <a href="/__sandbox/products">/__sandbox/products</a>.</p>` : ''}
</section>
</main>
${webhookHosts.length === 0 ? '' : footer(webhookHosts)}</body>
</html>
`;
}

function footer(hosts: readonly string[]): string {
	const list = hosts.map((host) => `<code>${escapeHtml(host)}</code>`).join(', ');
	return `<footer><p>Every edit is sent to ${list}: <a href="/__sandbox/webhooks/deliveries">deliveries</a>.</p></footer>\n`;
}

function form(products: readonly ProductOverview[], chosen: string): string {
	const options = products.map(
		({ pid, name }) => `<option value="${escapeHtml(pid)}">${escapeHtml(name)}</option>`,
	);
	const stars = [5, 4.5, 4, 3.5, 3, 2.5, 2, 1.5, 1].map((value) => `<option>${value}</option>`);
	return `<form method="post" action="/__sandbox/form/reviews">
<label>Product id <input name="pid" list="pids" required autocomplete="off" value="${escapeHtml(chosen)}"></label>
<datalist id="pids">${options.join('')}</datalist>
<label>Stars <select name="rating">${stars.join('')}</select></label>
<label>Name <input name="author" placeholder="Ingrid S."></label>
<label>Title <input name="title"></label>
<label class="wide">Review <textarea name="body" rows="4"></textarea></label>
<button>Publish</button>
</form>`;
}

function row({ pid, name, average, publishedCount, unpublishedCount }: ProductOverview): string {
	const id = escapeHtml(pid);
	const address = encodeURIComponent(pid);
	return `<tr><td><code>${id}</code></td><td>${escapeHtml(name)}</td>
<td class="number">${publishedCount === 0 ? '–' : average.toFixed(2)}</td><td class="number">${publishedCount}</td>
<td class="number">${unpublishedCount}</td>
<td><a href="/__sandbox/products/${address}/reviews">List<span class="hidden"> reviews of ${id}</span></a>
<a href="/?pid=${address}#write">Write<span class="hidden"> a review of ${id}</span></a></td></tr>`;
}
