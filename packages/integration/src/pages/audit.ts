import { count, nameProducts } from '../base/words.js';
import type { ProductFacts } from '../render/fragment.js';
import { type AuditRule, judgePage, RULES } from './audit-rules.js';

export interface Finding {
	readonly rule: AuditRule;
	readonly pids: readonly string[];
	/** Names values and their fields, if the rule is about values. */
	readonly written?: readonly string[];
}

export type PageFinding = Finding & { readonly page: string };

export function auditPage(facts: readonly ProductFacts[]): Finding[] {
	const judged = judgePage(facts).filter(({ broken }) => broken.length > 0);
	return judged.map(({ rule, broken, written }) => ({
		...{ rule: rule.name, pids: broken },
		...(written && { written }),
	}));
}

export class Audit {
	readonly #findings = new Map<string, readonly Finding[]>();
	readonly #ownMarkup = new Set<string>();

	/** Notes that a product has its own markup somewhere. A page may show it even if another page, or none, asked for it. */
	addOwnMarkup(pid: string): void {
		this.#ownMarkup.add(pid);
	}

	/** Audits a page, again if more is known of it. */
	add(page: string, facts: readonly ProductFacts[]): void {
		const own = facts.filter(({ pid }) => this.#ownMarkup.has(pid));
		this.#findings.set(
			page,
			auditPage([...facts, ...own.map(({ pid }) => ({ component: 'own-markup' as const, pid }))]),
		);
	}

	get pages(): number {
		return this.#findings.size;
	}

	/** Adds what was found by comparing pages and feeds. */
	addAll(forms: readonly PageFinding[]): void {
		for (const { page, ...finding } of forms)
			this.#findings.set(page, [...(this.#findings.get(page) ?? []), finding]);
	}

	get findings(): readonly PageFinding[] {
		return [...this.#findings].flatMap(([page, found]) => found.map((finding) => ({ ...finding, page })));
	}
}

const MAX_NAMED = 5;

/** Describes each rule that pages break in a line: the problem, where it is, and the remedy. */
export function describeFindings(findings: readonly PageFinding[]): string[] {
	const byRule = Map.groupBy(findings, ({ rule }) => rule);
	return RULES.flatMap(({ name, wrong, remedy }) => {
		const found = byRule.get(name) ?? [];
		const pages = [...new Set(found.map(({ page }) => page))];
		if (pages.length === 0) return [];
		const written = [...new Set(found.flatMap((finding) => finding.written ?? []))].slice(0, MAX_NAMED);
		const values = written.length > 0 ? ` (${written.join(', ')})` : '';
		return `${count(pages.length, 'page')}: ${wrong}: ${nameProducts(pages, MAX_NAMED)}${values}. ${remedy} [PR_AUDIT_FAILED]`;
	});
}
