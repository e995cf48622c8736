import { createHash } from 'node:crypto';
import type { PageFinding } from '../../audit/audit.js';
import { RULES } from '../../audit/rules.js';
import type { Status } from '../../outcomes/outcomes.js';
import type { DroppedParts } from '../../parse/field-reader.js';
import { type Html, html } from '../../render/html.js';
import { describeParts } from '../../report/log.js';
import { type BuildReport, type ProductReport, sumOfParts, type Totals } from '../../report/report.js';
import { amount, capitalize, count, plainLine, size } from '../../text/words.js';
import {
	type Answer,
	answersOf,
	foreign,
	listed,
	pagesLine,
	section,
	timesSection,
	timeText,
} from './parts.js';
import { STYLE } from './style.js';

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
${statesSection(report)}${troubleSections(troubles)}${droppedSection(dropped)}${findingsSection(report.audit)}${timesSection(answers)}${pagesSection(report.products)}${buildSection(report)}</main>`;
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
		['Store', store.bytes === undefined ? 'in memory only' : size(store.bytes)],
		store.pruned > 0 && ['Unused products pruned', amount(store.pruned)],
	];
	const rows = facts.flatMap((fact) =>
		fact ? [html`<div><dt>${fact[0]}</dt><dd>${fact[1]}</dd></div>`] : [],
	);
	return section('build', 'Build', html`<dl>${rows}</dl>`);
}

const MOST_LISTED = 500;

const MOST_UNUSED = 50;

/** The pages of each product, those on most pages first; and the products that are on none. */
function pagesSection(products: Iterable<ProductReport>): Html {
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
	return html`${failed.length > 0 && section('failed', 'Failed', html`<p>${count(failed.length, 'answer')} could not be used, and nothing is stored.</p>`, list(failed))}${stale.length > 0 && section('stale', 'Stale', html`<p>${count(stale.length, 'answer')} could not be used. Pages show stored reviews.</p>`, list(stale))}`;
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

/** Parts of answers that could not be used: by reason, and by product. */
function droppedSection(dropped: readonly DroppedOf[]): Html {
	if (dropped.length === 0) return html``;
	const reasons = describeParts(sumOfParts(dropped))
		.sort((one, other) => other.times - one.times)
		.map(({ what, times }) => html`<tr><td>${what}</td><td class="number">${amount(times)}</td></tr>`);
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
		html`<table><thead><tr><th scope="col">What</th><th scope="col" class="number">Times</th></tr></thead><tbody>${reasons}</tbody></table>`,
		html`<h3>By product</h3><ul class="lines">${shown}</ul>${more}`,
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
	{ status: 'unchanged', name: 'unchanged', meaning: 'stored reviews are current' },
	{ status: 'missing', name: 'without reviews', meaning: 'the service has none' },
	{ status: 'stale', name: 'stale', meaning: 'the service failed, and stored reviews are shown' },
	{ status: 'failed', name: 'failed', meaning: 'the service failed, and nothing is stored' },
	{ status: 'unreadable', name: 'unreadable', meaning: 'the answer cannot be read, and nothing is stored' },
];

/** Products by state: a bar of their shares, and a table. */
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
