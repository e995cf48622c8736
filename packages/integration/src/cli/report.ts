import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
	ago,
	amount,
	capitalize,
	count,
	nameProduct,
	plainLine,
	printableJson,
	reasonOf,
	size,
} from '../base/words.js';
import { REPORT_FILE, VERSION } from '../constants.js';
import type { PageFinding } from '../pages/audit.js';
import { RULES } from '../pages/audit-rules.js';
import { nameParts, summarize } from '../project/log-lines.js';
import {
	type BuildReport,
	type ProductReport,
	type ReadReport,
	type ResourceReport,
	readReport,
} from '../project/report.js';
import { type Html, html } from '../render/html.js';
import type { Status } from '../reviews/results.js';
import { locateCache } from './cache.js';
import { commandError } from './catalog.js';
import { type CommandLine, listed, misused, namePath } from './terminal.js';

/** Stands beside the report, unless a file is given. */
const PAGE_FILE = 'product-reviews-report.html';

/**
 * Prints the report of the last build, or writes it as a page.
 * @throws CommandError if there is no report, or the page cannot be written.
 */
export function report({ args: [page], options: { html: asPage, json, ...place } }: CommandLine): string[] {
	if (asPage && json) throw misused('Give either --html or --json, not both.');
	if (!asPage && page !== undefined)
		throw misused(`"report" takes a file only with --html, but "${page}" was given.`);
	// The ending keeps a mistyped command from replacing another file.
	if (page !== undefined && !/\.html?$/i.test(page)) {
		throw misused(`--html takes the path of a file that ends with .html, not "${page}".`);
	}
	const file = join(dirname(locateCache(place)), REPORT_FILE);
	const name = namePath(file);
	const read = readReport(file, name);
	if (json) return [`${printableJson(read, '\t')}\n`];
	if (!asPage) return describeReport(read, name);
	return [writePage(page === undefined ? join(dirname(file), PAGE_FILE) : resolve(page), read, name)];
}

function writePage(file: string, report: ReadReport, name: string): string {
	const page = pageOf(report, name);
	try {
		writeFileSync(file, page);
	} catch (cause) {
		const message = `The page could not be written to ${namePath(file)}: ${reasonOf(cause)}.`;
		throw commandError('PR_FILE_NOT_WRITTEN', message, cause);
	}
	return `Wrote ${namePath(file)}, ${size(Buffer.byteLength(page))}\n`;
}

function pageOf(report: ReadReport, name: string): string {
	try {
		return createReportPage(report);
	} catch (cause) {
		// Only the form of the file itself can be wrong.
		const message = `The report at ${name} does not have the form that version ${VERSION} writes.`;
		throw commandError('PR_NO_REPORT', message, cause);
	}
}

function describeReport(report: ReadReport, name: string): string[] {
	const built = Date.parse(report.builtAt);
	const age = Number.isNaN(built) ? '' : ` (${ago(Date.now() - built)})`;
	const lines = summarize(report, name);
	const failed = report.products.filter(({ status }) => TROUBLES.has(status));
	return [
		`Built at ${plainLine(report.builtAt, 40)}${age} with version ${plainLine(report.version, 40)}\n`,
		...(lines.length > 0 ? lines : ['No page and no list requested reviews.']).map((line) => `${line}\n`),
		...(failed.length > 0 ? ['The service failed for:\n'] : []),
		...listed(
			failed,
			({ pid, status, reason = '' }) => `${status} ${nameProduct(pid)} ${plainLine(reason, 200)}`,
		),
	];
}

const TROUBLES: ReadonlySet<string | undefined> = new Set(['stale', 'failed', 'unreadable']);

/**
 * Writes a build's report as an html document for people. The document has no scripts and loads nothing. Its lists are
 * bounded, so that it stays below 3 MB for any number of products.
 */
function createReportPage(report: BuildReport): string {
	const products = [...report.products];
	const answers = products.flatMap(answersOf);
	const failed = answers.filter(({ status }) => status === 'failed' || status === 'unreadable');
	const stale = answers.filter(({ status }) => status === 'stale');
	const dropped = products.flatMap(({ pid, dropped: parts }) => (parts ? { pid, parts } : []));
	const attention = [
		['failed', failed.length, 'failed response', ''],
		['stale', stale.length, 'stale response', ''],
		['dropped', dropped.length, 'product', ' with dropped parts'],
		['audit', report.audit.findings.length, 'audit finding', ''],
	] as const;
	const links = attention.flatMap(([id, number, noun, rest]) =>
		number > 0 ? html`<li><a href="#${id}">${count(number, noun)}${rest}</a></li>` : [],
	);
	const main = html`<main>
<header><h1>Product reviews of a build</h1><p class="muted">Built ${dateOf(report)} with astro-product-reviews ${plainLine(report.version, 40)}</p>${
		links.length > 0
			? html`<ul class="attention">${links}</ul>`
			: html`<p class="good">Nothing needs attention.</p>`
	}</header>
${statesSection(report)}${troubles('failed', failed, ', and nothing is cached')}${troubles('stale', stale, '. Pages show cached reviews')}${
	dropped.length > 0 &&
	section(
		'dropped',
		'Dropped parts',
		html`<p>Parts of the reviews of ${count(dropped.length, 'product')} could not be used.</p>`,
		list(
			'lines',
			dropped,
			({ pid, parts }) =>
				html`<b>${foreign('id', pid)}</b> <span class="muted">${nameParts(parts).join(', ')}</span>`,
		),
	)
}${auditSection(report.audit)}${buildSection(report)}</main>`;
	return `${START}${main}\n</body>\n</html>\n`;
}

function troubles(id: string, answers: readonly Answer[], then: string): Html | false {
	const text = html`<p>${count(answers.length, 'response')} could not be used${then}.</p>`;
	return answers.length > 0 && section(id, capitalize(id), text, list('cards', answers, answerItem));
}

function dateOf({ builtAt }: BuildReport): Html {
	const time = Date.parse(builtAt);
	if (Number.isNaN(time)) return html`${plainLine(builtAt, 40)}`;
	return html`<time datetime="${new Date(time).toISOString()}">${DATE.format(time)}</time>`;
}

const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' });

/** Each state with its color on a light and on a dark page, and its meaning; in the order in which states are shown. */
const STATES: readonly (readonly [Status, color: string, meaning: string])[] = [
	['fetched', '#2f8f4e, #52b774', 'the service sent reviews'],
	['unchanged', '#3b7fc4, #5b9bdb', 'cached reviews are current'],
	['missing', '#7b8490, #8d96a1', 'the service has none'],
	['stale', '#b07400, #d99a26', 'the service failed, and cached reviews are shown'],
	['failed', '#c8352b, #f0695f', 'the service failed, and nothing is cached'],
	['unreadable', '#8e44ad, #bd83d6', 'the response cannot be read, and nothing is cached'],
];

/** The policy of the page has the hash of this text, so styles in attributes have no effect. */
const STYLE = `
:root {
	color-scheme: light dark;
	--page: light-dark(#fff, #14171a);
	--text: light-dark(#1c2024, #e6e9ec);
	--muted: light-dark(#5b6470, #a3acb6);
	--line: light-dark(#d9dde2, #353b42);
	--surface: light-dark(#f5f6f8, #1e2226);
	--accent: light-dark(#0b5cad, #7db8f5);
	--good: light-dark(#1a7438, #63c583);
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
${STATES.map(([status, color]) => `.${status} { background: light-dark(${color}); }`).join('\n')}
@media (forced-colors: active) { .dot { forced-color-adjust: none; } }
@media print { h2, h3 { break-after: avoid; } }
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

function statesSection({ totals, reviewData }: BuildReport): Html {
	const hasData = reviewData.products > 0;
	const rows = STATES.flatMap(([status, , meaning]) => {
		const [reviews, data] = [totals[status] ?? 0, reviewData[status] ?? 0];
		if (reviews + data === 0) return [];
		const name = status === 'missing' ? 'without reviews' : status;
		return html`<tr><th scope="row"><span class="dot ${status}"></span>${name}<small>${meaning}</small></th><td class="number">${amount(reviews)}</td>${hasData && html`<td class="number">${amount(data)}</td>`}</tr>`;
	});
	const table = html`<table><thead><tr><th scope="col">State</th><th scope="col" class="number">Reviews</th>${hasData && html`<th scope="col" class="number">Review data</th>`}</tr></thead><tbody>${rows}</tbody></table>`;
	return section(
		'states',
		'Products by state',
		rows.length > 0 ? table : html`<p>No page and no list requested reviews.</p>`,
	);
}

/** Writes the findings of the audit by rule: the problem, the remedy and the pages. */
function auditSection({ pages, findings }: BuildReport['audit']): Html {
	if (findings.length === 0) {
		const text = pages === 0 ? 'No page was audited.' : `Nothing found on ${count(pages, 'audited page')}.`;
		return section('audit', 'Audit', html`<p>${text}</p>`);
	}
	const byRule = Map.groupBy(findings, ({ rule }) => rule);
	const rules = RULES.flatMap(({ name, wrong, remedy }) => {
		const found = byRule.get(name);
		return found
			? html`<h3>${capitalize(wrong)}</h3><p>${remedy}</p>${list('lines', found, findingItem)}`
			: [];
	});
	return section('audit', 'Audit', html`<p>${count(findings.length, 'finding')}, by rule.</p>`, ...rules);
}

function findingItem({ page, pids: [first = '', ...others], written = [] }: PageFinding): Html {
	const values = written.length > 0 && html`: ${foreign('reason', written.join(', '))}`;
	return html`${foreign('page', page)} <span class="muted">${foreign('id', first)}${others.length > 0 && ` and ${count(others.length, 'other product')}`}</span>${values}`;
}

function buildSection({ ms, fetchMs, requests, pages, cache }: BuildReport): Html {
	const { crawlerReviews, productReviewData, starRating } = requests.operations;
	const { incremental } = pages;
	const facts: readonly (readonly [string, string] | false)[] = [
		['Build', timeText(ms)],
		fetchMs !== undefined && ['Until the last response', timeText(fetchMs)],
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
		['Cache', cache.bytes === undefined ? 'in memory only' : size(cache.bytes)],
		cache.pruned > 0 && ['Unused products pruned', amount(cache.pruned)],
	];
	const rows = facts.flatMap((fact) =>
		fact ? [html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`] : [],
	);
	return section('build', 'Build', html`<dl>${rows}</dl>`);
}

/** Formats a time for people, from milliseconds: "850 ms", "1.2 s", "12 min". */
function timeText(ms: number): string {
	if (ms < 1_000) return `${amount(Math.round(ms))} ms`;
	return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${amount(Math.round(ms / 60_000))} min`;
}

/** Outcome of a build for one resource of a product. */
interface Answer extends Pick<ResourceReport, 'status' | 'reason'>, Pick<ProductReport, 'pid' | 'pages'> {
	readonly resource: 'reviews' | 'review data';
}

function answersOf({ reviewData, ...reviews }: ProductReport): Answer[] {
	const { pid, pages } = reviews;
	return [
		{ ...reviews, resource: 'reviews' },
		...(reviewData ? [{ ...reviewData, pid, pages, resource: 'review data' } as const] : []),
	];
}

function answerItem({ pid, resource, status, reason, pages }: Answer): Html {
	const named = pages.slice(0, MAX_PAGES).map((page, at) => html`${at > 0 && ', '}${foreign('page', page)}`);
	const more = pages.length - MAX_PAGES;
	return html`<b>${foreign('id', pid)}</b> <span class="tag">${resource}</span>${status === 'unreadable' && html` <span class="tag">unreadable</span>`}${reason !== undefined && html`<p>${foreign('reason', reason)}</p>`}${pages.length > 0 && html`<p class="muted">On ${named}${more > 0 && ` and ${amount(more)} more`}</p>`}`;
}

const MAX_LISTED = 100;
const MAX_PAGES = 3;
/** In UTF-16 code units. */
const MAX_LENGTHS = { id: 60, page: 120, reason: 200 };

/** Writes a text from outside on one line, short, escaped, and without influence on the direction of the text around it. */
function foreign(kind: keyof typeof MAX_LENGTHS, text: string): Html {
	const line = plainLine(text, MAX_LENGTHS[kind]);
	return line === '' ? html`<i>no visible letters</i>` : html`<bdi>${line}</bdi>`;
}

/** Writes the first items, and a paragraph that counts the others. */
function list<Item>(style: string, items: readonly Item[], write: (item: Item) => Html): Html {
	const shown = items.slice(0, MAX_LISTED).map((item) => html`<li>${write(item)}</li>`);
	const more = items.length - MAX_LISTED;
	return html`<ul class="${style}">${shown}</ul>${more > 0 && html`<p class="more">and ${amount(more)} more, which <code>report --json</code> lists</p>`}`;
}

function section(id: string, heading: string, ...content: readonly Html[]): Html {
	return html`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>${content}</section>\n`;
}
