import type { ProductFacts } from '../render/facts.js';
import { nameProducts } from '../text/name-products.js';
import { auditPage, type Finding } from './audit-page.js';
import { type AuditRule, RULES } from './audit-rules.js';

/** One thing that is wrong with one page. */
export interface PageFinding {
	readonly rule: AuditRule;
	/** Path of the page's address. */
	readonly page: string;
	/** The products that it is about. */
	readonly pids: readonly string[];
}

/** The audit of one build. */
export interface Audit {
	/** Own markup of a product is somewhere: a page may show it though another, or none, asked for it. */
	addOwnMarkup(pid: string): void;
	/** Audits a page that was rendered. @returns whether nothing is wrong with it. */
	add(page: string, facts: readonly ProductFacts[]): boolean;
	/** Adds what was found on a page when it was rendered last. */
	addKnown(page: string, findings: readonly Finding[]): void;
	/** Pages that were audited. */
	readonly pages: number;
	readonly findings: readonly PageFinding[];
}

export function createAudit(): Audit {
	const findings: PageFinding[] = [];
	const ownMarkup = new Set<string>();
	let pages = 0;
	return {
		addOwnMarkup: (pid) => ownMarkup.add(pid),
		add(page, facts) {
			pages += 1;
			const pids = new Set(facts.map(({ pid }) => pid));
			const own = [...pids].filter((pid) => ownMarkup.has(pid));
			const found = auditPage([...facts, ...own.map((pid) => ({ component: 'own-markup' as const, pid }))]);
			for (const { rule, pids } of found) findings.push({ rule, page, pids });
			return found.length === 0;
		},
		addKnown(page, known) {
			for (const { rule, pids } of known) findings.push({ rule, page, pids });
		},
		get pages() {
			return pages;
		},
		findings,
	};
}

/** Pages that a line names; the report has all. */
const MOST_NAMED = 5;

/** A line for each rule that pages break: what is wrong, where, what to do. */
export function describeFindings(findings: readonly PageFinding[]): string[] {
	const byRule = Map.groupBy(findings, ({ rule }) => rule);
	return RULES.flatMap(({ name, wrong, remedy }) => {
		const pages = [...new Set(byRule.get(name)?.map(({ page }) => page))];
		if (pages.length === 0) return [];
		const number = pages.length === 1 ? 'One page' : `${pages.length.toLocaleString('en')} pages`;
		return `${number}: ${wrong}: ${nameProducts(pages, MOST_NAMED)}. ${remedy}`;
	});
}
