import { createHash } from 'node:crypto';
import type { ProductOverview } from '../database/database.js';
import type { NewReview } from '../editing/input.js';
import type { Note } from '../notes/notes.js';
import { answer, type Call, HttpError, type Route } from '../server/http.js';
import type { Service } from '../service.js';
import { escapeHtml } from '../wire/wire.js';

/** A review that was just published with the form. */
interface PublishedReview {
	readonly pid: string;
	/** When the form arrived, in milliseconds since 1970; `NaN` if that is unknown. */
	readonly at: number;
	/** What is known of it since. */
	readonly note: Note | undefined;
	/** Whether a note may still come. */
	readonly isAwaited: boolean;
}

/** Path of the note about a review that was published with the form. */
const NOTE_PATH = '/__sandbox/form/note';

/** Renders what the page says above the form after a review was published. */
function notice({ pid, at, note, isAwaited }: PublishedReview): string {
	const source = `${NOTE_PATH}?pid=${encodeURIComponent(pid)}&at=${at}`;
	return `<div class="notice" role="status">
<p>Published a review of <b>${escapeHtml(pid)}</b>.</p>
<div${isAwaited ? ` data-note="${escapeHtml(source)}"` : ''}>${note ? noteHtml(note, at) : ''}</div>
</div>${isAwaited ? `<script>${NOTE_SCRIPT}</script>` : ''}`;
}

/** Renders a note. `at` is when the review was published, in milliseconds since 1970. */
function noteHtml({ text, items, addedAt }: Note, at: number): string {
	const seconds = (Math.max(0, addedAt - at) / 1_000).toFixed(2);
	const list = items.map(({ text: item, url }) => {
		const shown = escapeHtml(item);
		return `<li>${url === undefined ? shown : `<a href="${escapeHtml(url)}">${shown}</a>`}</li>`;
	});
	return `<p>${escapeHtml(text)}, <b>${seconds} s</b> after the click${list.length > 0 ? ':' : '.'}</p>
${list.length > 0 ? `<ul>${list.join('')}</ul>` : ''}`;
}

/** Allows only our own style sheet and form, whatever a review contains. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'";

/** The page at `/` and the form on it. */
export const pageRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/',
		handle: ({ query, service }) => {
			const published = readPublished(query, service);
			const page = homePage({
				products: service.store.listProducts(),
				wsid: service.facts.wsid,
				storeName: service.facts.storeName,
				published,
				chosen: query.get('pid') ?? published?.pid ?? '',
				webhookHosts: service.webhooks.list().map(({ url }) => new URL(url).host),
			});
			const policy = published?.isAwaited ? `${POLICY}; ${NOTE_SCRIPT_POLICY}` : POLICY;
			return answer.html(page, { 'content-security-policy': policy });
		},
	},
	{
		method: 'GET',
		path: NOTE_PATH,
		handle: ({ query, service }) => {
			const at = readTime(query);
			const note = service.notes.find(query.get('pid') ?? '', at);
			const headers = { 'cache-control': 'no-store', 'content-security-policy': POLICY };
			return note ? answer.html(noteHtml(note, at), headers) : answer.empty(204, headers);
		},
	},
	{
		method: 'POST',
		path: '/__sandbox/form/reviews',
		handle: (call) => {
			const { pid, review } = readForm(call);
			const at = call.service.now();
			call.service.store.createReview(pid, review);
			return answer.empty(303, { location: `/?created=${encodeURIComponent(pid)}&at=${at}` });
		},
	},
];

function readPublished(
	query: URLSearchParams,
	{ notes, webhooks }: Pick<Service, 'notes' | 'webhooks'>,
): PublishedReview | undefined {
	const pid = query.get('created');
	if (pid === null) return undefined;
	const at = readTime(query);
	const note = notes.find(pid, at);
	// Only who is notified of reviews can tell what became of them.
	const isAwaited = note === undefined && Number.isFinite(at) && webhooks.list().length > 0;
	return { pid, at, note, isAwaited };
}

/** When the form arrived, in milliseconds since 1970; `NaN` if the address does not say. */
function readTime(query: URLSearchParams): number {
	return Number(query.get('at') || Number.NaN);
}

function readForm({ headers, body }: Call): { pid: string; review: NewReview } {
	const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/x-www-form-urlencoded') throw new HttpError(415, "Send the page's form.");
	const form = new URLSearchParams(body);
	const text = (name: string) => form.get(name) ?? '';
	return {
		pid: text('pid').toWellFormed(),
		review: {
			rating: Number(text('rating')),
			title: text('title'),
			body: text('body').replaceAll('\r\n', '\n'),
			author: text('author'),
		},
	};
}

/** Content of the home page. */
interface HomePage {
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
function homePage({ products, wsid, storeName, published, chosen, webhookHosts }: HomePage): string {
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

/** Style sheet of the page at `/`. */
const PAGE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d9ded8, #3a423c); --soft: light-dark(#5a665e, #a9b4ac);
	--accent: light-dark(#23613f, #8fd3a8); --ground: light-dark(#f6f7f4, #161a17); --card: light-dark(#fff, #1e2420) }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: light-dark(#1c231e, #e8ede9);
	font: 16px/1.5 system-ui, sans-serif }
header, main, footer { max-width: 62rem; margin: 0 auto; padding: 1rem 1.25rem 0 }
main { padding-bottom: 3rem }
main:has(+ footer) { padding-bottom: 0 }
footer { padding: 0 1.25rem 2rem; color: var(--soft); font-size: .9rem }
h1 { margin: 0 0 .5rem; font-size: 1.9rem; line-height: 1.2 }
h2 { font-size: 1.2rem; margin: 0 0 1rem }
h2 small, .kicker { color: var(--soft); font-weight: 400 }
.kicker { margin: 0; font-size: .85rem; letter-spacing: .04em }
a { color: var(--accent) }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem;
	margin-bottom: 1.25rem }
.notice { margin-bottom: 1.25rem; border-left: .25rem solid var(--accent); padding: .5rem 1rem; background: var(--card) }
.notice p { margin: 0 }
.notice ul { margin: .25rem 0 0; padding-left: 1.25rem; font-size: .92rem; overflow-wrap: anywhere; columns: 20rem auto }
form { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1rem }
label { display: grid; gap: .25rem; font-size: .9rem; color: var(--soft) }
.wide { grid-column: 1 / -1 }
input, select, textarea, button { font: inherit; padding: .5rem .65rem; border: 1px solid var(--line);
	border-radius: .4rem; background: var(--ground); color: light-dark(#1c231e, #e8ede9); width: 100% }
button { background: var(--accent); color: var(--card); border: 0; width: auto; justify-self: start;
	padding-inline: 1.25rem; cursor: pointer }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .92rem }
th, td { text-align: left; padding: .45rem .6rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
th { color: var(--soft); font-weight: 500 }
td:last-child { white-space: nowrap }
.number { text-align: right; font-variant-numeric: tabular-nums }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
`;

/**
 * Asks for the note about the review until it is there, for a minute and a half and ever more rarely. Without scripts, a
 * reload shows it. What it inserts is html of the sandbox, which escapes all text.
 */
const NOTE_SCRIPT = `
const place = document.querySelector('[data-note]');
let pause = 100;
const look = async () => {
	const response = await fetch(place.dataset.note).catch(() => undefined);
	const note = response?.status === 200 ? await response.text() : '';
	if (note) place.innerHTML = note;
	else if (pause < 20_000) setTimeout(look, pause *= 1.25);
};
look();
`;

/** Allows this script, and nothing else that a page may contain. */
const NOTE_SCRIPT_POLICY = `script-src 'sha256-${createHash('sha256').update(NOTE_SCRIPT).digest('base64')}'; connect-src 'self'`;
