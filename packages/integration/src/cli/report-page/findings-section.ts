import type { PageFinding } from '../../audit/audit.js';
import { RULES } from '../../audit/audit-rules.js';
import { type Html, html } from '../../render/html.js';
import type { BuildReport } from '../../report/build-report.js';
import { capitalize, count } from '../../text/words.js';
import { foreign, listed, section } from './parts.js';

/** Pages listed for each rule. */
const MOST_LISTED = 50;

/** What the audit found, by rule: what is wrong, what to do, and the pages. */
export function findingsSection({ pages, findings }: BuildReport['audit']): Html {
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
		MOST_LISTED,
		({ page, pids }) => html`<li>${foreign('page', page)} <span class="muted">${products(pids)}</span></li>`,
	);
	return html`<h3>${capitalize(wrong)}</h3><p>${remedy}</p><ul class="lines">${shown}</ul>${more}`;
}

function products(pids: readonly string[]): Html {
	const [first = '', ...others] = pids;
	return html`${foreign('id', first)}${others.length > 0 && ` and ${count(others.length, 'other product')}`}`;
}
