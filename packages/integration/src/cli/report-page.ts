import { createHash } from 'node:crypto';
import type { PageFinding } from '../audit/audit.js';
import { RULES } from '../audit/rules.js';
import type { Status } from '../outcomes/outcomes.js';
import type { DroppedParts } from '../parse/field-reader.js';
import { type Html, html } from '../render/html.js';
import { describeParts } from '../report/log.js';
import type { BuildReport, ProductReport, ResourceReport, Totals } from '../report/report.js';
import { amount, capitalize, count, plainLine, size } from '../text/words.js';

/**
 * A build's report as an html document for people. It has no scripts and loads nothing. Its lists are bounded, so that it
 * stays below 3 MB for any number of products.
 * @example writeFileSync('report.html', createReportPage(report))
 */
export function createReportPage(report: BuildReport): string {
	const answers = [...answersOf(report.products)];
	const troubles = troublesOf(answers);
	const dropped = droppedOf(report.products);
	const attention = [
		['failed', troubles.failed.length, count(troubles.failed.length, 'failed answer')],
		['stale', troubles.stale.length, count(troubles.stale.length, 'stale answer')],
		['dropped', dropped.length, `${count(dropped.length, 'product')} with dropped parts`],
		['audit', report.audit.findings.length, count(report.audit.findings.length, 'audit finding')],
	] as const;
	const links = attention.filter(([, number]) => number > 0).map(([id, , text]) => ({ id, text }));
	const main = html`<main>
${head(report, links)}
${statesSection(report)}${troubleSections(troubles)}${droppedSection(dropped)}${findingsSection(report.audit)}${buildSection(report)}</main>`;
	return `${START}${main}\n</body>\n</html>\n`;
}

function head({ builtAt, version }: BuildReport, links: readonly { id: string; text: string }[]): Html {
	const time = Date.parse(builtAt);
	const when = Number.isNaN(time)
		? html`${plainLine(builtAt, 40)}`
		: html`<time datetime="${new Date(time).toISOString()}">${DATE.format(time)}</time>`;
	const attention =
		links.length === 0
			? html`<p class="good">Nothing needs attention.</p>`
			: html`<ul class="attention">${links.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`;
	return html`<header><h1>Product reviews of a build</h1><p class="muted">Built ${when} with astro-product-reviews ${plainLine(version, 40)}</p>${attention}</header>`;
}

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });

/** Its hash is in the policy of the page, so styles in attributes have no effect. */
const STYLE = `
:root {
	color-scheme: light dark;
	--page: #fff;
	--text: #1c2024;
	--muted: #5b6470;
	--line: #d9dde2;
	--surface: #f5f6f8;
	--accent: #0b5cad;
	--good: #1a7438;
	--fetched: #2f8f4e;
	--unchanged: #3b7fc4;
	--missing: #7b8490;
	--stale: #b07400;
	--failed: #c8352b;
	--unreadable: #8e44ad;
}
@media (prefers-color-scheme: dark) {
	:root {
		--page: #14171a;
		--text: #e6e9ec;
		--muted: #a3acb6;
		--line: #353b42;
		--surface: #1e2226;
		--accent: #7db8f5;
			--good: #63c583;
		--fetched: #52b774;
		--unchanged: #5b9bdb;
		--missing: #8d96a1;
		--stale: #d99a26;
		--failed: #f0695f;
		--unreadable: #bd83d6;
	}
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 0.75rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.25rem; }
h3 { margin: 1.5rem 0 0.25rem; font-size: 1rem; }
p { margin: 0.25rem 0 0.75rem; }
a { color: var(--accent); }
small { display: block; color: var(--muted); font-size: 0.85rem; font-weight: normal; }
.muted, .more { color: var(--muted); }
.good { color: var(--good); font-weight: 600; }
ul { margin: 0; padding: 0; list-style: none; }
.attention { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.attention a { display: block; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); }
.cards { display: grid; gap: 0.5rem; }
.cards > li { padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--surface); }
.cards p { margin: 0.15rem 0 0; }
.lines > li { padding: 0.15rem 0; }
.tag { padding: 0 0.4rem; border: 1px solid var(--line); border-radius: 0.3rem; color: var(--muted); font-size: 0.85rem; }
table { width: 100%; border-collapse: collapse; margin: 0 0 1rem; }
caption { padding: 0.75rem 0 0.25rem; font-weight: 600; text-align: start; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
thead th, thead td { color: var(--muted); font-size: 0.85rem; font-weight: 600; }
tbody th { font-weight: 600; }
tr > :last-child { padding-right: 0; }
.number { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.dot { display: inline-block; width: 0.75em; height: 0.75em; margin-right: 0.5em; border-radius: 50%; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 0.75rem; margin: 0; }
dl div { padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--surface); }
dt { color: var(--muted); font-size: 0.85rem; }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
${['fetched', 'unchanged', 'missing', 'stale', 'failed', 'unreadable']
	.map((status) => `.${status} { background: var(--${status}); }`)
	.join('\n')}
@media (forced-colors: active) {
	.dot { forced-color-adjust: none; }
}
@media print {
	h2, h3 { break-after: avoid; }
}
`;

const HASH = createHash('sha256').update(STYLE).digest('base64');

const START = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Product reviews of a build</title>
<style>${STYLE}</style>
</head>
<body>
`;

/** What the build cost: time, requests, pages, store. */
function buildSection({ ms, fetchMs, requests, pages, store }: BuildReport): Html {
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
		['Cache', store.bytes === undefined ? 'in memory only' : size(store.bytes)],
		store.pruned > 0 && ['Unused products pruned', amount(store.pruned)],
	];
	const rows = facts.flatMap((fact) =>
		fact ? [html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`] : [],
	);
	return section('build', 'Build', html`<dl>${rows}</dl>`);
}

/** Pages listed for each rule. */
const MOST_FINDINGS = 50;

/** What the audit found, by rule: what is wrong, what to do, and the pages. */
function findingsSection({ pages, findings }: BuildReport['audit']): Html {
	if (findings.length === 0) {
		const text = pages === 0 ? 'No page was audited.' : `Nothing found on ${count(pages, 'audited page')}.`;
		return section('audit', 'Audit', html`<p>${text}</p>`);
	}
	const byRule = Map.groupBy(findings, ({ rule }) => rule);
	const rules = RULES.flatMap(({ name, wrong, remedy }) => {
		const found = byRule.get(name);
		return found ? [ruleFound(wrong, remedy, found)] : [];
	});
	return section('audit', 'Audit', html`<p>${count(findings.length, 'finding')}, by rule.</p>`, ...rules);
}

function ruleFound(wrong: string, remedy: string, found: readonly PageFinding[]): Html {
	const { shown, more } = listed(
		found,
		MOST_FINDINGS,
		({ page, pids }) => html`<li>${foreign('page', page)} <span class="muted">${products(pids)}</span></li>`,
	);
	return html`<h3>${capitalize(wrong)}</h3><p>${remedy}</p><ul class="lines">${shown}</ul>${more}`;
}

function products(pids: readonly string[]): Html {
	const [first = '', ...others] = pids;
	return html`${foreign('id', first)}${others.length > 0 && ` and ${count(others.length, 'other product')}`}`;
}

/** Products listed in a section. */
const MOST_TROUBLES = 100;

/** Answers that did not come, by what pages show instead. */
interface Troubles {
	/** Nothing. */
	readonly failed: readonly Answer[];
	/** What is stored. */
	readonly stale: readonly Answer[];
}

function troublesOf(answers: readonly Answer[]): Troubles {
	return {
		failed: answers.filter(({ status }) => status === 'failed' || status === 'unreadable'),
		stale: answers.filter(({ status }) => status === 'stale'),
	};
}

/** Products for which the service failed, with the reason and the pages. */
function troubleSections({ failed, stale }: Troubles): Html {
	return html`${failed.length > 0 && section('failed', 'Failed', html`<p>${count(failed.length, 'answer')} could not be used, and nothing is cached.</p>`, list(failed))}${stale.length > 0 && section('stale', 'Stale', html`<p>${count(stale.length, 'answer')} could not be used. Pages show cached reviews.</p>`, list(stale))}`;
}

function list(answers: readonly Answer[]): Html {
	const { shown, more } = listed(
		answers,
		MOST_TROUBLES,
		({ pid, resource, status, reason, pages }) =>
			html`<li><b>${foreign('id', pid)}</b> <span class="tag">${resource}</span>${status === 'unreadable' && html` <span class="tag">unreadable</span>`}${reason !== undefined && html`<p>${foreign('reason', reason)}</p>`}${pages.length > 0 && html`<p class="muted">On ${pagesLine(pages)}</p>`}</li>`,
	);
	return html`<ul class="cards">${shown}</ul>${more}`;
}

const MOST_DROPPED = 100;

/** A product with parts that could not be used. */
interface DroppedOf {
	readonly pid: string;
	readonly parts: DroppedParts;
}

function droppedOf(products: Iterable<ProductReport>): DroppedOf[] {
	const found: DroppedOf[] = [];
	for (const { pid, dropped } of products) if (dropped) found.push({ pid, parts: dropped });
	return found;
}

/** Parts of answers that could not be used. */
function droppedSection(dropped: readonly DroppedOf[]): Html {
	if (dropped.length === 0) return html``;
	const { shown, more } = listed(
		dropped,
		MOST_DROPPED,
		({ pid, parts }) =>
			html`<li><b>${foreign('id', pid)}</b> <span class="muted">${inWords(parts)}</span></li>`,
	);
	return section(
		'dropped',
		'Dropped parts',
		html`<p>Parts of what the service sent for ${count(dropped.length, 'product')} could not be used.</p>`,
		html`<ul class="lines">${shown}</ul>${more}`,
	);
}

function inWords(parts: DroppedParts): string {
	return describeParts(parts)
		.map(({ what, times }) => (times === 1 ? what : `${what} (${amount(times)})`))
		.join(', ');
}

/** What each state means, in the order in which they are shown. */
const STATES: readonly { readonly status: Status; readonly name: string; readonly meaning: string }[] = [
	{ status: 'fetched', name: 'fetched', meaning: 'the service sent reviews' },
	{ status: 'unchanged', name: 'unchanged', meaning: 'cached reviews are current' },
	{ status: 'missing', name: 'without reviews', meaning: 'the service has none' },
	{ status: 'stale', name: 'stale', meaning: 'the service failed, and cached reviews are shown' },
	{ status: 'failed', name: 'failed', meaning: 'the service failed, and nothing is cached' },
	{ status: 'unreadable', name: 'unreadable', meaning: 'the answer cannot be read, and nothing is cached' },
];

/** Products by state. */
function statesSection({ totals, reviewData }: Pick<BuildReport, 'totals' | 'reviewData'>): Html {
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
		html`<table><thead><tr><th scope="col">State</th><th scope="col" class="number">Reviews</th>${hasData && html`<th scope="col" class="number">Review data</th>`}</tr></thead><tbody>${rows}</tbody></table>`,
	);
}

function numberOf(totals: Totals, status: Status): number {
	return totals[status] ?? 0;
}

/** Letters shown of a product id, an address of a page, and a reason. */
const MOST_LETTERS = { id: 60, page: 120, reason: 200 };

/** A text from outside: on one line, short, escaped, and without influence on the direction of what is around it. */
function foreign(kind: keyof typeof MOST_LETTERS, text: string): Html {
	const line = plainLine(text, MOST_LETTERS[kind]);
	return line === '' ? html`<i>no visible letters</i>` : html`<bdi>${line}</bdi>`;
}

/** The first `most` items, and a paragraph that counts the others. */
function listed<Item>(
	items: readonly Item[],
	most: number,
	write: (item: Item) => Html,
): { readonly shown: readonly Html[]; readonly more: Html } {
	const more = items.length - most;
	return {
		shown: items.slice(0, most).map(write),
		more:
			more > 0
				? html`<p class="more">and ${amount(more)} more, which <code>report --json</code> lists</p>`
				: html``,
	};
}

/** Addresses of pages in a line. */
function pagesLine(pages: readonly string[], most = 3): Html {
	const named = pages.slice(0, most).map((page, index) => html`${index > 0 && ', '}${foreign('page', page)}`);
	const more = pages.length - most;
	return html`${named}${more > 0 && ` and ${amount(more)} more`}`;
}

/** A section with a heading to link to. */
function section(id: string, heading: string, ...content: readonly Html[]): Html {
	return html`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>${content}</section>\n`;
}

/** A time for people, from milliseconds: "850 ms", "1.2 s", "12 min". */
function timeText(ms: number): string {
	if (ms < 1_000) return `${amount(Math.round(ms))} ms`;
	return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${amount(Math.round(ms / 60_000))} min`;
}

/** What a build came to for one resource of a product. */
interface Answer extends ResourceReport {
	readonly pid: string;
	readonly resource: 'reviews' | 'review data';
	/** Addresses of the pages that show the product. */
	readonly pages: readonly string[];
}

/** The outcomes of a report's products, reviews and review data one after the other. */
function* answersOf(products: Iterable<ProductReport>): Generator<Answer> {
	for (const { pid, pages, reviewData, status, reason, ms, bytes } of products) {
		const reviews = { ...(status && { status }), ...(reason !== undefined && { reason }), ms, bytes };
		if (status || ms > 0) yield { pid, pages, resource: 'reviews', ...reviews };
		if (reviewData) yield { pid, pages, resource: 'review data', ...reviewData };
	}
}
