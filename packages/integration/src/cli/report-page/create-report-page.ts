import { createHash } from 'node:crypto';
import { type Html, html } from '../../render/html.js';
import type { BuildReport } from '../../report/build-report.js';
import { plainLine } from '../../text/clean-text.js';
import { count } from '../../text/words.js';
import { answersOf } from './answers.js';
import { buildSection } from './build-section.js';
import { droppedOf, droppedSection } from './dropped-section.js';
import { findingsSection } from './findings-section.js';
import { pagesSection } from './pages-section.js';
import { statesSection } from './states-section.js';
import { STYLE } from './style.js';
import { timesSection } from './times-section.js';
import { troubleSections, troublesOf } from './trouble-sections.js';

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
