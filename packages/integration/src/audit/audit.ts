import type { ProductFacts } from '../render/parts.js';
import { count, nameProducts } from '../text/words.js';
import { type AuditRule, RULES } from './audit-rules.js';
import { byProduct, PLACEMENT_RULES } from './placement-rules.js';

/** One problem of a page. */
export interface Finding {
	readonly rule: AuditRule;
	/** The products concerned. */
	readonly pids: readonly string[];
}

/** One problem, with its page. */
export interface PageFinding extends Finding {
	/** Path of the page's address. */
	readonly page: string;
}

/** The problems of a page, from the facts about it. */
export function auditPage(facts: readonly ProductFacts[]): Finding[] {
	const page = byProduct(facts);
	const findings: Finding[] = [];
	for (const { name, find } of PLACEMENT_RULES) {
		const broken = find(page);
		if (broken.length > 0) findings.push({ rule: name, pids: broken.map(({ pid }) => pid) });
	}
	return findings;
}

/** The audit of one build. */
export interface Audit {
	/** Notes that a product has its own markup somewhere. A page may show it even if another page, or none, asked for it. */
	addOwnMarkup(pid: string): void;
	/** Audits a page, again if more is known of it. */
	add(page: string, facts: readonly ProductFacts[]): void;
	/** How many pages were audited. */
	readonly pages: number;
	readonly findings: readonly PageFinding[];
}

export function createAudit(): Audit {
	const byPage = new Map<string, readonly Finding[]>();
	const ownMarkup = new Set<string>();
	const audited = new Set<string>();
	return {
		addOwnMarkup: (pid) => ownMarkup.add(pid),
		add(page, facts) {
			audited.add(page);
			const own = facts.filter(({ pid }) => ownMarkup.has(pid));
			const found = auditPage([
				...facts,
				...own.map(({ pid }) => ({ component: 'own-markup' as const, pid })),
			]);
			if (found.length > 0) byPage.set(page, found);
			else byPage.delete(page);
		},
		get pages() {
			return audited.size;
		},
		get findings() {
			return [...byPage].flatMap(([page, found]) => found.map(({ rule, pids }) => ({ rule, page, pids })));
		},
	};
}

/** Pages named in one line; the report has all of them. */
const MOST_NAMED = 5;

/** A line for each rule that pages break: what is wrong, where, and what to do. */
export function describeFindings(findings: readonly PageFinding[]): string[] {
	const byRule = Map.groupBy(findings, ({ rule }) => rule);
	return RULES.flatMap(({ name, wrong, remedy }) => {
		const pages = [...new Set(byRule.get(name)?.map(({ page }) => page))];
		if (pages.length === 0) return [];
		return `${count(pages.length, 'page')}: ${wrong}: ${nameProducts(pages, MOST_NAMED)}. ${remedy}`;
	});
}
