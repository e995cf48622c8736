import { createHash } from 'node:crypto';
import { fill, readAsset } from './assets.js';
import type { ProductOverview } from './database.js';
import { answer, contentType, escapeHtml, HttpError } from './http.js';
import type { Note, Routes, Service } from './service.js';

/** The page at `/`, with the names of its parts in braces. */
const PAGE = readAsset('page.html').toString();

/**
 * Asks for the note about the review for a minute and a half, ever more rarely. Without scripts, a reload shows it. What
 * it inserts is html of the sandbox, which escapes all text.
 */
const NOTE_SCRIPT = readAsset('note.js').toString();
const NOTE_HASH = createHash('sha256').update(NOTE_SCRIPT).digest('base64');

const NOTE_PATH = '/__sandbox/form/note';

/** Returns what the page says of a review that was just published, and whether it looks for a note about it. */
function noticeOf(query: URLSearchParams, { notes, webhooks }: Service) {
	const pid = query.get('created');
	if (pid === null) return { pid: '', notice: '', isAwaited: false };
	const at = readTime(query);
	const note = notes.find(pid, at);
	// Only who is notified of reviews can tell what became of them.
	const isAwaited = note === undefined && Number.isFinite(at) && webhooks.list().length > 0;
	const source = `${NOTE_PATH}?pid=${encodeURIComponent(pid)}&at=${at}`;
	const notice = `<div class="notice" role="status">
<p>Published a review of <b>${escapeHtml(pid)}</b>.</p>
<div${isAwaited ? ` data-note="${escapeHtml(source)}"` : ''}>${note ? noteHtml(note, at) : ''}</div>
</div>${isAwaited ? `<script>${NOTE_SCRIPT}</script>` : ''}`;
	return { pid, notice, isAwaited };
}

function noteHtml({ text, items, addedAt }: Note, at: number): string {
	const seconds = (Math.max(0, addedAt - at) / 1_000).toFixed(2);
	const linked = (html: string, url?: string) => (url ? `<a href="${escapeHtml(url)}">${html}</a>` : html);
	const list = items.map((item) => `<li>${linked(escapeHtml(item.text), item.url)}</li>`).join('');
	return `<p>${escapeHtml(text)}, <b>${seconds} s</b> after the click${list === '' ? '.' : ':'}</p>
${list === '' ? '' : `<ul>${list}</ul>`}`;
}

/** Allows only our own style sheet and form, whatever a review contains. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'";

export const pageRoutes: Routes = {
	'GET /'({ query }, service) {
		const { pid, notice, isAwaited } = noticeOf(query, service);
		const page = homePage(service, notice, query.get('pid') ?? pid);
		const policy = isAwaited ? `${POLICY}; script-src 'sha256-${NOTE_HASH}'; connect-src 'self'` : POLICY;
		return answer.html(page, { 'content-security-policy': policy });
	},
	[`GET ${NOTE_PATH}`]({ query }, { notes }) {
		const at = readTime(query);
		const note = notes.find(query.get('pid') ?? '', at);
		const headers = { 'cache-control': 'no-store', 'content-security-policy': POLICY };
		return note ? answer.html(noteHtml(note, at), headers) : answer.empty(204, headers);
	},
	'POST /__sandbox/form/reviews'(call, { now, store }) {
		const isForm = contentType(call) === 'application/x-www-form-urlencoded';
		if (!isForm) throw new HttpError(415, "Send the page's form.");
		const form = Object.fromEntries(new URLSearchParams(call.body));
		const { pid = '', rating = '', title = '', body = '', author = '' } = form;
		const at = now();
		const review = { rating: Number(rating), title, body: body.replaceAll('\r\n', '\n'), author };
		store.createReview(pid, review);
		return answer.empty(303, { location: `/?created=${encodeURIComponent(pid)}&at=${at}` });
	},
};

/** Returns when the form arrived, in milliseconds since 1970; `NaN` if that is unknown. */
const readTime = (query: URLSearchParams) => Number(query.get('at') || Number.NaN);

/** Larger catalogs are cut off here; `/__sandbox/products` has the whole list. */
const MAX_ROWS = 500;

function homePage({ store, facts, webhooks }: Service, notice: string, chosen: string): string {
	const products = store.listProducts();
	const shown = products.slice(0, MAX_ROWS);
	const rest = products.length - shown.length;
	const option = (pid: string, name: string) =>
		`<option value="${escapeHtml(pid)}">${escapeHtml(name)}</option>`;
	// Without the rest of the URL, which may contain a key.
	const hosts = webhooks.list().map(({ url }) => `<code>${escapeHtml(new URL(url).host)}</code>`);
	const deliveries = '<a href="/__sandbox/webhooks/deliveries">deliveries</a>';
	const footer = `<footer><p>Every edit is sent to ${hosts.join(', ')}: ${deliveries}.</p></footer>\n`;
	return fill(PAGE, {
		...{ storeName: escapeHtml(facts.storeName), wsid: escapeHtml(facts.wsid) },
		...{ notice, chosen: escapeHtml(chosen) },
		options: shown.map(({ pid, name }) => option(pid, name)).join(''),
		...{ count: products.length, rows: shown.map(row).join('\n') },
		more: rest > 0 ? `<p>${rest} more at <a href="/__sandbox/products">/__sandbox/products</a>.</p>` : '',
		footer: hosts.length > 0 ? footer : '',
	});
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
