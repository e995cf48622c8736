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
	/** Audits a rendered page. @returns whether it has no problems. */
	add(page: string, facts: readonly ProductFacts[]): boolean;
	/** Adds the problems that a page had when it was last rendered. */
	addKnown(page: string, findings: readonly Finding[]): void;
	/** How many pages were audited. */
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
			const own = facts.filter(({ pid }) => ownMarkup.has(pid));
			const found = auditPage([
				...facts,
				...own.map(({ pid }) => ({ component: 'own-markup' as const, pid })),
			]);
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
